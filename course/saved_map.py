"""Save the map of the course without the progress that it shows.

The map is a tracked file: with a table in it, `git pull` would stop at it, and a student's numbers
would be in what is handed on. JupyterLab calls this before it writes a notebook; what the page
shows stays as it is until it is closed.
"""

import warnings
from typing import Any

from traitlets.config import Config

from course.opened_notebook import STORED
from helpers.checks.course_list import LISTED


def watch_saving(server: Any) -> None:
    """See to it that a Jupyter server saves the map so."""
    server.contents_manager.register_pre_save_hook(without_progress)
    # Another extension, such as Jupytext's, may put a manager of its own in place of this one.
    # A new manager reads its settings twice, and warns that the hook takes its own place.
    itself = r"Overriding existing pre_save_hook \(without_progress\)"
    warnings.filterwarnings("ignore", message=itself)
    if "pre_save_hook" not in server.config.ContentsManager:
        server.update_config(Config(ContentsManager={"pre_save_hook": without_progress}))


def without_progress(*, model: dict[str, Any], **_: Any) -> None:
    """Take the outputs out of a map that is to be saved, and all that running it has left.

    Args:
        model: what is to be saved, as the Jupyter server has it. Only the map is changed, which
            is known by the exercises that its metadata lists.
    """
    if model.get("type") != "notebook":
        return
    notebook = model.get("content") or {}
    metadata = notebook.get("metadata", {})
    if LISTED not in metadata:
        return
    metadata["language_info"] = dict(STORED)  # a kernel adds its version
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
            cell["metadata"].pop("execution", None)
