"""Write a built notebook in one step."""

import os
from pathlib import Path

FOLDER = ".build"  # git-ignored


def replace(path: Path, content: bytes, root: Path) -> None:
    """Put `content` into the file `path` of the course in `root`.

    A build that is killed leaves the old file or the new one, whole.
    """
    scratch = root / FOLDER
    for folder in (scratch, path.parent):
        folder.mkdir(exist_ok=True)
    draft = scratch / f"{path.name}.{os.getpid()}"
    draft.write_bytes(content)
    draft.replace(path)
