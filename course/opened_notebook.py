"""Hand out the course's notebooks as they are once a kernel runs, so that opening changes nothing.

JupyterLab writes into a notebook what its kernel says of its language. Where that differs from what
the file has, a notebook that was only opened counts as changed, and JupyterLab asks on closing
whether to save it. The files of the course name no version of Python, as students have several: the
server adds it on the way to the page.
"""

from copy import deepcopy
from inspect import iscoroutinefunction
from typing import Any

# What the files of the course have.
STORED = {"name": "python"}


def watch_opening(server: Any) -> None:
    """See to it that a Jupyter server hands notebooks out so."""
    kind = _filling(type(server.contents_manager))
    server.contents_manager.__class__ = kind  # which keeps its settings and hooks
    # Another extension, Jupytext's, derives its own from this one, and puts it in place.
    server.contents_manager_class = kind


def _filling(base: type) -> type:
    if iscoroutinefunction(base.get):

        class FillingLater(base):
            async def get(self, *arguments: Any, **named: Any) -> dict[str, Any]:
                return filled(await super().get(*arguments, **named))

        return FillingLater

    class Filling(base):
        def get(self, *arguments: Any, **named: Any) -> dict[str, Any]:
            return filled(super().get(*arguments, **named))

    return Filling


def filled(model: dict[str, Any]) -> dict[str, Any]:
    """Add to a notebook what a kernel would; only to one that stores as much as the course's do.

    Args:
        model: what is handed out, as the Jupyter server has it; changed in place.
    """
    if model.get("type") == "notebook" and model.get("content"):
        metadata = model["content"].get("metadata", {})
        if metadata.get("language_info") == STORED:
            from ipykernel.ipkernel import IPythonKernel  # and IPython, which takes a moment

            metadata["language_info"] = deepcopy(IPythonKernel.language_info)
    return model
