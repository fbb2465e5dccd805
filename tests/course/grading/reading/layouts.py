"""Lay submissions out as students and learning platforms do."""

import functools
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from course.grading.reading.known_exercises import KnownExercise, known_exercises
from course.grading.reading.submissions import Found, find_submissions

ROOT = Path(__file__).resolve().parents[4]
EXERCISES = ("05_square", "06_exp")


@functools.cache
def known() -> tuple[KnownExercise, ...]:
    """Return the exercises that are looked for."""
    return tuple(known_exercises(ROOT, EXERCISES, EXERCISES))


def notebook(exercise: str = "05_square", folder: str = "exercises") -> dict[str, Any]:
    """Return a notebook of the course."""
    return json.loads((ROOT / folder / f"{exercise}.ipynb").read_text(encoding="utf-8"))


def worked(exercise: str = "05_square", mark: str = "mine") -> bytes:
    """Return a notebook in which a student has written something into each answer."""
    content = notebook(exercise)
    for cell in content["cells"]:
        if cell["id"].startswith("answer"):
            cell["source"] = f"{''.join(cell['source'])}\n# {mark}"
    return json.dumps(content).encode()


def nameless(content: bytes) -> bytes:
    """Return a notebook whose cells have lost their ids, and all that programs note."""
    found = json.loads(content)
    for cell in found["cells"]:
        del cell["id"]
        cell["metadata"] = {}
    return json.dumps({**found, "nbformat_minor": 4, "metadata": {}}).encode()


def put(path: Path, content: bytes | str) -> Path:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


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
    found = find(root).submissions
    return {(one.student, one.exercise): one.read().decode() for one in found}


def find(root: Path, *asked: str, listed: Sequence[str] = ()) -> Found:
    """Return what is found in a folder or an archive."""
    return find_submissions(root, known(), asked, listed)
