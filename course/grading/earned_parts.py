"""Which parts of a task an answer earns that does not pass: those that do, with all else mended."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from course.grading.differences import looks_like_differences
from course.grading.evidence_check import what_lacks, why_unusable
from course.grading.results import EarnedPart
from helpers.checks.parts import verdicts
from helpers.checks.task import Task

_ALL = "Each part of it passes by itself, and the whole does not: a person has to look at it."
_MEANS = "The numbers of {} are right; a person has to judge the way to them."


@dataclass(frozen=True)
class Earned:
    """What the parts of an answer earn.

    Attributes:
        parts: in the order of the task; empty where a task is all or nothing.
        why_not: why a person has to look at it, as a sentence for the student; or "".
    """

    parts: tuple[EarnedPart, ...] = ()
    why_not: str = ""


def earned_parts(task: Task, pairs: Sequence[tuple[Any, dict[str, Any]]]) -> Earned:
    """Return what the parts of an answer earn that does not pass as a whole.

    Args:
        task: which one.
        pairs: of each check, the evidence of the answer, and that of the right one.
    """
    if len(task.shares) == 1:
        return Earned()
    if any(mine is None or why_unusable(mine, right) for mine, right in pairs):
        return Earned(_parts(task, set()))
    earned, open_ones = set(task.shares), set(task.shares)
    for mine, right in pairs:
        allowed, doubtful = _of_one(task, mine, right)
        earned &= allowed
        open_ones &= allowed | doubtful
    if open_ones - earned:
        names = [name for name in task.shares if name in open_ones - earned]
        return Earned((), _MEANS.format(" and ".join(names)))
    return Earned((), _ALL) if earned == set(task.shares) else Earned(_parts(task, earned))


def _of_one(
    task: Task, measured: dict[str, Any], expected: dict[str, Any]
) -> tuple[set[str], set[str]]:
    """Return the parts that pass, and those about whose way to their numbers a person decides."""
    allowed, doubtful = set(), set()
    for name, (verdict, mended) in verdicts(task, measured, expected).items():
        if verdict.ok:
            is_sure = not what_lacks(mended, expected)
            is_sure = is_sure and not looks_like_differences(mended, expected)
            (allowed if is_sure else doubtful).add(name)
    return allowed, doubtful


def _parts(task: Task, earned: set[str]) -> tuple[EarnedPart, ...]:
    pairs = task.shares.items()
    return tuple(EarnedPart(name, points, name in earned) for name, points in pairs)
