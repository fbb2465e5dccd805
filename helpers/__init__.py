"""What a notebook imports: `from helpers import check, diagnose, draw, plots, show_error`.

Each name is loaded when it is first used, so that importing `helpers` costs next to nothing.
"""

from importlib import import_module

_HOME = {
    "check": "helpers.checks.answer_check",
    "compare": "whygrad.graph",
    "diagnose": "whygrad",
    "draw": "whygrad.graph",
    "overview": "helpers.checks.progress_view",
    "peak_bytes": "whygrad.measure.made_memory",
    "progress": "helpers.checks.progress_view",
    "show_error": "helpers.errors",
    "step": "whygrad.graph",
    "tidy": "whygrad.graph",
    "two_processes": "helpers.processes",
}
__all__ = ["plots", *_HOME]


def __getattr__(name: str):
    if name == "plots":
        return import_module("helpers.plots")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'helpers' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
