"""Grade one submission: run its answers in the instructor's notebook, judge, look at the source."""

from dataclasses import dataclass, replace

from course.grading.judge_cells import Judged
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet, arguments
from course.grading.results import TaskResult
from course.grading.stray_names import defined_elsewhere
from course.grading.submission_runs import Exam, SubmissionRuns
from helpers.checks.source.beyond import Beyond, beyond, listed, renames
from helpers.checks.tasks import find

_MOST_CODE = 200_000  # characters of an answer that a result keeps; pages show less


@dataclass(frozen=True)
class Graded:
    """What became of a submission's tasks, and whether others may be to blame for a timeout."""

    tasks: tuple[TaskResult, ...]
    doubtful: bool


def grade(exam: Exam, answers: Answers) -> Graded:
    """Return what became of each task.

    The notebook runs as a whole. A task that did not pass then runs alone, so that nothing that
    another answer did, from a crash to a setting left behind, takes its points.
    """
    doubts = {task: _beyond(exam.sheet, answers, task) for task in exam.sheet.tasks}
    suspicious = any(doubts.values()) or renames(list(answers.sources.values()))
    runs = SubmissionRuns(exam, answers)
    together = runs.run()
    results = []
    for place, task in enumerate(exam.sheet.tasks):
        judged = together[task]
        if (place and _may_be_better_alone(judged)) or (suspicious and judged.status == "passed"):
            judged = _alone(runs, judged, task)
        results.append(_result(exam, answers, task, judged, doubts[task]))
    late = any(result.status == "timeout" for result in results)
    return Graded(tuple(results), late and runs.is_doubtful)


def _beyond(sheet: Sheet, answers: Answers, task: str) -> tuple[Beyond, ...]:
    """Return what the answer to a task uses beyond the means for it."""
    mine, others, handed = [], [], ""
    for cell in sheet.cells:
        if cell.kind == "check":
            handed = arguments(cell) if cell.task == task else handed
        elif cell.kind == "answer" and cell.task == task:
            mine.append(answers.sources.get(cell.id, ""))
        else:
            others.append(answers.sources.get(cell.id, cell.source))
    names = handed.split(", ")
    return beyond(mine, autograd=find(task).autograd, answers=names, others=others)


def _may_be_better_alone(judged: Judged) -> bool:
    return judged.status != "passed" and judged.diagnosis != "not-started"


def _alone(runs: SubmissionRuns, together: Judged, task: str) -> Judged:
    """Run a task alone; return the better of what it got, by the one way or by the other."""
    alone = runs.run(task)[task]
    too_late = alone.status == "timeout" and runs.is_over
    if together.status != "passed":
        is_better = alone.status == "passed" or not together.status
        return alone if is_better or too_late else together
    if alone.status == "passed":
        return alone
    # Perhaps other answers made it pass: one of them reaches for what it should not.
    reason = "It passes only together with other answers, one of which changes how Python works"
    if too_late:
        reason = "Another answer changes how Python works, and no time was left to run this alone"
    return replace(together, status="not-gradable", message=f"{reason}.")


def _result(
    exam: Exam, answers: Answers, name: str, judged: Judged, doubts: tuple[Beyond, ...]
) -> TaskResult:
    task = find(name)
    ids = [c.id for c in exam.sheet.cells if c.task == name and c.kind == "answer"]
    sources = [answers.sources[key] for key in ids if key in answers.sources]
    if judged.status == "passed" and doubts:
        # The numbers are right; whether they are the answer's own, its source leaves open.
        said = f"A person has to look at it: {listed(doubts)}."
        judged = replace(judged, status="not-gradable", message=said)
    elif judged.status != "passed" and not judged.message:
        status = judged.status or "error"
        judged = replace(judged, status=status, message="Its check was not reached.")
    elif name_of := defined_elsewhere(judged.message, answers.extra):
        said = f"`{name_of}` stands in a cell of its own, and only answer cells are graded."
        judged = replace(judged, status="not-gradable", message=f"{judged.message} {said}")
    points = task.points if judged.status == "passed" else 0
    code = "\n\n".join(sources)[:_MOST_CODE]
    return TaskResult(name, task.title, points, task.points, **vars(judged), code=code)
