"""What is known of a submission once it is graded, as plain data, and how it is kept."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from course.notebooks.write import write_whole

STATUSES = (
    "passed",  # every visible and hidden check passes
    "failed",  # the checks ran, and one of them says no
    "error",  # the answer raised before its check could look at it
    "timeout",  # it took longer than it may
    "died",  # the process ended, or was ended for using too much memory
    "missing",  # nothing was handed in
    "not-gradable",  # somebody has to look at it: 0 points until an override
    "grader-error",  # the grader's own fault: no grade yet, tried again by the next run
)


@dataclass(frozen=True)
class TaskResult:
    """What became of one task of a submission.

    Attributes:
        task: such as "5.1".
        title: of the task.
        points: that it got.
        max_points: that it is worth.
        status: one of `STATUSES`.
        diagnosis: the name of the mistake, "ok", "not-started", or "".
        message: the diagnosis, or the reason, in sentences for the student; "" if it passed.
        passed: the properties that the visible check found right.
        failed: those that it found wrong, with the numbers where there are some.
        why: the reason of the mistake, where it is known; "" where only the usual cause is.
        look: what to do, where that is known better than what is said of the mistake.
        hidden: the properties on which the hidden check failed.
        code: the student's answer.
        by_hand: whether an instructor has set the points.
    """

    task: str
    title: str
    points: float
    max_points: float
    status: str
    diagnosis: str = ""
    message: str = ""
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    why: str = ""
    look: str = ""
    code: str = ""
    by_hand: bool = False

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "TaskResult":
        """Read it from what `dataclasses.asdict` gave.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: it is something else.
        """
        lists = {key: tuple(data.get(key, ())) for key in ("passed", "failed", "hidden")}
        found = cls(**{**data, **lists})
        if found.status not in STATUSES:
            raise ValueError(f"there is no status {found.status!r}")
        return found

    @property
    def is_open(self) -> bool:
        """Whether there is no grade yet: neither points nor a zero."""
        return self.status == "grader-error" and not self.by_hand

    @property
    def needs_a_person(self) -> bool:
        """Whether somebody has to look at it, and has not yet."""
        return self.status in ("grader-error", "not-gradable") and not self.by_hand


@dataclass(frozen=True)
class Result:
    """What became of one submission.

    Attributes:
        student: a person's name, as the folder or the archive spells it.
        exercise: such as "05_square".
        fingerprint: hash of all that the grade depends on: answers, checks, environment, rules.
        seed: of the inputs.
        note: a sentence on the submission as a whole, such as why it cannot be read; or "".
        versions: of what graded it.
        seconds: that it took.
        tasks: in order.
    """

    student: str
    exercise: str
    fingerprint: str
    seed: int
    tasks: tuple[TaskResult, ...]
    note: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


def blank_tasks(names: Iterable[str], status: str, reason: str) -> tuple[TaskResult, ...]:
    """Return results without points, for these tasks."""
    from helpers.checks.tasks import find

    tasks = [find(name) for name in names]
    return tuple(
        TaskResult(task.id, task.title, 0, task.points, status, message=reason) for task in tasks
    )


def write_result(path: Path, result: Result) -> None:
    """Write a result so that a reader, or a power cut, never meets half of it.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    write_whole(path, json.dumps(asdict(result), indent=1).encode() + b"\n")


def read_result(path: Path) -> Result | None:
    """Return a stored result, or None if there is none, or a damaged one."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Result(**{**data, "tasks": tuple(map(TaskResult.from_json, data["tasks"]))})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
