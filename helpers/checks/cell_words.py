"""Say what an answer cell lacks: a name that it spells otherwise, or the quotes of a word."""

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from functools import cache

from helpers.checks.task import PredictionTask
from helpers.checks.tasks import load, numbers

_ASSIGNED = re.compile(r"^(\w+)[ \t]*=[ \t]*([A-Za-z][\w-]*)[ \t]*(?:#.*)?$", re.MULTILINE)


def not_made(name: str, others: Sequence[str]) -> str:
    """Say that an answer cell made no such name, and which other one may be meant.

    >>> not_made("tripled", ["triple"])
    'The answer cell ran, but made no `tripled`. It made `triple`: is the name misspelt?'
    """
    said = f"The answer cell ran, but made no `{name}`."
    near = get_close_matches(name, others, 1) or (others if len(others) == 1 else [])
    if near:
        return f"{said} It made `{near[0]}`: is the name misspelt?"
    return f"{said} Write it there and run that cell again, then this one."


def unquoted(cell: str, known: Collection[str] = ()) -> str:
    """Name the first line where a word of a prediction lacks its quotes; "" if there is none.

    Args:
        cell: its code.
        known: names of the notebook, which need none.

    >>> unquoted("rows = right")
    'The word in the line `rows = right` needs quotes: rows = "right".'
    """
    for name, word in _ASSIGNED.findall(cell):
        if word.lower() in _words() and word not in known:
            return f'The word in the line `{name} = {word}` needs quotes: {name} = "{word}".'
    return ""


@cache
def _words() -> set[str]:
    tasks = [task for number in numbers() for task in load(number)]
    return {w.lower() for task in tasks if isinstance(task, PredictionTask) for w in task.words}
