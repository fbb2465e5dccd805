"""Read the instructor's notebook: what is given, what is to be answered, what is checked."""

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.notebooks.roles import role
from course.notebooks.student_notebook import UnreadableNotebookError, read_cells, source_of


@dataclass(frozen=True)
class SheetCell:
    """A code cell of the instructor's notebook.

    Attributes:
        id: of the cell.
        kind: "given", "answer" or "check".
        task: such as "5.1"; "" for what is given.
        source: for an answer the stub that students get, else the solution's.
    """

    id: str
    kind: str
    task: str
    source: str


@dataclass(frozen=True)
class Sheet:
    """The code cells of an exercise, and its tasks, in order.

    Attributes:
        exercise: such as "05_square".
        tasks: such as "5.1".
        cells: the code cells.
        prose: the ids and the words of all other cells.
    """

    exercise: str
    tasks: tuple[str, ...]
    cells: tuple[SheetCell, ...]
    prose: frozenset[str] = frozenset()

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Sheet":
        """Read what `as_json` gave."""
        cells = tuple(SheetCell(**cell) for cell in data["cells"])
        return cls(data["exercise"], tuple(data["tasks"]), cells)

    def as_json(self) -> dict[str, Any]:
        """Return what running and judging needs of it, as data: not the prose."""
        cells = [vars(cell) for cell in self.cells]
        return {"exercise": self.exercise, "tasks": self.tasks, "cells": cells}

    def answer_cells(self, task: str) -> list[SheetCell]:
        """Return the cells that a task is answered in."""
        return [cell for cell in self.cells if cell.kind == "answer" and cell.task == task]


class SheetError(ValueError):
    """The course's own notebooks cannot be used; the message says what to do."""


def read_sheet(root: Path, exercise: str) -> Sheet:
    """Return the instructor's notebook of an exercise, such as "05_square".

    Raises:
        SheetError: a notebook is missing, damaged, or not built from its source.
    """
    solved = _code(root / "solutions" / f"{exercise}.ipynb")
    stubs = _code(root / "exercises" / f"{exercise}.ipynb")
    cells = []
    for name, source in solved.items():
        found = role(name)
        kind, task = (found.kind, found.task_id) if found else ("given", "")
        if kind == "answer" and name not in stubs:
            raise SheetError(f"exercises/{exercise}.ipynb has no cell {name}: run `make build`.")
        cells.append(SheetCell(name, kind, task, stubs[name] if kind == "answer" else source))
    tasks = [cell.task for cell in cells if cell.kind == "check"]
    answered = {cell.task for cell in cells if cell.kind == "answer"}
    if not tasks or len(tasks) != len(set(tasks)) or set(tasks) != answered:
        raise SheetError(f"solutions/{exercise}.ipynb lacks answers or checks: run `make build`.")
    return Sheet(exercise, tuple(tasks), tuple(cells), _prose(root, exercise))


def words(text: str) -> str:
    """Return a text on one line, with single spaces."""
    return " ".join(text.split())


def _prose(root: Path, exercise: str) -> frozenset[str]:
    cells = _cells(root / "exercises" / f"{exercise}.ipynb")
    found = [cell for cell in cells if cell["cell_type"] != "code"]
    texts = {text for cell in found for text in (cell["id"], words(source_of(cell)))}
    return frozenset(filter(None, texts))


def _cells(path: Path) -> list[dict[str, Any]]:
    try:
        return read_cells(path)
    except UnreadableNotebookError:
        raise SheetError(f"{path} is missing or damaged: run `make build`.") from None


def _code(path: Path) -> dict[str, str]:
    cells = [cell for cell in _cells(path) if cell["cell_type"] == "code"]
    code = {cell["id"]: source_of(cell) for cell in cells}
    if "" in code or len(code) < len(cells):
        raise SheetError(f"{path} has cells without an id of their own: run `make build`.")
    return code


def arguments(cell: SheetCell) -> str:
    """Return what a check cell hands to `check` after the task, as it is written.

    Raises:
        SheetError: the cell has no such call.
    """
    try:
        lines = ast.parse(cell.source).body
    except (SyntaxError, ValueError):
        lines = []
    for line in lines:
        match line:
            case ast.Expr(
                ast.Call(ast.Name("check"), [ast.Constant(cell.task), _, *_] as given, [])
            ):
                return ", ".join(str(ast.get_source_segment(cell.source, a)) for a in given[1:])
    raise SheetError(f'{cell.id} has no line like `check("{cell.task}", Name)`: run `make build`.')
