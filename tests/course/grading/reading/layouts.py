"""Lay submissions out as students and learning platforms do."""

import zipfile
from pathlib import Path

from course.grading.reading.submissions import Found, find_submissions

EXERCISES = ("05_square", "06_exp")


def lay(root: Path, *names: str) -> Path:
    """Write files that hold their own names."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    return root


def pack(path: Path, *names: str) -> Path:
    """Write an archive of files that hold their own names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, name)
    return path


def found_in(root: Path) -> dict[tuple[str, str], str]:
    """Return what each submission holds."""
    found = find_submissions(root, EXERCISES).submissions
    return {(one.student, one.exercise): one.read().decode() for one in found}


def find(root: Path) -> Found:
    """Return what is found in a folder or an archive."""
    return find_submissions(root, EXERCISES)
