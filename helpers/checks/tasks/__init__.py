"""The tasks of the exercises, one file per exercise, without answers."""

import os
import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from helpers.checks.task import Task, listed

_FILE = re.compile(r"ex(\d\d)")
# 5, "05", "5.1" and "05_square" all mean exercise 5.
_NUMBER = re.compile(r"0*(\d{1,3})(?![0-9]).*", re.ASCII | re.DOTALL)
# Where students get exercises week by week, and the checks are installed once for all.
_HUB_IS_OLDER = " If this notebook is newer than the hub's checks, its admin has to renew them."


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
    found = module_of(number, __name__)
    if found is None:
        raise LookupError(f"there is no exercise {number}")
    return tuple(found.TASKS)


def module_of(number: int, package: str) -> ModuleType | None:
    """Return the module of an exercise in a package; None if there is none."""
    name = f"{package}.ex{number:02d}"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def numbers() -> list[int]:
    """Return the numbers of all exercises, in order."""
    names = (_FILE.fullmatch(module.name) for module in iter_modules(__path__))
    return sorted(int(match[1]) for match in names if match)


def number_of(exercise: Any) -> int:
    """Return the number of an exercise: of 5, "5", "05" or "05_square".

    Raises:
        LookupError: there is no such exercise; the message names those there are.
    """
    match = _NUMBER.fullmatch(str(exercise).strip())
    if match and int(match[1]) in numbers():
        return int(match[1])
    known = listed(map(str, numbers())) or "none"
    older = _HUB_IS_OLDER if "JUPYTERHUB_USER" in os.environ else ""
    raise LookupError(f"There is no exercise {exercise}: there are {known}.{older}")


def find(task_id: Any) -> Task:
    """Return the task of an id such as "5.1".

    Raises:
        LookupError: there is no such task; the message names those of its exercise.
    """
    number = number_of(task_id)
    known = load(number)
    for task in known:
        if task.id == str(task_id).strip():
            return task
    names = listed(task.id for task in known) or "none"
    raise LookupError(f"There is no task {task_id}: exercise {number} has {names}.")
