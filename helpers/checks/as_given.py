"""Know code that a student was given to repair, so that running it unchanged is no try."""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from helpers.checks.progress import ROOT
from helpers.checks.source.cells import sources_of

# Where the course keeps exercises with their code as it is given: here, and in a release.
_KEPT = ("solutions/{:02d}_*.ipynb", "course/stubs/{:02d}_*.json")
_SOLVED = "### BEGIN SOLUTION"


def is_as_given(task_id: str, answers: Iterable[Any]) -> bool:
    """Tell whether the cell that defines an answer is the one that was given."""
    given = code_lines(given_code(task_id))
    return bool(given) and given in map(code_lines, sources_of(answers))


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
