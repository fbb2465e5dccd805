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
    first_player,
    in_both_themes,
    site_notebook,
    with_anchors_of_the_site,
    with_figures,
    with_screenshots,
)
from helpers.checks.course_list import MAP

HERE = Path(__file__).parent
DOCS = (
    *("whygrad", "grading", "grading_reference", "walls", "cluster"),
    *("own_exercise", "nbgrader", "jupyterhub"),
)
FIGURES = "_static/figures"
FRONT = ("CONTRIBUTING.md", "CHANGELOG.md")
_OPENING = re.compile(r"# .+?(?:^- .+?\n(?:  .+?\n|- .+?\n)*)", re.MULTILINE | re.DOTALL)
_PREVIEW = """
```{note}
:class: course-preview

This is a preview. The checks run in JupyterLab, in a copy of the course: `make lab` opens it.
```
"""
_SHOWN = "01_linear_function"  # the start page has its backward pass
_NO_PROGRESS = """\

In JupyterLab a table stands here: what you have solved, and what you have begun. A page of this
site knows nothing of you.
"""
_TO_PROGRESS = re.compile(r" [^.\n]*\(#your-progress\)[^.\n]*[.]")
_LAST_HEADING = re.compile(r"(.*^#+ [^\n]+\n).*", re.MULTILINE | re.DOTALL)
_TO_THE_NEXT_HEADING = re.compile(r"\A.*?(?=^#)", re.MULTILINE | re.DOTALL)


def stage(root: Path, folder: Path, launch: str = "", repository: str = "") -> None:
    """Write the sources of the site of the course in `root`, and nothing else, into `folder`.

    Args:
        root: the course's folder.
        folder: what is in it is deleted.
        launch: where Binder opens the course; empty if nowhere.
        repository: where a forge shows the repository; empty if nowhere.

    Raises:
        BuildError: an exercise cannot be read.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in sources(root, launch, repository).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def sources(root: Path, launch: str = "", repository: str = "") -> dict[str, str]:
    """Return the sources of the site, by their paths."""
    chapters = in_order(find_chapters(root / "lessons"))
    drawn = {path.name: _text(path) for path in (root / "docs").glob("*.svg")}
    start = _start_page(root, chapters, launch, repository)
    found = {"index.md": start, "404.md": _text(HERE / "404.md")}
    found["docs/api.md"] = _text(HERE / "api.md")
    pages = (root / name for name in (*FRONT, *(f"docs/{name}.md" for name in DOCS)))
    for path in pages:
        text = with_screenshots(with_anchors_of_the_site(_text(path)), f"../{FIGURES}")
        found[path.relative_to(root).as_posix()] = text
    found |= _in_figures(drawn)
    for chapter in chapters:
        found |= _chapter(root, chapter)
    found |= _map(root, drawn)
    return found


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _start_page(root: Path, chapters: list[Chapter], launch: str, repository: str) -> str:
    opening = _OPENING.match(_text(root / "README.md"))
    if opening is None:
        raise ValueError("README.md does not begin with a heading, a paragraph and a list")
    lines = opening[0].splitlines()
    return _TEMPLATES.get_template("index.md.jinja").render(
        opening="\n".join(line for line in lines if not line.startswith(("[![", "![", "<"))),
        first=chapters[0].name,
        launch=launch,
        repository=repository,
        player=next((_player(root, one) for one in chapters if one.name == _SHOWN), ""),
        toc=_toc(chapters),
    )


def _player(root: Path, chapter: Chapter) -> str:
    return first_player(_stored(root, chapter)) if chapter.lesson.exists() else ""


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
        stored = _stored(root, chapter)
        shown = site_notebook(stored, chapter.name, f"../{FIGURES}")
        found[f"notebooks/{chapter.name}.ipynb"] = as_text(shown)
        found |= _in_figures(figures(stored, chapter.name))
    if chapter.exercise.exists():
        # From its source: the notebook may hold somebody's work.
        stub = read_exercise(chapter.exercise, chapter.tasks()).stub
        heading, _, rest = stub.cells[0].source.partition("\n")
        stub.cells[0].source = f"{heading}\n{_PREVIEW}{rest}"
        found[f"exercises/{chapter.name}.ipynb"] = as_text(stub)
    return found


def _stored(root: Path, chapter: Chapter) -> nbformat.NotebookNode:
    return nbformat.read(root / "notebooks" / f"{chapter.name}.ipynb", as_version=4)


def _in_figures(pictures: Mapping[str, str]) -> dict[str, str]:
    return {f"figures/{name}": picture for name, picture in in_both_themes(pictures).items()}


def _map(root: Path, drawn: Mapping[str, str]) -> Mapping[str, str]:
    shown = site_notebook(nbformat.read(root / MAP, as_version=4), "index", f"../{FIGURES}")
    for cell in shown.cells:
        cell.source = with_figures(cell.source, drawn, f"../{FIGURES}")
    shown.cells[0].source = re.sub(r"\A# .+", "# The map of the course", shown.cells[0].source)
    shown.cells[0].source = _TO_PROGRESS.sub("", shown.cells[0].source)
    # What its one cell of code shows is a student's own, and words explain it; here nothing runs.
    (place,) = (at for at, cell in enumerate(shown.cells) if cell.cell_type == "code")
    above, below = shown.cells[place - 1], shown.cells[place + 1]
    above.source = _LAST_HEADING.sub(r"\1", above.source) + _NO_PROGRESS
    below.source = _TO_THE_NEXT_HEADING.sub("", below.source)
    del shown.cells[place]
    return {MAP: as_text(shown)}


_TEMPLATES = Environment(
    loader=PackageLoader("course.publishing", ""),
    undefined=StrictUndefined,
    autoescape=False,  # it writes Markdown
    keep_trailing_newline=True,
)
