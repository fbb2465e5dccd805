"""Lay out what Sphinx reads: the pages of the site, in the folders of the repository."""

import re
import shutil
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

import nbformat
from jinja2 import Environment, PackageLoader, StrictUndefined

from course.building.chapters import Chapter, find_chapters, in_order
from course.building.exercise import read_exercise
from course.building.outputs import as_text
from course.building.tables import part, part_title
from course.publishing.site_notebook import (
    figures,
    site_notebook,
    with_anchors_of_the_site,
    with_figures,
)
from helpers.checks.overview import MAP

HERE = Path(__file__).parent
DOCS = ("whygrad", "grading", "walls", "own_exercise", "nbgrader")
FIGURES = "_static/figures"
FRONT = ("CONTRIBUTING.md", "CHANGELOG.md")
_OPENING = re.compile(r"# .+?(?:^- .+?\n(?:  .+?\n|- .+?\n)*)", re.MULTILINE | re.DOTALL)
_PREVIEW = """
```{note}
:class: course-preview

This is a preview. The checks run in JupyterLab, in a copy of the course: `make lab` opens it.
```
"""
_NO_PROGRESS = """
```{note}
In JupyterLab a table stands here. A page of this site knows nothing of you.
```
"""


def stage(root: Path, folder: Path, launch: str = "") -> None:
    """Write the sources of the site of the course in `root`, and nothing else, into `folder`.

    Args:
        root: the course's folder.
        folder: what is in it is deleted.
        launch: where Binder opens the course; empty if nowhere.

    Raises:
        BuildError: an exercise cannot be read.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in sources(root, launch).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def sources(root: Path, launch: str = "") -> dict[str, str]:
    """Return the sources of the site, by their paths."""
    chapters = in_order(find_chapters(root / "lessons"))
    drawn = {path.name: _text(path) for path in (root / "docs").glob("*.svg")}
    start = with_figures(_start_page(root, chapters, launch), drawn, FIGURES)
    found = {"index.md": start, "404.md": _text(HERE / "404.md")}
    found["docs/api.md"] = _text(HERE / "api.md")
    pages = (root / name for name in (*FRONT, *(f"docs/{name}.md" for name in DOCS)))
    for path in pages:
        found[path.relative_to(root).as_posix()] = with_anchors_of_the_site(_text(path))
    found |= {f"figures/{name}": picture for name, picture in drawn.items()}
    for chapter in chapters:
        found |= _chapter(root, chapter)
    found |= _map(root, drawn)
    return found


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _start_page(root: Path, chapters: list[Chapter], launch: str) -> str:
    opening = _OPENING.match(_text(root / "README.md"))
    if opening is None:
        raise ValueError("README.md does not begin with a heading, a paragraph and a list")
    lines = opening[0].splitlines()
    return _TEMPLATES.get_template("index.md.jinja").render(
        opening="\n".join(line for line in lines if not line.startswith(("[![", "![", "<"))),
        first=chapters[0].name,
        launch=launch,
        toc=_toc(chapters),
    )


def _toc(chapters: list[Chapter]) -> Iterator[tuple[str, list[str]]]:
    """Give the groups of the site's pages, in their order: a title, and its lines."""
    yield "The course", [f"The map <{MAP.removesuffix('.ipynb')}>"]
    for number, those in groupby(chapters, key=part):
        yield part_title(number), [line for here in those for line in _toc_lines(here)]
    yield "whygrad", ["docs/whygrad", "docs/api"]
    yield "For instructors", [f"docs/{name}" for name in DOCS[1:]]
    yield "For those who change it", [name.removesuffix(".md") for name in FRONT]


def _toc_lines(here: Chapter) -> Iterator[str]:
    if here.lesson.exists():
        yield f"notebooks/{here.name}"
    if here.exercise.exists():
        title = here.front["title"] if here.is_review else f"Exercise {here.number}"
        yield f"{title} <exercises/{here.name}>"


def _chapter(root: Path, chapter: Chapter) -> Mapping[str, str]:
    """Give the pages of a lesson, with its pictures, and of its exercise."""
    found = {}
    if chapter.lesson.exists():
        stored = nbformat.read(root / "notebooks" / f"{chapter.name}.ipynb", as_version=4)
        shown = site_notebook(stored, chapter.name, f"../{FIGURES}")
        found[f"notebooks/{chapter.name}.ipynb"] = as_text(shown)
        for name, picture in figures(stored, chapter.name).items():
            found[f"figures/{name}"] = picture
    if chapter.exercise.exists():
        # From its source: the notebook may hold somebody's work.
        stub = read_exercise(chapter.exercise, chapter.tasks()).stub
        heading, _, rest = stub.cells[0].source.partition("\n")
        stub.cells[0].source = f"{heading}\n{_PREVIEW}{rest}"
        found[f"exercises/{chapter.name}.ipynb"] = as_text(stub)
    return found


def _map(root: Path, drawn: Mapping[str, str]) -> Mapping[str, str]:
    shown = site_notebook(nbformat.read(root / MAP, as_version=4), "index", f"../{FIGURES}")
    for cell in shown.cells:
        cell.source = with_figures(cell.source, drawn, f"../{FIGURES}")
    shown.cells[0].source = re.sub(r"\A# .+", "# The map of the course", shown.cells[0].source)
    shown.cells.append(nbformat.v4.new_markdown_cell(_NO_PROGRESS, id="no-progress"))
    return {MAP: as_text(shown)}


_TEMPLATES = Environment(
    loader=PackageLoader("course.publishing", ""),
    undefined=StrictUndefined,
    autoescape=False,  # it writes Markdown
    keep_trailing_newline=True,
)
