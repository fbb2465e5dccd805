"""Read a student's notebook, and put the course's own check cells into it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.notebooks.exercise_name import Exercise
from course.notebooks.regions import cut, regions
from course.notebooks.roles import ANSWER, CHECK, Role, is_check, role
from helpers.checks import EVIDENCE
from helpers.checks.known import expected
from helpers.checks.task_evidence import Measured, read
from whygrad.evidence import EvidenceError


class UnreadableNotebookError(ValueError):
    """A file that is no notebook; the message says what to do about it."""


@dataclass(frozen=True)
class Cell:
    """A code cell that is to be run."""

    id: str
    source: str


@dataclass(frozen=True)
class CheckCell(Cell):
    """A check cell of the course.

    Attributes:
        task: which task it checks, such as "5.1".
        measured: the evidence of the right answer.
    """

    task: str
    measured: Measured


def read_cells(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook, as the file has them.

    Raises:
        UnreadableNotebookError: there is no such file, or it is no notebook of format 4.
    """
    try:
        notebook = json.loads(path.read_bytes())
        cells = notebook["cells"]
        for cell in cells:
            (source_of(cell) + cell["cell_type"] + cell.setdefault("id", "")).encode()
    except OSError as error:
        raise UnreadableNotebookError(
            f"{path} cannot be read ({error.strerror}): `course reset` gives a fresh exercise."
        ) from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise UnreadableNotebookError(
            f"{path} is not a notebook, or a damaged one: open and save it in JupyterLab, or get "
            "a fresh one by `course reset`."
        ) from None
    return cells


def read_checks(exercise: Exercise) -> list[CheckCell]:
    """Return the visible part of an exercise's check cells, with what a right answer gives.

    They are the solution's; in a release, which has none, those of the exercise as it is given.

    Raises:
        UnreadableNotebookError: the solution is missing, damaged, or was not run.
    """
    checks = []
    is_release = exercise.stub.exists()
    path = exercise.stub if is_release else exercise.solution
    cells = read_given(path)
    for cell in cells:
        found = role(cell["id"])
        if found is None or found.kind != CHECK or cell["cell_type"] != "code":
            continue
        task = found.task_id
        measured = expected(task) if is_release else _measured(cell, task, path)
        checks.append(CheckCell(cell["id"], given_code(cell, path), task, measured))
    if not checks:
        raise UnreadableNotebookError(f"{path} has no check cells: run `make build`.")
    return checks


def given_cells(exercise: Exercise) -> dict[str, str]:
    """Return the code that a student is given, by the id of its cell, without that of checks.

    Raises:
        UnreadableNotebookError: the solution, or a release's exercise, is missing or damaged.
        BuildError: its marks are wrong.
    """
    path = exercise.stub if exercise.stub.exists() else exercise.solution
    cells = [cell for cell in read_given(path) if cell["cell_type"] == "code"]
    return {cell["id"]: given_code(cell, path) for cell in cells if not is_check(cell["id"])}


def read_given(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook of the course, as `read_cells`.

    Raises:
        UnreadableNotebookError: it is missing or damaged.
    """
    try:
        return read_cells(path)
    except UnreadableNotebookError:
        raise UnreadableNotebookError(
            f"{path} is missing or damaged: run `make build`, or get the course again."
        ) from None


def given_code(cell: dict[str, Any], path: Path) -> str:
    """Return what a student gets of a code cell of the solution in `path`."""
    code = source_of(cell)
    return cut(code, regions(code, path.name, 1))[0]


def _measured(cell: dict[str, Any], task: str, path: Path) -> Measured:
    shown = evidence(cell.get("outputs", []), task)
    try:
        return read(shown[0].get("measured") if shown else None)
    except EvidenceError:
        raise UnreadableNotebookError(
            f"{path} shows no evidence for {task}: run `make build`."
        ) from None


def source_of(cell: dict[str, Any]) -> str:
    """Return a cell's text, which a file may hold line by line."""
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def evidence(outputs: Iterable[dict[str, Any]], task: str) -> list[dict[str, Any]]:
    """Return the evidence for a task among a cell's outputs, in order."""
    found = (output.get("data", {}).get(EVIDENCE) for output in outputs)
    return [data for data in found if isinstance(data, dict) and data.get("task") == task]


def assemble(cells: list[dict[str, Any]], checks: list[CheckCell]) -> list[Cell]:
    """Return the student's code cells with the course's check cells in place of theirs.

    A check cell stands where the student's has its id; one that they have not got follows the last
    answer to its task.
    """
    missing = {check.id: check for check in checks}
    places = [cell["id"] for cell in cells]
    after = {}
    for check in checks:
        if check.id not in places:
            after.setdefault(_last_answer(places, check), []).append(check)
    assembled: list[Cell] = [*after.get(-1, [])] if not cells else []
    for place, cell in enumerate(cells):
        known = places[place]
        if is_check(known):
            assembled += [missing.pop(known)] if known in missing else []
        elif cell["cell_type"] == "code":
            assembled.append(Cell(known, source_of(cell)))
        assembled += after.get(place, [])
    return assembled


def _last_answer(places: list[str], check: CheckCell) -> int:
    answer = Role(ANSWER, check.task)
    found = [place for place, name in enumerate(places) if role(name) == answer]
    return found[-1] if found else len(places) - 1
