"""Run one submission's answers in the instructor's notebook, as a whole or task by task."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from course.grading.inside import TOO_MUCH_MEMORY, TOO_MUCH_TIME
from course.grading.judge_cells import judge_task
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet, SheetCell, arguments
from course.grading.results import Judged
from course.grading.right_answers import Expected
from course.grading.settings import Settings
from course.notebooks.cell_names import bound
from course.notebooks.nbval_run import Outcome, run_cells
from course.notebooks.student_notebook import Cell

_CHECK = """\
from course.grading.inside.answer_evidence import show_evidence as _show
_show({task!r}, {seed}, lambda: ({arguments},))"""
_FAIR = 0.5  # of the time that passed: who had less of a processor may have been held up by others


@dataclass(frozen=True)
class Exam:
    """What all submissions of an exercise share; `kernel` starts one, which ends with its block."""

    sheet: Sheet
    expected: Expected
    settings: Settings
    kernel: Callable[[], Any]


class SubmissionRuns:
    """The runs of one submission, which has a time for all of them together; it begins now."""

    def __init__(self, exam: Exam, answers: Answers) -> None:
        self._exam, self._sources = exam, without_gaps(exam.sheet, answers)
        self._ends = time.monotonic() + exam.settings.limits.total_seconds
        self._outcomes: list[Outcome] = []

    @property
    def is_over(self) -> bool:
        """Whether its time is used up."""
        return time.monotonic() >= self._ends

    @property
    def is_doubtful(self) -> bool:
        """Whether others may be to blame for a timeout: they had the processors meanwhile."""
        late = [one for one in self._outcomes if one.trouble in ("slow", "stuck")]
        return any(map(_is_starved, late)) or (self.is_over and _is_starved(*self._outcomes))

    def raised(self, cell: str) -> bool:
        """Return whether a cell of this id ended with an exception in any run."""
        return any(one.error for one in self._outcomes if one.cell.id == cell)

    def run(self, task: str = "", sheet: Sheet | None = None) -> dict[str, Judged]:
        """Run the notebook, or one task of it; return what each task showed, by its name.

        What is not done when the time is over has the status "timeout". A sheet may have more
        given cells than that of the exam.
        """
        sheet, limits = sheet or self._exam.sheet, self._exam.settings.limits
        names = (task,) if task else sheet.tasks
        if self.is_over:
            return {name: self._too_late() for name in names}
        seed = self._exam.settings.seed
        needed = [cell for cell in sheet.cells if not task or cell.task in ("", task)]
        while needed[-1].kind == "given":  # after the last check it decides nothing
            needed.pop()
        cells = [Cell(cell.id, _source(cell, self._sources, seed)) for cell in needed]
        outcomes: list[Outcome] = []
        with self._exam.kernel() as kernel:
            run_cells(
                cells,
                kernel,
                limits.cell_seconds,
                outcomes.append,
                until_trouble=True,
                ends=self._ends,
            )
        self._outcomes += outcomes
        ended = kernel.status()
        return {name: self._judged(name, outcomes, ended) for name in names}

    def _judged(self, task: str, outcomes: list[Outcome], ended: int | None) -> Judged:
        ids = {cell.id for cell in self._exam.sheet.cells if cell.task == task}
        own = [outcome for outcome in outcomes if outcome.cell.id in ids]
        found = judge_task(own, self._exam.expected[task], self._exam.settings.seed, task)
        if found.status in ("", "timeout") and self.is_over:
            return self._too_late()
        limits = self._exam.settings.limits
        ends = {
            TOO_MUCH_MEMORY: ("died", f"It used more memory than {limits.memory_mb} MB."),
            TOO_MUCH_TIME: (
                "timeout",
                f"It used more than {limits.cpu_seconds} s of processor time.",
            ),
        }
        if found.status == "died" and ended in ends:
            status, said = ends[ended]
            return replace(found, status=status, message=said)
        return found

    def _too_late(self) -> Judged:
        most = f"{self._exam.settings.limits.total_seconds:g} s"
        said = f"All runs of the notebook together took longer than {most}, and it had not passed."
        return Judged("timeout", message=said)


def without_gaps(sheet: Sheet, answers: Answers) -> dict[str, str]:
    """Return the source of each answer cell; where nothing was handed in, as it was given.

    It stays empty if the task's other answers define what was to be defined there.
    """
    sources = dict(answers.sources)
    for cell in (cell for cell in sheet.cells if cell.kind == "answer"):
        if not sources.get(cell.id, "").strip():
            beside = [answers.sources.get(one.id, "") for one in sheet.answer_cells(cell.task)]
            names = bound([cell.source]).keys()
            is_there = names and names <= bound(beside).keys()
            sources[cell.id] = "" if is_there else cell.source
    return sources


def _is_starved(*outcomes: Outcome) -> bool:
    """Tell whether cells had little of the processors; not if that is not known."""
    used = sum(outcome.cpu_seconds for outcome in outcomes)
    return used < _FAIR * sum(outcome.seconds for outcome in outcomes)


def _source(cell: SheetCell, answers: dict[str, str], seed: int) -> str:
    if cell.kind == "answer":
        return f"{answers[cell.id]}\n#"  # of a single line, IPython makes what it likes
    if cell.kind == "check":
        return _CHECK.format(task=cell.task, seed=seed, arguments=arguments(cell))
    return cell.source
