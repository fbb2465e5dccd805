"""Grade one submission: run its answers in the instructor's notebook, judge, look at the source."""

from dataclasses import dataclass, replace

from course.grading.conclusion import OPEN, concluded, doubts_about, is_untouched, written
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet
from course.grading.results import Judged, TaskResult
from course.grading.stray_names import Stray, stray_code
from course.grading.submission_runs import Exam, SubmissionRuns
from helpers.checks.source_check import Flag
from helpers.checks.tasks import find

_MOST_CODE = 200_000  # characters of an answer, or of other cells, that are kept; pages show less
_ONLY_TOGETHER = (
    "It earns its points only together with other answers, one of which changes how Python works."
)


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
    doubts = {task: doubts_about(exam.sheet, answers, task) for task in exam.sheet.tasks}
    suspicious = any(doubts.values())
    runs = SubmissionRuns(exam, answers)
    shown = runs.run()
    for place, (task, judged) in enumerate(shown.items()):
        if suspicious and judged.share:
            shown[task] = _confirmed(runs, judged, task)
        elif place and judged.status != "passed" and judged.diagnosis != "not-started":
            shown[task] = _better(runs, judged, task, only_alone=suspicious)
    late = any(judged.status == "timeout" for judged in shown.values()) and runs.is_doubtful
    # Proposals come last: they take no time from the grades.
    results = [
        _result(runs, exam.sheet, answers, task, shown[task], doubts[task]) for task in shown
    ]
    return Graded(tuple(results), late)


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
    said = f"{_ONLY_TOGETHER} {alone.message}".strip()
    return replace(together, status="not-gradable", message=said, parts=(), raised=alone.raised)


def _result(
    runs: SubmissionRuns,
    sheet: Sheet,
    answers: Answers,
    name: str,
    judged: Judged,
    doubts: tuple[Flag, ...],
) -> TaskResult:
    task, code = find(name), "\n\n".join(written(sheet, answers, name))
    stray, measured = None, judged
    if judged.status not in OPEN and not (doubts and judged.share):
        stray, measured = _question(runs, sheet, answers, name, judged)
    found = concluded(sheet, answers, name, judged, doubts, stray)
    points, proposed = (round(one.share * task.points, 6) for one in (found, measured))
    if stray and proposed:
        said = f"{found.message} With that: {proposed:g} of {task.points:g}."
        found = replace(found, message=said)
    elsewhere = ("\n\n".join(stray.cells) or code) if stray else ""
    return TaskResult(
        **vars(found),
        task=name,
        title=task.title,
        points=points,
        max_points=task.points,
        code=code[:_MOST_CODE],
        elsewhere=elsewhere[:_MOST_CODE],
        proposed=(proposed or None) if found.status == "not-gradable" else None,
    )


def _question(
    runs: SubmissionRuns, sheet: Sheet, answers: Answers, task: str, judged: Judged
) -> tuple[Stray | None, Judged]:
    """Return the code that a person has to look at, if any, and what the task shows with it.

    If a run shows that an answer earns no more with that code, nobody has to look.
    """
    stray = stray_code(sheet, answers, task, judged.message)
    if not stray:
        return None, judged
    if doubts_about(sheet, answers, task, stray.cells):
        return stray, Judged("")
    found = runs.run(task, stray.sheet)[task]
    if found.share > judged.share:
        return stray, found
    is_certain = found.status in ("failed", "partly") and not runs.raised(task)
    if is_certain and not stray.renamed and not is_untouched(sheet, answers, task):
        return None, judged
    return stray, Judged("")
