"""Print what `course check` finds, task by task, while the notebook runs."""

import re

from course.notebooks.kernel_process import KernelProcess
from course.notebooks.nbval_run import Outcome
from course.notebooks.student_notebook import Cell, CheckCell
from course.verdict_line import Line, judged, unchecked
from helpers.checks import progress

_ANSWER = re.compile(r"answer-(\d+)-(\d+)(?:-\w+)?")


class Report:
    """What is known so far.

    Args:
        checks: the check cells, in order.
        kernel: the process that they run in.
        seconds_per_cell: the longest that one cell may take.
        note: whether the progress is to be noted.
    """

    def __init__(
        self, checks: list[CheckCell], kernel: KernelProcess, seconds_per_cell: float, note: bool
    ) -> None:
        self._waiting = {check.id: check for check in checks}
        self._kernel = kernel
        self._seconds = seconds_per_cell
        self._note = note
        self._lines: list[Line] = []
        self._errors: dict[str, str] = {}
        self._gone = ""

    def add(self, outcome: Outcome) -> None:
        """Take in what a cell showed; print what it decides."""
        if outcome.trouble:
            self._say_trouble(outcome)
        answer = _ANSWER.fullmatch(outcome.cell.id)
        if answer and (outcome.trouble or outcome.error):
            what = "took too long" if outcome.trouble else f"raised {outcome.error}"
            self._errors.setdefault(f"{answer[1]}.{answer[2]}", f"{outcome.cell.id} {what}")
        check = self._waiting.pop(outcome.cell.id, None)
        if check is not None:
            self._print(judged(outcome, check, self._errors.get(check.task, "")))

    def end(self) -> int:
        """Print the rest and the count; return the exit status."""
        for check in self._waiting.values():
            self._print(unchecked(check, self._gone or "its cell did not run"))
        passed = sum(line.ok for line in self._lines)
        print(f"{passed} of {len(self._lines)} checks pass.")
        return 0 if passed == len(self._lines) else 1

    def _print(self, line: Line) -> None:
        self._lines.append(line)
        print(line, flush=True)
        if self._note and line.is_checked:
            progress.record(line.task, line.ok, line.name)

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
