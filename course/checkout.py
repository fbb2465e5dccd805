"""Find the course's folder and its start page."""

from pathlib import Path

START_PAGE = "notebooks/index.ipynb"
PACKAGE_ROOT = Path(__file__).resolve().parents[1]


def find_root(start: Path | None = None) -> Path:
    """Return the checkout that holds `start` (the current folder); otherwise the installed one."""
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        is_course = any((folder / name).is_dir() for name in ("lessons", "notebooks"))
        if is_course and (folder / "requirements.lock").is_file():
            return folder
    return PACKAGE_ROOT
