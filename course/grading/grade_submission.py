"""Grade one submission: run its answers in the instructor's notebook, judge, look at the source."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from course.grading.inside import TOO_MUCH_MEMORY
from course.grading.judge_cells import Judged, judge_task
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet, SheetCell, arguments
from course.grading.results import TaskResult
from course.grading.right_answers import Expected
from course.grading.settings import Settings
from course.grading.source.rules import broken_rules
from course.grading.source.tampering import means_used
from course.notebooks.nbval_run import Outcome, run_cells
from course.notebooks.student_notebook import Cell
from helpers.checks.tasks import find

_CHECK = """\
import course.grading.inside.answer_evidence as _grader
_grader.show_evidence({task!r}, {seed}, lambda: ({arguments},))"""


@dataclass(frozen=True)
class Exam:
    """What all submissions of an exercise share; `kernel` starts one."""

    sheet: Sheet
    expected: Expected
    settings: Settings
    kernel: Callable[[], Any]


def grade(exam: Exam, answers: Answers) -> tuple[TaskResult, ...]:
    """Return what became of each task.

    The notebook runs as a whole. A task that did not pass then runs alone, so that nothing that
    another answer did, from a crash to a setting left behind, takes its points.
    """
    suspicious = bool(means_used(list(answers.sources.values())))
    together = _run(exam, answers, "")
    results = []
    for place, task in enumerate(exam.sheet.tasks):
        judged = together[task]
        if (place and _may_be_better_alone(judged)) or (suspicious and judged.status == "passed"):
            alone = _run(exam, answers, task)[task]
            judged = _better(judged, alone)
        results.append(_result(exam, answers, task, judged))
    return tuple(results)


def _run(exam: Exam, answers: Answers, task: str) -> dict[str, Judged]:
    """Run the notebook, or one task of it, and judge what each task showed."""
    limits, seed = exam.settings.limits, exam.settings.seed
    cells = _notebook(exam.sheet, answers.sources, seed, task)
    outcomes: list[Outcome] = []
    kernel = exam.kernel()
    try:
        run_cells(cells, kernel, limits.cell_seconds, outcomes.append, until_trouble=True)
    finally:
        kernel.kill()
    ended = kernel.status()
    judged = {}
    for name in [task] if task else exam.sheet.tasks:
        ids = {cell.id for cell in exam.sheet.cells if cell.task == name}
        own = [outcome for outcome in outcomes if outcome.cell.id in ids]
        found = judge_task(own, exam.expected[name], seed, name)
        if found.status == "died" and ended == TOO_MUCH_MEMORY:
            most = f"{limits.memory_mb} MB"
            found = replace(found, message=f"{found.message} It used more memory than {most}.")
        judged[name] = found
    return judged


def _notebook(sheet: Sheet, answers: dict[str, str], seed: int, task: str = "") -> list[Cell]:
    """Return the instructor's code cells with the answers, and the grader's own checks in them.

    With a task, only its cells and what is given; those after the last check decide nothing.
    """
    cells = [cell for cell in sheet.cells if not task or cell.task in ("", task)]
    while cells and cells[-1].kind == "given":
        cells.pop()
    return [Cell(cell.id, _source(cell, answers, seed)) for cell in cells]


def _source(cell: SheetCell, answers: dict[str, str], seed: int) -> str:
    if cell.kind == "answer":
        return answers.get(cell.id, cell.source)
    if cell.kind == "check":
        return _CHECK.format(task=cell.task, seed=seed, arguments=arguments(cell))
    return cell.source


def _may_be_better_alone(judged: Judged) -> bool:
    return judged.status != "passed" and judged.diagnosis != "not-started"


def _better(together: Judged, alone: Judged) -> Judged:
    if alone.status == "passed" or together.status == "":
        return alone
    if together.status == "passed":
        # Other answers made it pass, and one of them reaches for what it should not.
        reason = "It passes only together with other answers, one of which changes how Python works"
        return replace(together, status="not-gradable", message=f"{reason}.")
    return together


def _result(exam: Exam, answers: Answers, name: str, judged: Judged) -> TaskResult:
    task = find(name)
    ids = [c.id for c in exam.sheet.cells if c.task == name and c.kind == "answer"]
    sources = [answers.sources[key] for key in ids if key in answers.sources]
    if judged.status == "passed":
        # The numbers are right; how the answer got them, only its source can tell.
        if rules := broken_rules(task.rules, sources):
            judged = replace(judged, status="failed", diagnosis="method", message=" ".join(rules))
        elif used := means_used(sources):
            said = f"A person has to look at it: it uses {', '.join(used)}."
            judged = replace(judged, status="not-gradable", message=said)
    elif not judged.message:
        status = judged.status or "error"
        judged = replace(judged, status=status, message="Its check was not reached.")
    elif name_of := _defined_elsewhere(judged.message, answers.extra):
        said = f"`{name_of}` stands in a cell of its own, and only answer cells are graded."
        judged = replace(judged, status="not-gradable", message=f"{judged.message} {said}")
    points = task.points if judged.status == "passed" else 0
    code = "\n\n".join(sources)
    return TaskResult(name, task.title, points, task.points, **vars(judged), code=code)


def _defined_elsewhere(message: str, extra: tuple[str, ...]) -> str:
    """Return the name that is not defined in the answers, and is in a cell that does not count."""
    match = re.search(r"name '(\w+)' is not defined", message)
    name = match[1] if match else ""
    word = rf"(?m)^\s*(?:(?:def|class)\s+{name}\b|{name}\s*(?::[^=\n]+)?=|.*import\b.*\b{name}\b)"
    return name if name and any(re.search(word, source) for source in extra) else ""
