"""Read the instructor's notebook: what is given, what is to be answered, what is checked."""

import ast
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from course.grading.reading.cells import bound_names
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
        solved: the course's own answers, by the id of their cells.
    """

    exercise: str
    tasks: tuple[str, ...]
    cells: tuple[SheetCell, ...]
    prose: frozenset[str] = frozenset()
    solved: dict[str, str] = field(default_factory=dict, compare=False)

    @cached_property
    def stubs(self) -> dict[str, str]:
        """Return the stubs of its answers, by the id of their cells."""
        return {cell.id: cell.source for cell in self.cells if cell.kind == "answer"}

    @cached_property
    def defined(self) -> dict[str, set[str]]:
        """Return what each answer defines, by its id: what its stub does, or what is checked."""
        handed = {cell.task: _handed(cell) for cell in self.cells if cell.kind == "check"}
        answers = [cell for cell in self.cells if cell.kind == "answer"]
        return {cell.id: bound_names(cell.source) or handed[cell.task] for cell in answers}

    @cached_property
    def names(self) -> set[str]:
        """Return what its answers define."""
        return set().union(*self.defined.values())

    def as_json(self) -> dict[str, Any]:
        """Return what running and judging needs of it, as data: no prose, nothing solved."""
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
    solved = _code(_cells(root / "solutions" / f"{exercise}.ipynb"))
    given = _cells(root / "exercises" / f"{exercise}.ipynb")
    stubs = _code(given)
    cells = []
    for name, source in solved.items():
        found = role(name)
        kind, task = (found.kind, found.task_id) if found else ("given", "")
        shown = stubs.get(name, "") if kind == "answer" else source
        cells.append(SheetCell(name, kind, task, shown))
    tasks = [cell.task for cell in cells if cell.kind == "check"]
    answers = {cell.id: cell.task for cell in cells if cell.kind == "answer"}
    fits = sorted({*answers.values()}) == sorted(tasks) and answers.keys() <= stubs.keys()
    if not (tasks and fits):
        raise SheetError(f"{exercise}.ipynb lacks answers, stubs or checks: run `make build`.")
    text = [cell for cell in given if cell["cell_type"] != "code"]
    prose = {said for cell in text for said in (cell["id"], words(source_of(cell)))} - {""}
    own = {name: solved[name] for name in answers}
    return Sheet(exercise, tuple(tasks), tuple(cells), frozenset(prose), own)


def words(text: str) -> str:
    """Return a text on one line, with single spaces."""
    return " ".join(text.split())


def _cells(path: Path) -> list[dict[str, Any]]:
    try:
        return read_cells(path)
    except UnreadableNotebookError:
        raise SheetError(f"{path} is missing or damaged: run `make build`.") from None


def _code(cells: list[dict[str, Any]]) -> dict[str, str]:
    return {cell["id"]: source_of(cell) for cell in cells if cell["cell_type"] == "code"}


def _handed(check: SheetCell) -> set[str]:
    try:
        return set(re.findall(r"[A-Za-z_]\w*", arguments(check)))
    except SheetError:
        return set()


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
                ast.Call(ast.Name("check"), [ast.Constant(cell.task), _, *_] as call, [])
            ):
                return ", ".join(str(ast.get_source_segment(cell.source, a)) for a in call[1:])
    raise SheetError(f'{cell.id} has no line like `check("{cell.task}", Name)`: run `make build`.')
