"""Read an exercise: the solved notebook and the stub that a student gets."""

import ast
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nbformat import NotebookNode

from course.building.agreement import check_agreement
from course.building.source import Source, read_source
from course.notebooks.fences import BuildError
from course.notebooks.regions import HIDDEN_TESTS, SOLUTION, Region, cut, regions
from course.notebooks.roles import ANSWER, CHECK, Role, metadata, role, role_as_written
from helpers.checks import EVIDENCE

if TYPE_CHECKING:  # it loads torch, which a build of lessons does without
    from helpers.checks.task import Task

_ENDING = ".exercise"


@dataclass(frozen=True, kw_only=True)
class Exercise(Source):
    """An exercise; `notebook` is the solved one, hidden checks and all marks included.

    Attributes:
        stub: the notebook without solutions and hidden checks.
        stub_builds: the file for it, such as `exercises/05_square.ipynb`.
    """

    stub: NotebookNode
    stub_builds: str

    def complaint(self, cell: NotebookNode) -> str:
        """Say which check in this cell does not pass, or ""."""
        found = role(cell.id)
        if found is None or found.kind != CHECK:
            return ""
        shown = [output.data for output in cell.outputs if EVIDENCE in output.get("data", {})]
        for data in shown:
            if data[EVIDENCE].get("ok") is not True:
                return f"does not pass with this solution:\n{data.get('text/plain', '')}"
        return "" if shown else "shows no evidence: call check(…) and check.hidden(…) in it"


def is_exercise(path: Path) -> bool:
    """Tell whether a file of lessons/ is an exercise."""
    return path.stem.endswith(_ENDING)


def read_exercise(path: Path, tasks: "Sequence[Task]") -> Exercise:
    """Read the exercise in `path`, a file of the folder lessons/.

    Args:
        path: the file.
        tasks: the exercise's tasks, in order.

    Raises:
        BuildError: the file is not an exercise, or does not agree with its tasks.
    """
    values = read_source(path, {"title": str, "minutes": int})
    target = f"{path.stem.removesuffix(_ENDING)}.ipynb"
    stub = deepcopy(values["notebook"])
    exercise = Exercise(
        builds=f"solutions/{target}", stub_builds=f"exercises/{target}", stub=stub, **values
    )
    points = {task.id: task.points for task in tasks}
    found: dict[str, list[Region]] = {}
    for cell, given in zip(exercise.notebook.cells, stub.cells, strict=True):
        if cell.cell_type != "code":
            continue
        kind = _role(exercise, cell)
        found[cell.id] = _regions(exercise, cell, kind)
        given.source = _student_code(exercise, cell, found[cell.id])
        for each in (cell, given):
            task_points = points.get(kind.task_id, 0) if kind else 0
            each.metadata.update(deepcopy(metadata(cell.id, kind, task_points)))
    check_agreement(exercise, tasks, found)
    return exercise


def _role(exercise: Exercise, cell: NotebookNode) -> Role | None:
    for key in ("nbgrader", "editable", "deletable"):
        if key in cell.metadata:
            where = exercise.at(cell.id)
            raise BuildError(f"{where}: the option {key!r} comes from the cell's id: remove it")
    try:
        return role_as_written(cell.id)
    except ValueError as error:
        raise BuildError(f"{exercise.at(cell.id)}: {error}") from None


def _regions(exercise: Exercise, cell: NotebookNode, found: Role | None) -> list[Region]:
    marked = regions(cell.source, exercise.file, exercise.lines[cell.id])
    kind = found.kind if found else None
    belongs = {SOLUTION: ANSWER, HIDDEN_TESTS: CHECK}
    for region in marked:
        if belongs[region.kind] != kind:
            where = exercise.at(cell.id, region.first)
            raise BuildError(
                f"{where}: `### BEGIN {region.kind}` belongs into a cell whose id begins with "
                f"{belongs[region.kind]}-, not into `{cell.id}`"
            )
    for wanted, owner in belongs.items():
        if owner == kind and not marked:
            where = exercise.at(cell.id)
            raise BuildError(f"{where}: the cell `{cell.id}` has no `### BEGIN {wanted}` region")
    return marked


def _student_code(exercise: Exercise, cell: NotebookNode, found: list[Region]) -> str:
    if not found:
        return cell.source
    code, numbers = cut(cell.source, found)
    if not code.strip():
        where = exercise.at(cell.id)
        raise BuildError(f"{where}: nothing of `{cell.id}` is left for the student: add a line")
    try:
        ast.parse(code)
    except SyntaxError as error:
        place = numbers[min(error.lineno or 1, len(numbers)) - 1]
        where = exercise.at(cell.id, place)
        raise BuildError(
            f"{where}: what is left of `{cell.id}` is not Python ({error.msg}): "
            "leave a header, such as a def, and its body to one side of the marks"
        ) from None
    return code
