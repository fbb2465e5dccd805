"""Search a release for the answers to the exercises."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.notebooks.regions import SOLUTION, regions
from course.notebooks.roles import role
from course.notebooks.student_notebook import read_given, source_of

# Numbers, which the checks compare with; and what exercises/ holds, once more.
_LEFT_OUT = ("helpers/checks/measured/", "course/stubs/")


@dataclass(frozen=True)
class ShownAnswer:
    """A file that holds all that is to be written into an answer cell.

    Attributes:
        file: its path in the release.
        cell: the id of the answer cell.
        task: such as "5.1".
    """

    file: str
    cell: str
    task: str


def shown_answers(files: dict[str, bytes], solutions: list[Path]) -> list[ShownAnswer]:
    """Return where a release shows an answer, line by line as it is in a solution.

    Raises:
        UnreadableNotebookError: a solution cannot be read.
        BuildError: its marks are not in order.
    """
    answers = [answer for path in solutions for answer in _answers(path)]
    found = []
    for file, content in sorted(files.items()):
        if file.startswith(_LEFT_OUT):
            continue
        text = "\n".join(_lines(_text(file, content)))
        for cell, task, parts in answers:
            if all(f"\n{part}\n" in f"\n{text}\n" for part in parts):
                found.append(ShownAnswer(file, cell, task))
    return found


def _answers(path: Path) -> Iterator[tuple[str, str, list[str]]]:
    for cell in read_given(path):
        found, code = role(cell["id"]), source_of(cell)
        marked = regions(code, path.name, 1) if cell["cell_type"] == "code" else []
        inside = [one for one in marked if one.kind == SOLUTION]
        if found and inside:
            lines = code.splitlines()
            parts = ["\n".join(_lines("\n".join(lines[r.first : r.last - 1]))) for r in inside]
            yield cell["id"], found.task_id, parts


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _text(file: str, content: bytes) -> str:
    if not file.endswith(".ipynb"):
        return content.decode(errors="replace")
    cells = json.loads(content)["cells"]
    return "\n".join(part for cell in cells for part in (source_of(cell), *_strings(cell)))


def _strings(value: Any) -> Iterator[str]:
    """Yield every text of a notebook's cell, its outputs and metadata included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        if all(isinstance(item, str) for item in value):
            yield "".join(value)  # as notebooks hold a text, line by line
        else:
            for item in value:
                yield from _strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
