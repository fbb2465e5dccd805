"""Read an exercise: the solved notebook and the stub that a student gets."""

import ast
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from course.building import texts
from course.building.chapters import EXERCISE_FRONT, Chapter, front_matter
from course.building.source import Source, read_source
from course.building.statement import add_checked, add_points, check_numbers
from course.notebooks.regions import HIDDEN_TESTS, SOLUTION, BuildError, Region, cut, regions
from course.notebooks.roles import ANSWER, CHECK, Role, metadata, role, role_as_written
from helpers.checks import EVIDENCE
from helpers.checks.task import Task


@dataclass(frozen=True, kw_only=True)
class ExerciseSource(Source):
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


def read_exercise(path: Path, tasks: Sequence[Task]) -> ExerciseSource:
    """Read the exercise in `path`, a file of the folder lessons/.

    Args:
        path: the file.
        tasks: the exercise's tasks, in order.

    Raises:
        BuildError: the file is not an exercise, or does not agree with its tasks.
    """
    here = Chapter(path.parent, path.stem.removesuffix(".exercise"), lambda _: tasks)
    front = front_matter(path, EXERCISE_FRONT)
    values = read_source(path, here, texts.EXERCISE)
    check_numbers(path, tasks)
    add_points(path, values["notebook"], tasks)
    add_checked(values["notebook"], tasks)
    exercise = ExerciseSource(
        builds=f"solutions/{here.name}.ipynb",
        stub_builds=f"exercises/{here.name}.ipynb",
        stub=deepcopy(values["notebook"]),
        minutes=sum(task.minutes for task in tasks),
        title=front["title"],
        **values,
    )
    points = {task.id: task.points for task in tasks}
    for cell, given in zip(exercise.notebook.cells, exercise.stub.cells, strict=True):
        if cell.cell_type != "code":
            continue
        kind = _role(exercise, cell)
        marked = _regions(exercise, cell, kind)
        given.source = _student_code(exercise, cell, marked)
        if kind and kind.kind == CHECK:
            _check_calls(exercise, cell, kind.task_id, marked)
        worth = points.get(kind.task_id, 0) if kind else 0
        cell.metadata.update(metadata(cell.id, kind, worth))
        # nbgrader's source is the solution. A stub's check raises nothing: it would pass everybody.
        given.metadata.update(metadata(cell.id, kind))
    _check_cells(exercise, list(points))
    return exercise


def _role(exercise: ExerciseSource, cell: NotebookNode) -> Role | None:
    for key in ("nbgrader", "editable", "deletable"):
        if key in cell.metadata:
            where = exercise.at(cell.id)
            raise BuildError(f"{where}: the option {key!r} comes from the cell's id: remove it")
    try:
        return role_as_written(cell.id)
    except ValueError as error:
        raise BuildError(f"{exercise.at(cell.id)}: {error}") from None


def _regions(exercise: ExerciseSource, cell: NotebookNode, found: Role | None) -> list[Region]:
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


def _student_code(exercise: ExerciseSource, cell: NotebookNode, found: list[Region]) -> str:
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


def _check_cells(exercise: ExerciseSource, known: Sequence[str]) -> None:
    """Hold the cells of an exercise to its tasks, one to one."""
    answered: set[str] = set()
    checked: list[str] = []
    for name in exercise.lines:
        found = role(name)
        if found is None:
            continue
        where, task = exercise.at(name), found.task_id
        if task not in known:
            there = ", ".join(known) or "none"
            raise BuildError(f"{where}: `{name}` has no task {task}: there are {there}")
        if task in checked:
            raise BuildError(f"{where}: `{name}` stands below its check: put it above")
        if found.kind == CHECK:
            if task not in answered:
                raise BuildError(f"{where}: `{name}` has no answer cell above it: write one")
            checked.append(task)
        else:
            answered.add(task)
    if missing := [task for task in known if task not in checked]:
        where = f"{exercise.file}:1"
        raise BuildError(f"{where}: the task {missing[0]} has no check cell: write one")
    if checked != list(known):
        order = ", ".join(known)
        raise BuildError(f"{exercise.file}:1: the checks must come in the order of tasks: {order}")


def _check_calls(
    exercise: ExerciseSource, cell: NotebookNode, task_id: str, marked: Sequence[Region]
) -> None:
    """Check that the cell calls `check` and, between the marks, `check.hidden` with the same."""
    try:
        tree = ast.parse(cell.source)
    except SyntaxError as error:
        where = exercise.at(cell.id, error.lineno or 1)
        raise BuildError(f"{where}: this check is not Python: {error.msg}") from None
    calls = {"check": [], "check.hidden": []}
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = ast.unparse(call.func)
        if name not in calls:
            continue
        given = ast.unparse(call.args[0]) if call.args else "nothing"
        where = exercise.at(cell.id, call.lineno)
        if given != repr(task_id):
            raise BuildError(f"{where}: `{cell.id}` must check {task_id!r}, not {given}")
        hidden = any(region.first < call.lineno < region.last for region in marked)
        if hidden != (name == "check.hidden"):
            raise BuildError(
                f"{where}: `check` stands above `### BEGIN HIDDEN TESTS`, `check.hidden` below it"
            )
        calls[name].append(ast.dump(ast.Tuple([*call.args, *call.keywords])))
    where = exercise.at(cell.id)
    for name, found in calls.items():
        if len(found) != 1:
            times = f"{len(found)} times"
            raise BuildError(f"{where}: `{cell.id}` must call `{name}` once, not {times}")
    if calls["check"] != calls["check.hidden"]:
        raise BuildError(f"{where}: `check` and `check.hidden` must be given the same objects")
