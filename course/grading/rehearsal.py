"""Judge an exercise's own answers as the class's will be, on ten draws of its inputs.

`course build` runs `python -m course.grading.rehearsal FOLDER 31_softplus` in a process of its own,
without a sandbox, since the code is the instructor's. It prints JSON: a check cell and a sentence
for each answer that is not judged as it should be.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course.grading.conclusion import concluded, doubts_about
from course.grading.judge_cells import judge_task
from course.grading.reading.answers import read_answers
from course.grading.reading.sheet import Sheet, SheetCell, arguments, read_sheet
from course.grading.results import Judged
from course.grading.settings import Limits
from course.notebooks.nbval_run import Outcome
from course.notebooks.student_notebook import Cell
from helpers.checks import EVIDENCE
from helpers.checks.deadline import TooLongError, at_most
from helpers.checks.evidence import probes, shown_evidence, task_call
from helpers.checks.references import (
    expected,
    handed_over,
    is_independent,
    reference,
    slip_answers,
    slips,
)
from helpers.checks.task import FunctionTask
from helpers.checks.tasks import find
from whygrad import report
from whygrad.judge import judge_function
from whygrad.measure import measure_function
from whygrad.mistakes import MISTAKES

_SEEDS = range(1, 11)
_DRAWS = f"of {len(_SEEDS)} draws of its inputs"
_MEND = "put the hard case into every draw, of the visible or of the hidden inputs"


def complaints(folder: Path, exercise: str) -> Iterator[tuple[str, str]]:
    """Yield the check cell and a sentence for each own answer that is not judged as it should be.

    The solution has to pass, without a question to the instructor. What has to be rejected is the
    exercise as it is given, and the wrong answers that are known, beside the right ones.

    Args:
        folder: holds the exercise's notebooks in exercises/ and solutions/.
        exercise: such as "31_softplus".
    """
    sheet = read_sheet(folder, exercise)
    given, solved = (
        _judged(sheet, folder / name / f"{exercise}.ipynb") for name in ("exercises", "solutions")
    )
    for cell in (cell for cell in sheet.cells if cell.kind == "check"):
        task = cell.task
        if failed := [one for one in solved[task] if one.status != "passed"]:
            why = _why(failed[0])
            yield cell.id, f"the solution of {task} does not pass in {len(failed)} {_DRAWS}: {why}"
            continue
        if wrong := _against_differences(task):
            yield cell.id, f"the solution of {task} is wrong by finite differences: {wrong}"
            continue
        for name, judged in {"what is given": given[task], **_of_mistakes(cell)}.items():
            if count := sum(one.status in ("passed", "not-gradable") for one in judged):
                yield cell.id, f"{name} for {task} is not rejected in {count} {_DRAWS}: {_MEND}"


def _against_differences(task_id: str) -> str:
    """Return the mistake in a solution with which nothing else can be compared, or ""."""
    task = find(task_id)
    if is_independent(task_id) or not isinstance(task, FunctionTask) or task.intended:
        return ""
    call = task_call(task, handed_over(task, reference(task_id)))
    tried = probes(task, _SEEDS[0], hidden=True)
    verdict = judge_function(
        measure_function(call, tried, order=task.order, differences=True), None
    )
    return "" if verdict.ok else report.message(verdict, MISTAKES)


def _why(judged: Judged) -> str:
    hidden = f" Hidden checks that fail: {', '.join(judged.hidden)}." if judged.hidden else ""
    return f"{judged.message}{hidden} {' '.join(judged.failed[:1])}".strip()


def _of_mistakes(check: SheetCell) -> dict[str, list[Judged]]:
    """Return what becomes of each known mistake, as messages call it."""
    found = {}
    for number, slip in enumerate(slips(check.task), 1):
        if not slip.seen:
            answers = slip_answers(check.task, slip)
            judged = [_judge([], check, partial(tuple, answers), seed) for seed in _SEEDS]
            found[f"wrong answer {number} ({slip.name})"] = judged
    return found


def _judged(sheet: Sheet, notebook: Path) -> dict[str, list[Judged]]:
    """Run a notebook's answers; return what becomes of each task, draw by draw."""
    answers = read_answers(notebook.read_bytes(), sheet)
    shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
    ran: dict[str, list[Outcome]] = defaultdict(list)
    found = {}
    for cell in sheet.cells:
        if cell.kind != "check":
            source = answers.sources.get(cell.id, cell.source)
            ran[cell.task].append(_outcome(cell, partial(_run, shell, source)))
            continue
        given = partial(eval, f"({arguments(cell)},)", shell.user_ns)
        doubts = doubts_about(sheet, answers, cell.task)
        every = [_judge(ran[cell.task], cell, given, seed) for seed in _SEEDS]
        found[cell.task] = [concluded(sheet, answers, cell.task, one, doubts) for one in every]
    return found


def _judge(
    before: list[Outcome], check: SheetCell, answers: Callable[[], tuple], seed: int
) -> Judged:
    """Judge a task on one draw, after its answer cells."""
    right = tuple(expected(check.task, seed, hidden) for hidden in (False, True))
    last = _outcome(check, partial(_shown, check.task, answers, seed))
    return judge_task([*before, last], right, seed, check.task)


def _outcome(cell: SheetCell, does: Callable[[], list[dict[str, Any]]]) -> Outcome:
    own = Cell(cell.id, cell.source)
    try:
        with at_most(Limits.cell_seconds):
            return Outcome(own, does())
    except TooLongError:
        return Outcome(own, trouble="slow")
    except Exception as error:  # whatever the instructor's code raises
        said = {"ename": type(error).__name__, "evalue": str(error)}
        return Outcome(own, [{"output_type": "error", **said}])


def _run(shell: InteractiveShell, code: str) -> list[dict[str, Any]]:
    shell.run_cell(code).raise_error()
    return []


def _shown(task: str, answers: Callable[[], tuple], seed: int) -> list[dict[str, Any]]:
    """Return what the grader's check cell shows of an answer."""
    outputs = []
    for hidden in (False, True):
        shown = shown_evidence(find(task), answers(), seed=seed, hidden=hidden)
        outputs.append({"output_type": "display_data", "data": {EVIDENCE: shown}})
    return outputs


if __name__ == "__main__":
    out, sys.stdout = sys.stdout, sys.stderr  # what the exercise prints is no complaint
    json.dump([*complaints(Path(sys.argv[1]), sys.argv[2])], out)
