"""The tasks of the exercises, one file per exercise, without answers."""

from functools import cache
from importlib import import_module

from helpers.checks.task import Task


@cache
def load(number: int) -> tuple[Task, ...]:
    """Return the tasks of the exercise of this number, in order.

    Raises:
        LookupError: there is no such exercise.

    Example:
        >>> from helpers.checks.tasks import load
        >>> [task.id for task in load(5)]
        ['5.1', '5.2', '5.3']
    """
    name = f"{__name__}.ex{number:02d}"
    try:
        return tuple(import_module(name).TASKS)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise LookupError(f"there is no exercise {number}") from None


def find(task_id: str) -> Task:
    """Return the task of this id, such as "5.1".

    Raises:
        LookupError: there is no such task; says which there are.
    """
    number = str(task_id).partition(".")[0]
    # str.isdigit alone takes ² for a digit, which int does not.
    tasks = load(int(number)) if number.isascii() and number.isdigit() else ()
    for task in tasks:
        if task.id == task_id:
            return task
    known = f": there are {', '.join(task.id for task in tasks)}" if tasks else ""
    raise LookupError(f"there is no task {task_id!r}{known}")
