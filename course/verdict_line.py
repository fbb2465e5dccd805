"""Judge the evidence that a student's run showed, and say it in a line."""

from dataclasses import dataclass
from typing import Any

from course.notebooks.nbval_run import Outcome
from course.notebooks.student_notebook import CheckCell, evidence
from helpers.checks.advice import message
from helpers.checks.judge_answer import judge
from helpers.checks.tasks import find
from whygrad.diagnosis import Verdict

_NOT_CHECKED = "not-checked"


@dataclass(frozen=True)
class Line:
    """What became of a task.

    Attributes:
        name: the diagnosis, or "not-checked" where no evidence was made.
        sentence: the reason, or "".
    """

    task: str
    name: str
    sentence: str = ""

    @property
    def ok(self) -> bool:
        """Whether the answer passed."""
        return self.name == "ok"

    @property
    def is_checked(self) -> bool:
        """Whether the check saw the answer."""
        return self.name != _NOT_CHECKED

    def __str__(self) -> str:
        title = f"{self.task} {find(self.task).title}"
        if self.ok:
            return f"✓ {title}"
        return f"✗ {title}: {self.sentence}"


def judged(outcome: Outcome, check: CheckCell, earlier: str = "") -> Line:
    """Return the line for a check cell that has run.

    Args:
        outcome: what it showed.
        check: the cell, with what a right answer gives.
        earlier: what went wrong in the answer's own cells, or "".
    """
    shown = evidence(outcome.outputs, check.task)
    if outcome.trouble or not shown:
        reason = earlier or outcome.error or "it was ended before its check was through"
        return unchecked(check, reason)
    measured = shown[-1].get("measured")
    if not isinstance(measured, dict):
        return unchecked(check, earlier or "what is handed over cannot be checked")
    try:
        verdict = _verdict(measured, check)
    except Exception:  # it came from a process that runs other code than ours
        return unchecked(check, "what its check measured cannot be read")
    return Line(check.task, verdict.names[0], "" if verdict.ok else message(verdict))


def unchecked(check: CheckCell, reason: str) -> Line:
    """Return the line for a task whose check told nothing."""
    return Line(check.task, _NOT_CHECKED, f"not checked: {reason}")


def _verdict(measured: dict[str, Any], check: CheckCell) -> Verdict:
    kind = check.measured.get("kind")
    if measured.get("kind") != kind:
        raise ValueError("the evidence is of another kind")
    verdict = judge(measured, check.measured)
    if kind != "prediction" or verdict.names[0] in ("ok", "not-started"):
        return verdict
    # The explained mistakes. Loading them takes a second, as they lie beside PyTorch code.
    from helpers.checks.check import SEED
    from helpers.checks.references import expected

    return judge(measured, {**check.measured, "slips": expected(check.task, SEED).get("slips", [])})
