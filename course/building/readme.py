"""The parts of the README that come from the lessons: its table, and the picture from lesson 1."""

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat

from course.building.chapters import Chapter
from course.building.texts import table
from course.notebooks.write import write_whole

BEGIN, END = "<!-- lessons: made by course build -->\n", "<!-- end -->\n"
# Each picture, the notebook that it is taken from, and the cell there.
PICTURES = {"docs/linear_function.svg": ("notebooks/01_linear_function.ipynb", "draw-plain-linear")}


def renew_readme(root: Path, chapters: Sequence[Chapter], *, check: bool) -> list[str]:
    """Write what the README of the course in `root` takes from its chapters.

    Args:
        root: the course's folder.
        chapters: all of them, in order.
        check: write nothing.

    Returns:
        For each file that was, or with `check` would be, written, a sentence that says so.
    """
    told = []
    for name, content in _wanted(root, chapters):
        old = (root / name).read_text(encoding="utf-8")
        if old == content:
            continue
        if check:
            lines = old.splitlines(), content.splitlines()
            diff = difflib.unified_diff(*lines, name, "built from lessons/", n=0, lineterm="")
            told.append(f"{name} is not what the lessons build:\n" + "\n".join(diff))
        else:
            write_whole(root / name, content.encode())
            told.append(f"{name}: built")
    return told


def _wanted(root: Path, chapters: Sequence[Chapter]) -> Iterator[tuple[str, str]]:
    readme = root / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if end:
        yield readme.name, f"{before}{begin}\n{table(chapters)}\n{end}{after}"
    for picture, (file, cell_id) in PICTURES.items():
        if not (root / picture).exists():
            continue
        cells = nbformat.read(root / file, as_version=4).cells
        outputs = next(cell.outputs for cell in cells if cell.id == cell_id)
        yield picture, outputs[0].data["image/svg+xml"]
