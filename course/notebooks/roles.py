"""Tell from a cell's id what it is for in an exercise, and write nbgrader's metadata from that."""

import re
from dataclasses import dataclass
from typing import Any

ANSWER, CHECK = "answer", "check"
_ROLE = re.compile(rf"(?:({ANSWER})-(\d+)-(\d+)(?:-[a-z])?|({CHECK})-(\d+)-(\d+))")


@dataclass(frozen=True)
class Role:
    """What a cell is for: ANSWER or CHECK, and the id of its task, such as "5.1"."""

    kind: str
    task_id: str


def role(cell_id: str) -> Role | None:
    """Return what a cell is for; None if it is neither an answer nor a check.

    >>> role("answer-5-1-b")
    Role(kind='answer', task_id='5.1')
    """
    found = _ROLE.fullmatch(cell_id)
    if not found:
        return None
    kind, exercise, task = [part for part in found.groups() if part is not None]
    return Role(kind, f"{int(exercise)}.{int(task)}")


def is_check(cell_id: str) -> bool:
    """Tell whether a cell checks an answer."""
    found = role(cell_id)
    return found is not None and found.kind == CHECK


def role_as_written(cell_id: str) -> Role | None:
    """Return the role of a cell of ours.

    Raises:
        ValueError: the id begins as an answer's or a check's does, and is not written as one.
    """
    found = role(cell_id)
    if found is None and cell_id.partition("-")[0] in (ANSWER, CHECK):
        raise ValueError(
            f"the id {cell_id!r} must be written as answer-5-1, answer-5-1-b or check-5-1"
        )
    return found


def metadata(cell_id: str, found: Role | None, points: float = 0) -> dict[str, Any]:
    """Return the metadata of a code cell: nbgrader's keys, and what JupyterLab forbids.

    nbgrader puts a locked cell back before it grades: checks, and given code, on which answers
    rest. JupyterLab lets a student edit given code, to try things, but not a check.

    Args:
        cell_id: the cell's id, which is nbgrader's, too.
        found: what the cell is for.
        points: what the task of a check is worth.
    """
    kind = found.kind if found else None
    keys = {
        "grade": kind == CHECK,
        "grade_id": cell_id,
        "locked": kind != ANSWER,
        "schema_version": 3,
        "solution": kind == ANSWER,
        "task": False,
    }
    if kind == CHECK:
        return {"deletable": False, "editable": False, "nbgrader": {**keys, "points": points}}
    return {"deletable": False, "nbgrader": keys} if kind == ANSWER else {"nbgrader": keys}
