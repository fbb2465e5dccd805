"""What a notebook imports: `from helpers import compare, draw, plots, show_error`.

Each name is loaded when it is first used, so that importing `helpers` costs next to nothing.
"""

from importlib import import_module

_HOME = {
    "compare": "helpers.graph",
    "draw": "helpers.graph",
    "show_error": "helpers.errors",
    "step": "helpers.graph",
}
__all__ = ["compare", "draw", "plots", "show_error", "step"]


def __getattr__(name: str):
    if name == "plots":
        return import_module("helpers.plots")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'helpers' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
