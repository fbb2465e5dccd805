"""Grade one submission: run it, judge it, and look at its source."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from course.grading.data import TaskResult
from course.grading.expected import Expected
from course.grading.judging import Judged, judge_task
from course.grading.notebook import notebook, own_cells, unknown_name
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet
from course.grading.settings import Limits
from course.grading.source.look import broken_rules, means_used
from course.notebooks.nbval_run import Outcome, run_cells
from course.notebooks.student_notebook import Cell
from helpers.checks.tasks import find

TOO_MUCH_MEMORY = 99  # exit status of a kernel's keeper


@dataclass(frozen=True)
class Bench:
    """What all submissions of an exercise share.

    Attributes:
        sheet: the instructor's notebook.
        expected: what right answers give under this seed.
        seed: of the inputs.
        limits: of a notebook.
        fork: starts a kernel.
    """

    sheet: Sheet
    expected: Expected
    seed: int
    limits: Limits
    fork: Callable[[Limits], Any]


def grade(bench: Bench, answers: Answers) -> tuple[TaskResult, ...]:
    """Return what became of each task.

    The notebook runs as a whole. A task that did not pass then runs alone, so that nothing that
    another answer did, from a crash to a setting left behind, takes its points.
    """
    suspicious = bool(means_used(list(answers.sources.values())))
    together = _run(bench, answers, "")
    results = []
    for place, task in enumerate(bench.sheet.tasks):
        judged = together[task]
        if (place and _may_be_better_alone(judged)) or (suspicious and judged.status == "passed"):
            alone = _run(bench, answers, task)[task]
            judged = _better(judged, alone)
        results.append(_result(bench, answers, task, judged))
    return tuple(results)


def _run(bench: Bench, answers: Answers, task: str) -> dict[str, Judged]:
    """Run the notebook, or one task of it, and judge what each task showed."""
    cells: list[Cell] = notebook(bench.sheet, answers.sources, bench.seed, task)
    outcomes: dict[str, Outcome] = {}
    kernel = bench.fork(bench.limits)
    try:
        run_cells(
            cells,
            kernel,
            bench.limits.cell_seconds,
            lambda outcome: outcomes.update({outcome.cell.id: outcome}),
            until_trouble=True,
        )
    finally:
        kernel.kill()
    ended = kernel.status()
    judged = {}
    for name in [task] if task else bench.sheet.tasks:
        ids = own_cells(bench.sheet, name)
        own = [outcome for key, outcome in outcomes.items() if key in ids]
        found = judge_task(own, bench.expected[name], bench.seed, name)
        if found.status == "died" and ended == TOO_MUCH_MEMORY:
            most = f"{bench.limits.memory_mb} MB"
            found = replace(found, message=f"{found.message} It used more memory than {most}.")
        judged[name] = found
    return judged


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


def _result(bench: Bench, answers: Answers, name: str, judged: Judged) -> TaskResult:
    task = find(name)
    ids = [c.id for c in bench.sheet.cells if c.task == name and c.kind == "answer"]
    sources = [answers.sources[key] for key in ids if key in answers.sources]
    status, diagnosis, message = judged.status or "error", judged.diagnosis, judged.message
    if status == "passed":
        # The numbers are right; how the answer got them, only its source can tell.
        if rules := broken_rules(task.rules, sources):
            status, diagnosis, message = "failed", "method", " ".join(rules)
        elif used := means_used(sources):
            said = f"A person has to look at it: it uses {', '.join(used)}."
            status, message = "not-gradable", said
    elif name_of := _defined_elsewhere(message, answers.extra):
        status = "not-gradable"
        message += f" `{name_of}` stands in a cell of its own, and only answer cells are graded."
    return TaskResult(
        task=name,
        title=task.title,
        points=task.points if status == "passed" else 0,
        max_points=task.points,
        status=status,
        diagnosis=diagnosis,
        message=message or ("" if status == "passed" else "Its check was not reached."),
        passed=judged.passed,
        failed=judged.failed,
        hidden=judged.hidden,
        code="\n\n".join(sources),
    )


def _defined_elsewhere(message: str, extra: tuple[str, ...]) -> str:
    name = unknown_name(message)
    word = rf"(?m)^\s*(?:(?:def|class)\s+{name}\b|{name}\s*(?::[^=\n]+)?=|.*import\b.*\b{name}\b)"
    return name if name and any(re.search(word, source) for source in extra) else ""
