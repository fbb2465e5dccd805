"""Renew what tells of all chapters at once: the README's hours, table, pictures, and the map."""

import difflib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat

from course.building import map_picture
from course.building.chapters import Chapter
from course.building.course_map import course_map, has_map
from course.building.outputs import as_text
from course.building.tables import in_all, lessons_table
from course.building.texts import TEXTS
from course.notebooks.write import write_whole
from helpers.checks.course_list import MAP
from whygrad.graph.dot import digest, to_svg

# In the README, around what is written there: the hours of the course, and its lessons.
BEGIN, END = "<!-- {}: made by course build -->\n", "<!-- end -->\n"
# Each picture of the README, the notebook that it is taken from, and the cell there.
_PICTURES = {
    "docs/linear_function.svg": ("notebooks/01_linear_function.ipynb", "draw-plain-linear")
}


def renew(root: Path, chapters: Sequence[Chapter], *, check: bool) -> list[str]:
    """Write what the course in `root` tells of all its chapters, where it differs.

    Returns:
        For each file that was, or with `check` would be, written, a sentence that says so.

    Raises:
        BuildError: the map's source is not written as the course has it.
    """
    told = []
    for name, content in _wanted(root, chapters):
        path = root / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if old == content:
            continue
        if check:
            lines = old.splitlines(), content.splitlines()
            diff = difflib.unified_diff(*lines, name, "built from lessons/", n=0, lineterm="")
            told.append(f"{name} is not what the lessons build:\n" + "\n".join(diff))
        else:
            path.parent.mkdir(exist_ok=True)
            write_whole(path, content.encode())
            told.append(f"{name}: built")
    return told


def _wanted(root: Path, chapters: Sequence[Chapter]) -> Iterator[tuple[str, str]]:
    readme = root / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    for name, written in (
        ("hours", in_all(chapters)),
        ("lessons", lessons_table(chapters, TEXTS["readme"]).strip()),
    ):
        before, begin, rest = text.partition(BEGIN.format(name))
        _, end, after = rest.partition(END)
        if end:
            text = f"{before}{begin}\n{written}\n\n{end}{after}"
    yield readme.name, text
    for picture, (file, cell_id) in _PICTURES.items():
        if not (root / picture).exists():
            continue
        cells = nbformat.read(root / file, as_version=4).cells
        outputs = next(cell.outputs for cell in cells if cell.id == cell_id)
        yield picture, outputs[0].data["image/svg+xml"]
    if has_map(root):
        yield MAP, as_text(course_map(root, chapters))
        yield from _map_picture(root / map_picture.PICTURE, chapters)


def _map_picture(path: Path, chapters: Sequence[Chapter]) -> Iterator[tuple[str, str]]:
    """Give the picture of the map, unless the one there shows the same."""
    dot, words = map_picture.to_dot(chapters), map_picture.in_words(chapters)
    # Another Graphviz lays it out elsewhere, which is no other picture.
    if _told_by(path) == (digest(dot), words):
        return
    svg, trouble = to_svg(dot, map_picture.TITLE, words)
    yield map_picture.PICTURE, svg or trouble


def _told_by(path: Path) -> tuple[str | None, str | None]:
    """Return the digest and the words of a picture; none if it is missing or damaged."""
    try:
        svg = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return None, None
    return svg.get("data-dot"), svg.findtext("{http://www.w3.org/2000/svg}desc")
