"""Trust the course's own notebooks, so that JupyterLab shows the pictures stored in them.

JupyterLab hides stored SVG in a notebook that it has not seen before and shows its text instead.
This is a server extension, switched on in jupyter/server.json: it works wherever JupyterLab starts
in this environment, on Binder too; it also keeps progress out of the map when that is saved
(`course/saved_map.py`), and lets no notebook count as changed that was only opened
(`course/opened_notebook.py`). Whoever runs `helpers` trusts this folder's code already.
"""

from pathlib import Path
from typing import Any

import nbformat
from nbformat.sign import NotebookNotary

from course.checkout import PACKAGE_ROOT
from course.notebooks.released import released
from course.opened_notebook import watch_opening
from course.saved_map import watch_saving


def trust(root: Path, notary: NotebookNotary) -> list[str]:
    """Sign the course's own notebooks with outputs; return their files.

    They are those that are built from `root/lessons`, or that a release lists.
    """
    signed = []
    for file in _own(root):
        try:
            notary.sign(nbformat.read(root / file, as_version=4))
        except (OSError, ValueError):  # missing, or damaged: JupyterLab says so by itself
            continue
        signed.append(file)
    return signed


def _own(root: Path) -> list[str]:
    files = [file for file in released(root).get("files", {}) if file.startswith("notebooks/")]
    for source in (root / "lessons").glob("*.md"):
        lesson, exercise, _ = source.stem.partition(".exercise")
        files.append(f"{'solutions' if exercise else 'notebooks'}/{lesson}.ipynb")
    return sorted(files)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    trust(PACKAGE_ROOT, server.contents_manager.notary)
    watch_saving(server)
    watch_opening(server)
