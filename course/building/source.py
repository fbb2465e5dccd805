"""Read a lesson, MyST Markdown, as a notebook that has not been run yet."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from nbformat import NotebookNode

from course.building.cells import read_cells
from course.notebooks.fences import BuildError


@dataclass(frozen=True, kw_only=True)
class Source:
    """What a file of the folder lessons/ says.

    Attributes:
        name: the file's name without its ending, such as `02_my_relu`.
        file: the file as messages name it, such as `lessons/02_my_relu.md`.
        builds: the notebook with outputs that it builds, such as `notebooks/02_my_relu.ipynb`.
        text: the whole file.
        title, minutes: from the front matter.
        notebook: the cells with their ids and tags, without outputs.
        lines: for each code cell's id, the line of the file its code starts on, from 1.
    """

    name: str
    file: str
    builds: str
    text: str
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
class Lesson(Source):
    """A lesson: a source with a question that it answers."""

    question: str


def read_lesson(path: Path) -> Lesson:
    """Read the lesson in `path`, a file of the folder lessons/.

    Raises:
        BuildError: the file is not a lesson; says where and what to do.
    """
    front = {"title": str, "question": str, "minutes": int}
    return Lesson(builds=f"notebooks/{path.stem}.ipynb", **read_source(path, front))


def read_source(path: Path, front_matter: dict[str, type]) -> dict[str, Any]:
    """Read what every file of lessons/ has: a Source's values but `builds`, and the front matter.

    Args:
        path: the file.
        front_matter: which keys its front matter must have, and of which type each is.

    Raises:
        BuildError: the file is not written as the course has it.
    """
    file = f"{path.parent.name}/{path.name}"
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BuildError(f"{file}:1: the file is not UTF-8 text ({error.reason})") from None
    front = _front_matter(file, text, front_matter)
    notebook, lines = read_cells(file, text)
    about = {"name": path.stem, "file": file, "text": text, "notebook": notebook, "lines": lines}
    return {**front, **about}


def _front_matter(file: str, text: str, kinds: dict[str, type]) -> dict[str, Any]:
    wanted = f"{file}:1: the file must start with front matter: " + ", ".join(kinds)
    block = re.match(r"---\n(.*?)^---$", text, re.DOTALL | re.MULTILINE)
    try:
        front = yaml.safe_load(block[1]) if block else None
    except yaml.YAMLError as error:
        raise BuildError(f"{wanted}; YAML cannot read it: {error}") from None
    if not isinstance(front, dict) or set(front) != set(kinds):
        raise BuildError(f"{wanted}, nothing less and nothing more")
    for key, kind in kinds.items():
        if type(front[key]) is not kind:
            raise BuildError(f"{wanted}; {key} is {front[key]!r}, not of type {kind.__name__}")
    return front
