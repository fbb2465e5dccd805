"""Know code that a student was given to repair, so that running it unchanged is not a try."""

import inspect
import json
import linecache
from collections.abc import Iterable, Iterator
from functools import cache
from types import CodeType
from typing import Any

from helpers.checks.progress import ROOT

# Where the course keeps exercises with their code as it is given: here, and in a release.
_KEPT = ("solutions/{:02d}_*.ipynb", "course/stubs/{:02d}_*.json")
_SOLVED = "### BEGIN SOLUTION"


def is_as_given(task_id: str, sources: Iterable[str]) -> bool:
    """Return whether one of these cells is the task's answer cell as it was given."""
    given = code_lines(given_code(task_id))
    return bool(given) and given in map(code_lines, sources)


@cache
def given_code(task_id: str) -> str:
    """Return what the answer's cell holds before anybody has worked in it; "" if unknown."""
    number, _, place = task_id.partition(".")
    for path in (path for kept in _KEPT for path in ROOT.glob(kept.format(int(number)))):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell.get("id") == f"answer-{number}-{place}":
                return "".join(cell["source"]).partition(_SOLVED)[0]
    return ""


def code_lines(code: str) -> list[str]:
    """Return the lines of a cell, without the spaces and empty lines that change nothing."""
    return [line.rstrip() for line in code.strip().splitlines()]


def sources_of(answers: Iterable[Any]) -> list[str]:
    """Return the code of each cell that defines one of these classes or functions."""
    files = dict.fromkeys(code.co_filename for answer in answers for code in _codes(answer))
    return ["".join(linecache.getlines(name)) for name in files]


def _codes(answer: Any) -> Iterator[CodeType]:
    if isinstance(owner := getattr(answer, "__self__", None), type):
        answer = owner  # the class of `Square.apply`
    members = vars(answer).values() if isinstance(answer, type) else [answer]
    for member in members:  # below decorators, such as `staticmethod` and `custom_fwd`
        code = getattr(inspect.unwrap(member), "__code__", None)
        if isinstance(code, CodeType):
            yield code
