"""Judge what a student's cells showed, and print it task by task while the notebook runs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from course.notebooks.kernels import KernelProcess
from course.notebooks.nbval_run import Outcome
from course.notebooks.roles import ANSWER, role
from course.notebooks.student_notebook import Cell, CheckCell, evidence
from helpers.checks import progress
from helpers.checks.advice import advice_on, message
from helpers.checks.judge_answer import judge
from helpers.checks.known import with_slips
from helpers.checks.task_evidence import read
from helpers.checks.tasks import find
from whygrad.evidence import EvidenceError
from whygrad.report import NOT_STARTED, explained
from whygrad.verdict import Finding, Verdict

_NOT_CHECKED, _NOT_STARTED = "not-checked", "not-started"


@dataclass(frozen=True)
class TaskLine:
    """What became of a task.

    Attributes:
        name: the diagnosis, or "not-checked" where no evidence was made.
        sentence: the reason, or "".
        more: its cause and what to do, a line each, as in the notebook's report.
        outside: a name that only another cell than the task's answer binds; or "".
    """

    task: str
    name: str
    sentence: str = ""
    more: tuple[str, ...] = ()
    outside: str = ""

    @property
    def ok(self) -> bool:
        """Whether the answer passed."""
        return self.name == "ok"

    def __str__(self) -> str:
        title = f"{self.task} {find(self.task).title}"
        if self.ok and self.outside:
            cell = f"answer-{self.task.replace('.', '-')}"
            said = f"`{self.outside}` stands outside of the answer cell: it would not be graded"
            return f"✓ {title}, but {said}. Move it into {cell}."
        if self.ok:
            return f"✓ {title}"
        mark = "–" if self.name == _NOT_STARTED else "✗"
        return "\n".join(
            [f"{mark} {title}: {self.sentence}", *(f"    {line}" for line in self.more)]
        )


class Report:
    """What is known so far.

    Args:
        checks: the check cells, in order.
        kernel: the process that they run in.
        seconds_per_cell: the longest that one cell may take.
        noted: by task, the code of its answer, where the progress is to be noted.
        outside: by task, a name that stands outside of its answer cell.
        untouched: the tasks whose answers are as they were given; what is wrong with code that is
            to be repaired is then no mistake of the student's.
    """

    def __init__(
        self,
        checks: list[CheckCell],
        kernel: KernelProcess,
        seconds_per_cell: float,
        noted: Mapping[str, str],
        outside: Mapping[str, str],
        untouched: Collection[str] = (),
    ) -> None:
        self._waiting = {check.id: check for check in checks}
        self._kernel = kernel
        self._seconds = seconds_per_cell
        self._noted = noted
        self._outside = outside
        self._untouched = untouched
        self._lines: list[TaskLine] = []
        self._errors: dict[str, str] = {}
        self._gone = ""

    def add(self, outcome: Outcome) -> None:
        """Take in what a cell showed; print what it decides."""
        if outcome.trouble:
            self._say_trouble(outcome)
        found = role(outcome.cell.id)
        if found and found.kind == ANSWER and (outcome.trouble or outcome.error):
            what = "took too long" if outcome.trouble else f"raised {outcome.error}"
            self._errors.setdefault(found.task_id, f"{outcome.cell.id} {what}")
        check = self._waiting.pop(outcome.cell.id, None)
        if check is not None:
            self._print(judged(outcome, check, self._errors.get(check.task, "")))

    def end(self) -> int:
        """Print the rest, the count and what is not started; return the exit status."""
        for check in self._waiting.values():
            self._print(unchecked(check, self._gone or "its cell did not run"))
        passed = sum(line.ok for line in self._lines)
        lost = sum(line.ok and bool(line.outside) for line in self._lines)
        more = f", {lost} of them on what would not be graded" if lost else ""
        print(f"{passed} of {len(self._lines)} checks pass{more}.")
        waiting = [line.task for line in self._lines if line.task in self._untouched]
        if waiting:
            print(
                f"As they were given: the answers to {', '.join(waiting)}. Write or repair their "
                "code in the notebook, save it, and check again."
            )
        return 0 if passed == len(self._lines) and not lost else 1

    def _print(self, line: TaskLine) -> None:
        if line.task in self._untouched and not line.ok:
            line = TaskLine(line.task, _NOT_STARTED, NOT_STARTED)
        line = replace(line, outside=self._outside.get(line.task, ""))
        self._lines.append(line)
        print(line, flush=True)
        if line.task in self._noted:
            progress.record(line.task, line.ok, line.name, self._noted[line.task])

    def _say_trouble(self, outcome: Outcome) -> None:
        where = _named(outcome.cell)
        too_long = f"{where} was still running after {self._seconds:g} s"
        if outcome.trouble == "slow":
            print(f"{too_long} and was interrupted: look for a loop without an end.", flush=True)
            return
        self._gone = f"Python had ended in {where}"
        if outcome.trouble == "died":
            ending = self._kernel.ending()
            print(f"{where} ended Python ({ending}), so nothing after it was run.", flush=True)
        else:
            print(
                f"{too_long} and could not be interrupted, so nothing after it was run: look for "
                "a loop without an end.",
                flush=True,
            )


def _named(cell: Cell) -> str:
    if cell.id:
        return f"the cell {cell.id}"
    first = cell.source.strip().split("\n")[0]
    return f"the cell that starts with `{first[:50]}`"


def judged(outcome: Outcome, check: CheckCell, earlier: str = "") -> TaskLine:
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
    early = shown[-1].get("early")
    if not isinstance(measured, dict) and (earlier or not early):
        return unchecked(check, earlier or "what is handed over cannot be checked")
    try:
        verdict = _verdict(measured, check) if measured else Verdict((), (Finding(*early),))
        return _line(check.task, verdict)
    except Exception:  # it came from a process that runs other code than ours
        return unchecked(check, "what its check measured cannot be read")


def _line(task: str, verdict: Verdict) -> TaskLine:
    name = verdict.names[0]
    if verdict.ok or name == _NOT_STARTED:
        return TaskLine(task, name, "" if verdict.ok else message(verdict, task))
    fitting = explained(verdict, advice_on(verdict, task))
    more = []
    for place, one in enumerate(fitting, 1):
        number = f"({place}) " if len(fitting) > 1 else ""
        more += [f"{number}{head}: {said}" for head, said in one.more]
    return TaskLine(task, name, message(verdict, task), tuple(more))


def unchecked(check: CheckCell, reason: str) -> TaskLine:
    """Return the line for a task whose check told nothing."""
    return TaskLine(check.task, _NOT_CHECKED, f"not checked: {reason}")


def _verdict(data: dict[str, Any], check: CheckCell) -> Verdict:
    measured, due = read(data), check.measured
    if measured.kind != due.kind:
        raise EvidenceError("the evidence is of another kind")
    # Measuring the explained mistakes takes a second, as they lie beside PyTorch code.
    return judge(measured, due, lambda: with_slips(check.task))
