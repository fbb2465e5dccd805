"""What a grader's check cell calls: show the evidence of an answer, and nothing else."""

from collections.abc import Callable
from typing import Any

from course.grading.inside import DIGITS
from helpers.checks import EVIDENCE
from helpers.checks.evidence import evidence_of
from helpers.checks.tasks import find
from whygrad.measure.encode import digits


def show_evidence(task_id: str, seed: int, answers: Callable[[], tuple[Any, ...]]) -> None:
    """Display the evidence of the visible check, and then that of the hidden one."""
    from IPython.display import display

    handed = answers()
    for hidden in (False, True):
        with digits(DIGITS):
            shown, early = evidence_of(find(task_id), handed, seed=seed, hidden=hidden)
        shown["hidden"] = hidden
        if early:
            shown["early"] = [early.name, early.detail]
        display({EVIDENCE: shown}, raw=True)
