"""Which parts of a task an answer earns that does not pass: those that pass with all else right."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.grading.evidence_check import read_usable, what_lacks
from course.grading.results import EarnedPart
from helpers.checks.advice import message
from helpers.checks.judge_answer import judge_parts
from helpers.checks.task import Task
from helpers.checks.task_evidence import Measured
from whygrad.evidence import EvidenceError


def earned_parts(
    task: Task, pairs: Sequence[tuple[Any, Measured]], diagnosis: str
) -> tuple[EarnedPart, ...] | None:
    """Return what the parts of an answer earn that does not pass as a whole.

    Args:
        task: which one.
        pairs: of each check, the visible one first, the evidence of the answer as JSON data, and
            that of the right one.
        diagnosis: of the whole answer.

    Returns:
        The parts in the order of the task; none where a task is all or nothing. None instead of
        them, if what was measured contradicts itself: a person has to look at it.
    """
    if len(task.shares) == 1:
        return ()
    try:
        found = [judge_parts(task, read_usable(data, right), right) for data, right in pairs]
    except EvidenceError:
        return _parts(task, set(), {})
    earned = {
        name
        for name in task.shares
        if all(name in of_one and of_one[name][0].ok for of_one in found)
    }
    is_whole = not any(
        what_lacks(of_one[name][1], right)
        for name in earned
        for of_one, (_, right) in zip(found, pairs, strict=True)
    )
    if earned == {*task.shares} or not is_whole:
        return None
    others = {
        name: message(verdict, task.id)
        for name, (verdict, _) in found[0].items()
        if not verdict.ok and verdict.names[0] != diagnosis
    }
    return _parts(task, earned, others)


def _parts(task: Task, earned: set[str], whys: Mapping[str, str]) -> tuple[EarnedPart, ...]:
    return tuple(
        EarnedPart(name, points, name in earned, whys.get(name, ""))
        for name, points in task.shares.items()
    )
