"""Read a lesson, MyST Markdown, as a notebook that has not been run yet."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import yaml
from jupytext.myst import MystMetadataParsingError, myst_to_notebook
from nbformat import NotebookNode, ValidationError

from course.building import texts
from course.building.chapters import (
    LESSON_FRONT,
    Chapter,
    LoadTasks,
    find_chapters,
    front_matter,
    load_tasks,
    read_text,
    shown,
)
from course.notebooks.regions import CELL, BuildError, Fence, fences

CELL_KEYS = ("tags", "editable", "deletable", "nbgrader")
TAGS = ("allow-stderr", "nbval-ignore-output", "raises-exception")
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# JupyterLab sets text that follows a folded answer right against it: it becomes a cell of its own.
_AFTER_A_FOLD = re.compile(r"(?<=</details>)\n{2,}")
_LONGEST_ID = 50  # the format allows 64, and a text cell's id is built from its neighbour's


@dataclass(frozen=True, kw_only=True)
class Source:
    """What a file of the folder lessons/ says.

    Attributes:
        name: the file's name without its ending, such as `02_my_relu`.
        file: the file as messages name it, such as `lessons/02_my_relu.md`.
        builds: the notebook with outputs that it builds, such as `notebooks/02_my_relu.ipynb`.
        title: from the front matter.
        minutes: how long it takes.
        notebook: the cells with their ids and tags, without outputs.
        lines: for each code cell's id, the line of the file its code starts on, from 1.
    """

    name: str
    file: str
    builds: str
    title: str
    minutes: int
    notebook: NotebookNode
    lines: dict[str, int]

    def at(self, cell_id: str, line: int = 1) -> str:
        """Name the file and the line in it of a code cell's line, counted from 1."""
        return f"{self.file}:{self.lines[cell_id] + line - 1}"

    def complaint(self, cell: NotebookNode) -> str:
        """Say what this file's author cannot have meant a cell to show, or ""."""
        return ""


@dataclass(frozen=True, kw_only=True)
class LessonSource(Source):
    """A lesson: a source with a question that it answers."""

    question: str


def read_lesson(path: Path, load: LoadTasks = load_tasks) -> LessonSource:
    """Read the lesson in `path`, a file of the folder lessons/.

    Args:
        path: the file.
        load: gives the tasks of an exercise, whose minutes a lesson tells.

    Raises:
        BuildError: the file is not a lesson; says where and what to do.
    """
    front = front_matter(path, LESSON_FRONT)
    said = {key: front[key] for key in LESSON_FRONT}  # its place is for the map
    here = Chapter(path.parent, path.stem, load)
    values = read_source(path, here, texts.LESSON)
    return LessonSource(builds=f"notebooks/{path.stem}.ipynb", **said, **values)


def read_source(path: Path, here: Chapter, known: Mapping[str, str]) -> dict[str, Any]:
    """Read what lessons and exercises have both: name, file, cells and lines of a Source.

    Args:
        path: the file.
        here: the chapter that it belongs to.
        known: the texts that it may ask for.

    Raises:
        BuildError: the file is not written as the course has it.
    """
    file, text = shown(path), read_text(path)
    notebook, lines = read_cells(file, text)
    texts.check_names(file, text, known, here)
    chapters = find_chapters(path.parent, here.load)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = texts.fill(cell.source, known, here, chapters)
    return {"name": path.stem, "file": file, "notebook": notebook, "lines": lines}


def read_cells(file: str, text: str) -> tuple[NotebookNode, dict[str, int]]:
    """Return MyST Markdown as a notebook, and for each code cell's id the line it starts on.

    Raises:
        BuildError: a cell is not written as the course has it.
    """
    blocks = [fence for fence in fences(file, text) if fence.info.split()[:1] == [CELL]]
    return _notebook(file, _parse(file, text, blocks), blocks, text.splitlines())


def _parse(file: str, text: str, cells: list[Fence]) -> NotebookNode:
    try:
        return myst_to_notebook(text, add_source_map=True)
    except (MystMetadataParsingError, ValidationError, yaml.YAMLError) as error:
        lines = text.splitlines()
        for fence in cells:
            try:
                myst_to_notebook("\n".join(lines[fence.first - 1 : fence.last]))
            except (MystMetadataParsingError, ValidationError, yaml.YAMLError):
                raise BuildError(
                    f"{file}:{fence.first}: the options of this cell cannot be read: "
                    "write each as `:name: value`, and tags as `[one, two]`"
                ) from None
        raise BuildError(f"{file}:1: cannot be read: {error}") from None


def _notebook(
    file: str, parsed: NotebookNode, blocks: list[Fence], text: list[str]
) -> tuple[NotebookNode, dict[str, int]]:
    _check_found(file, parsed, blocks)
    notebook = nbformat.v4.new_notebook(metadata=NOTEBOOK_METADATA)
    notebook.nbformat_minor = 5
    lines: dict[str, int] = {}
    prose: list[str] = []
    remaining = iter(blocks)
    for cell in parsed.cells:
        if cell.cell_type == "code":
            fence = next(remaining)
            code = _code_cell(f"{file}:{fence.first}", cell, lines)
            notebook.cells += [*_markdown_cells(prose, f"before-{code.id}"), code]
            # Counted from the end: the reader does not tell where the options end.
            end = next(n for n in range(fence.last - 1, 0, -1) if text[n - 1].strip())
            lines[code.id] = end - code.source.count("\n")
            prose = []
        else:
            prose += _AFTER_A_FOLD.split(cell.source)
    notebook.cells += _markdown_cells(prose, "end")
    return notebook, lines


def _check_found(file: str, parsed: NotebookNode, blocks: list[Fence]) -> None:
    pairs = zip(parsed.cells, parsed.metadata.source_map, strict=True)
    found = {start for cell, start in pairs if cell.cell_type == "code"}
    for start in sorted(found ^ {fence.first for fence in blocks}):
        raise BuildError(
            f"{file}:{start}: this cell is inside a list, a quote or HTML: put it outside"
        )


def _code_cell(where: str, cell: NotebookNode, taken: dict[str, int]) -> NotebookNode:
    name = cell.metadata.pop("id", None)
    if name is None:
        raise BuildError(f"{where}: this cell has no id: add a line `:id: some-words` to it")
    if not isinstance(name, str) or not _ID.fullmatch(name) or len(name) > _LONGEST_ID:
        raise BuildError(f"{where}: the id {name!r} must be lower-case words joined by hyphens")
    if name == "end" or name.startswith("before-"):
        raise BuildError(f"{where}: the id {name!r} is kept for text: choose another")
    if name in taken:
        raise BuildError(f"{where}: the id {name!r} is taken by the cell at line {taken[name]}")
    _check_options(where, cell.metadata)
    code = cell.source.lstrip("\n").rstrip()
    if not code:
        raise BuildError(f"{where}: this cell is empty: write its code or remove it")
    return nbformat.v4.new_code_cell(code, id=name, metadata=cell.metadata)


def _check_options(where: str, options: NotebookNode) -> None:
    for key in options:
        if key not in CELL_KEYS:
            raise BuildError(
                f"{where}: the option {key!r} is not one of id, {', '.join(CELL_KEYS)}"
            )
    for tag in options.get("tags", []):
        if tag not in TAGS:
            raise BuildError(f"{where}: the tag {tag!r} is not one of {', '.join(TAGS)}")


def _markdown_cells(prose: list[str], name: str) -> list[NotebookNode]:
    # Counted from the code cell backwards: a new piece of text renames only those above it.
    names = [name if place == 0 else f"{name}-{place + 1}" for place in range(len(prose))]
    return [
        nbformat.v4.new_markdown_cell(text.strip("\n"), id=cell_id)
        for text, cell_id in zip(prose, reversed(names), strict=True)
    ]
