"""Take a notebook that may be anything apart into cells, and say what the text of a cell holds."""

import ast
import json
import re
from dataclasses import dataclass
from typing import Any

from helpers.checks.cell_code import TooMuchError, parse

# What Python makes of a file takes up to a hundred times its bytes where it is all brackets.
_MOST_PIECES = 2_000_000
_MOST_CODE = 4 * 2**20  # characters of all code cells
_CHECK = re.compile(r"^check\([ \t]*[\"'](\d{1,6}\.\d{1,6})[\"']", re.MULTILINE)
_BOUND = re.compile(
    r"^(?:class|def)[ \t]+(\w+)|^(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*(?::[^=\n]*)?=(?!=)", re.MULTILINE
)


class NotGradableError(ValueError):
    """A file that cannot be graded; the message is one sentence that says why."""


@dataclass(frozen=True)
class StudentCell:
    """What counts of a student's cell.

    Attributes:
        names: its id, the one nbgrader keeps in its metadata, and the one Colab keeps there; ""
            where there is none.
        is_code: whether it is a code cell.
        source: its text, with plain line ends.
    """

    names: tuple[str, ...]
    is_code: bool
    source: str


def student_cells(content: bytes) -> list[StudentCell]:
    """Return the cells of a notebook, in order.

    Raises:
        NotGradableError: it is no notebook.
    """
    cells = _json(content).get("cells")
    if not isinstance(cells, list) or not cells:
        raise NotGradableError("The notebook has no cells.")
    found = [_cell(number, cell) for number, cell in enumerate(cells, 1)]
    if sum(len(cell.source) for cell in found if cell.is_code) > _MOST_CODE:
        raise NotGradableError("The notebook has more code than can be read.")
    return found


def _json(content: bytes) -> dict[str, Any]:
    if not content.strip():
        raise NotGradableError("The file is empty.")
    if sum(map(content.count, (b",", b"[", b"{"))) > _MOST_PIECES:
        raise NotGradableError("The file has too many parts for a notebook: clear all outputs.")
    try:
        notebook = json.loads(content)
    except (RecursionError, ValueError):
        notebook = None
    if not isinstance(notebook, dict):
        raise NotGradableError("The file is no notebook, or a damaged one.")
    return notebook


def _cell(number: int, cell: Any) -> StudentCell:
    try:
        source, is_code = "".join(cell["source"]), cell["cell_type"] == "code"
    except (TypeError, KeyError):
        raise NotGradableError(f"Cell {number} of the notebook is damaged.") from None
    metadata = _part(cell, "metadata")
    names = (cell.get("id"), _part(metadata, "nbgrader").get("grade_id"), metadata.get("id"))
    # As Python reads line ends, so that rules and messages see the lines that it runs.
    source = source.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace").decode()
    return StudentCell(
        tuple(name if isinstance(name, str) else "" for name in names), is_code, source
    )


def _part(data: dict[str, Any], key: str) -> dict[str, Any]:
    part = data.get(key)
    return part if isinstance(part, dict) else {}


def checked_tasks(source: str) -> list[str]:
    """Return the tasks that a cell checks, such as "5.1"."""
    return _CHECK.findall(source)


def bound_names(source: str) -> set[str]:
    """Return what code defines at its left margin."""
    found = _BOUND.findall(source)
    return {name for pair in found for names in pair for name in re.findall(r"\w+", names)}


def plain(source: str) -> str:
    """Return code without blank lines and spaces at the ends of lines."""
    return "\n".join(line.rstrip() for line in source.splitlines() if line.strip())


def code_lines(source: str) -> list[str]:
    """Return the lines of code that are neither blank nor comments, such as marks of solutions."""
    return [line for line in plain(source).splitlines() if not line.lstrip().startswith("#")]


def normalized(source: str) -> str:
    """Return what code says, without comments, docstrings and layout, to compare it with other.

    Of what is not Python, these are the lines that are no comments.
    """
    try:
        tree = parse(source)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                match node.body:
                    case [ast.Expr(ast.Constant()), *_]:
                        del node.body[0]
        return ast.dump(tree) if tree else "\n".join(code_lines(source))
    except (TooMuchError, RecursionError):
        return "\n".join(code_lines(source))
