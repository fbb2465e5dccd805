"""Hold an exercise's cells to its tasks, one to one."""

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from nbformat import NotebookNode

from course.building.source import Source
from course.notebooks.fences import BuildError
from course.notebooks.regions import Region
from course.notebooks.roles import CHECK, role

if TYPE_CHECKING:  # it loads torch, which a build of lessons does without
    from helpers.checks.task import Task


def check_agreement(
    exercise: Source, tasks: "Sequence[Task]", regions: Mapping[str, Sequence[Region]]
) -> None:
    """Check an exercise against its tasks.

    Args:
        exercise: the exercise, solved.
        tasks: its tasks, in order.
        regions: the regions of each code cell, by the cell's id.

    Raises:
        BuildError: a cell's task is missing, a task has no cells, a check cell checks something
            else, or the minutes differ.
    """
    _check_tasks(exercise, tasks)
    known = [task.id for task in tasks]
    _check_cells(exercise, known)
    for cell in exercise.notebook.cells:
        found = role(cell.id) if cell.cell_type == "code" else None
        if found and found.kind == CHECK:
            _check_calls(exercise, cell, found.task_id, regions[cell.id])


def _check_cells(exercise: Source, known: Sequence[str]) -> None:
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


def _check_tasks(exercise: Source, tasks: "Sequence[Task]") -> None:
    for task in tasks:
        for name in ("points", "minutes"):
            if type(getattr(task, name)) is not int or getattr(task, name) < 1:
                raise BuildError(
                    f"{exercise.file}:1: the {name} of the task {task.id} are "
                    f"{getattr(task, name)!r}: give a whole number from 1 in helpers/checks/tasks"
                )
    minutes = sum(task.minutes for task in tasks)
    if exercise.minutes != minutes:
        raise BuildError(
            f"{exercise.file}:1: minutes is {exercise.minutes}, "
            f"but the minutes of the tasks add up to {minutes}"
        )


def _check_calls(
    exercise: Source, cell: NotebookNode, task_id: str, regions: Sequence[Region]
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
        hidden = any(region.first < call.lineno < region.last for region in regions)
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
