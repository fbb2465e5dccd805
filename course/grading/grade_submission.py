"""Grade one submission: run its answers in the instructor's notebook, judge, look at the source."""

from dataclasses import dataclass, replace

from course.grading.conclusion import concluded
from course.grading.judge_cells import Judged
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet
from course.grading.results import TaskResult
from course.grading.stray_names import missing_name
from course.grading.submission_runs import Exam, SubmissionRuns
from helpers.checks.source_check import Flag, flags
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
    another answer did, from a crash to a setting left behind, takes its points. One that earned
    some runs alone, too, where an answer reaches for what it should not; and what an answer says
    then is what it says alone, without what another one may have read.
    """
    doubts = {task: _flags(exam.sheet, answers, task) for task in exam.sheet.tasks}
    suspicious = any(doubts.values())
    runs = SubmissionRuns(exam, answers)
    together = runs.run()
    results, late = [], False
    for place, task in enumerate(exam.sheet.tasks):
        judged = together[task]
        if suspicious and judged.share:
            judged = _confirmed(runs, judged, task)
        elif place and _may_be_better_alone(judged):
            judged = _better(runs, judged, task, only_alone=suspicious)
        late = late or judged.status == "timeout"
        results.append(_result(exam, answers, task, judged, doubts[task]))
    return Graded(tuple(results), late and runs.is_doubtful)


def _flags(sheet: Sheet, answers: Answers, task: str) -> tuple[Flag, ...]:
    """Return what looks like tampering in the answer to a task."""
    every = [cell for cell in sheet.cells if cell.kind == "answer"]
    own = [answers.sources.get(cell.id, "") for cell in every if cell.task == task]
    return flags(own, [answers.sources.get(cell.id, "") for cell in every if cell.task != task])


def _may_be_better_alone(judged: Judged) -> bool:
    return judged.status != "passed" and judged.diagnosis != "not-started"


def _better(
    runs: SubmissionRuns, together: Judged, task: str, *, only_alone: bool = False
) -> Judged:
    """Run a task alone; return the better of what it got, by the one way or by the other."""
    alone = runs.run(task)[task]
    if only_alone and together.raised:
        return alone
    too_late = alone.status == "timeout" and runs.is_over
    is_better = alone.share > together.share or not together.status
    return alone if is_better or (too_late and not together.share) else together


def _confirmed(runs: SubmissionRuns, together: Judged, task: str) -> Judged:
    """Run a task alone; return what it got if it is as much as together with all others."""
    alone = runs.run(task)[task]
    if alone.share >= together.share:
        return alone
    # Perhaps other answers earned it: one of them reaches for what it should not.
    does = "passes" if together.status == "passed" else "earns points"
    reason = f"It {does} only together with other answers, one of which changes how Python works"
    if name := missing_name(alone.message):
        reason = f"It {does} only together with other answers: it uses `{name}`"
    if alone.status == "timeout" and runs.is_over:
        reason = "Another answer changes how Python works, and no time was left to run this alone"
    return replace(together, status="not-gradable", message=f"{reason}.", parts=())


def _result(
    exam: Exam, answers: Answers, name: str, judged: Judged, doubts: tuple[Flag, ...]
) -> TaskResult:
    task = find(name)
    ids = [c.id for c in exam.sheet.cells if c.task == name and c.kind == "answer"]
    sources = [answers.sources[key] for key in ids if key in answers.sources]
    judged = concluded(exam.sheet, answers, name, judged, doubts)
    earned = sum(part.max_points for part in judged.parts if part.earned)
    points = {"passed": task.points, "partly": round(earned, 6)}.get(judged.status, 0)
    code = "\n\n".join(sources)[:_MOST_CODE]
    found = {key: value for key, value in vars(judged).items() if key != "raised"}
    return TaskResult(name, task.title, points, task.points, **found, code=code)
