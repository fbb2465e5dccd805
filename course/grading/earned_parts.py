"""Which parts of a task an answer earns that does not pass: those that do, with all else mended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from course.grading.evidence_check import what_lacks, why_unusable
from course.grading.results import EarnedPart
from helpers.checks.advice import message
from helpers.checks.parts import verdicts
from helpers.checks.task import Task
from whygrad.verdict import Verdict

_LONGEST = 2000  # characters of what is said of a part
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


def earned_parts(task: Task, pairs: Sequence[tuple[Any, dict[str, Any]]], diagnosis: str) -> Earned:
    """Return what the parts of an answer earn that does not pass as a whole.

    Args:
        task: which one.
        pairs: of each check, the visible one first, the evidence of the answer, and that of the
            right one.
        diagnosis: of the whole answer.
    """
    if len(task.shares) == 1:
        return Earned()
    if any(mine is None or why_unusable(mine, right) for mine, right in pairs):
        return Earned(_parts(task, set(), {}))
    earned, open_ones = set(task.shares), set(task.shares)
    found = [(verdicts(task, mine, right), right) for mine, right in pairs]
    for of_one, right in found:
        allowed, doubtful = _of_one(of_one, right)
        earned &= allowed
        open_ones &= allowed | doubtful
    if open_ones - earned:
        names = [name for name in task.shares if name in open_ones - earned]
        return Earned((), _MEANS.format(" and ".join(names)))
    if earned == set(task.shares):
        return Earned((), _ALL)
    visible = {name: verdict for name, (verdict, _) in found[0][0].items() if not verdict.ok}
    others = {
        name: message(verdict, task.id)
        for name, verdict in visible.items()
        if verdict.names[0] != diagnosis
    }
    return Earned(_parts(task, earned, others))


def _of_one(
    found: Mapping[str, tuple[Verdict, dict[str, Any]]], expected: dict[str, Any]
) -> tuple[set[str], set[str]]:
    """Return the parts that pass, and those about whose way to their numbers a person decides."""
    allowed, doubtful = set(), set()
    for name, (verdict, mended) in found.items():
        if verdict.ok:
            (doubtful if what_lacks(mended, expected) else allowed).add(name)
    return allowed, doubtful


def _parts(task: Task, earned: set[str], whys: Mapping[str, str]) -> tuple[EarnedPart, ...]:
    return tuple(
        EarnedPart(name, points, name in earned, whys.get(name, "")[:_LONGEST])
        for name, points in task.shares.items()
    )
