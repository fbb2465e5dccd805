"""The right answer to a task that has none here: what its exercise hands to the check."""

import re
from functools import cache
from typing import Any

from helpers.checks.progress import ROOT

_CELL = re.compile(
    r"^```\{code-cell\}.*\n:id: (?P<id>\S+)\n(?::.*\n)*(?P<code>(?:.*\n)*?)```$", re.MULTILINE
)
_MAGIC = re.compile(r"^[%!].*$", re.MULTILINE)


@cache
def solved(task_id: str) -> Any:
    """Run the cells of an exercise's source up to a task's check; return what that is given.

    It is the instructor's own code, which `course build` has judged.

    Raises:
        LookupError: there is no such exercise, or no such check in it.
    """
    number, _, place = task_id.partition(".")
    handed: list[tuple] = []
    names: dict[str, Any] = {"__name__": "__main__"}
    for path in sorted((ROOT / "lessons").glob(f"{int(number):02}_*.exercise.md")):
        for cell in _CELL.finditer(path.read_text(encoding="utf-8")):
            if cell["id"] == f"check-{number}-{place}":
                names["check"] = lambda task, *answers: handed.append(answers)
                exec(cell["code"].partition("### BEGIN")[0], names)
                (answers,) = handed
                return answers if len(answers) > 1 else answers[0]
            if not cell["id"].startswith(("check-", "progress")):
                exec(_MAGIC.sub("", cell["code"]), names)
    raise LookupError(f"no exercise in lessons/ has a check of {task_id}")
