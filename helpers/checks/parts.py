"""Which parts of a task hold, by the evidence of an answer alone."""

from dataclasses import replace

from helpers.checks.judge_answer import judge
from helpers.checks.mended import mended
from helpers.checks.task import Task
from helpers.checks.task_evidence import Measured
from whygrad.verdict import Verdict


def verdicts(
    task: Task, measured: Measured, expected: Measured
) -> dict[str, tuple[Verdict, Measured]]:
    """Judge each part of a task as if all else were right.

    Args:
        task: which one.
        measured: the evidence of the answer.
        expected: that of the right one, on the same inputs.

    Returns:
        By the name of the part, the verdict and the evidence that it is on; a part that was not
        measured is left out.
    """
    due = replace(expected, slips=[])
    found = {}
    for part in task.shares:
        evidence = mended(part, [*task.shares], measured, due)
        if evidence is not None:
            found[part] = judge(evidence, due), evidence
    return found
