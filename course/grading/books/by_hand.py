"""Apply what a person says in overrides.csv, which wins over every run: for the work it was for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from course.grading.books.gradebook import number
from course.grading.books.needs import EARLIER_WORK
from course.grading.books.override_marks import Mark, first_mark, mark_of
from course.grading.books.overrides import (
    Override,
    OverrideError,
    called_so,
    check_points,
    not_one,
    other_names,
)
from course.grading.results import Result, TaskResult
from course.notebooks.exercise_name import means
from helpers.checks.tasks import find, number_of


@dataclass(frozen=True)
class _Line:
    """A line of overrides.csv, and what is known of when it was written."""

    override: Override
    is_of_this_work: bool
    has_seen_doubts: bool


def apply_overrides(
    results: Sequence[Result], overrides: Sequence[Override], marks: dict[str, Mark]
) -> tuple[list[Result], dict[str, Mark], list[str]]:
    """Return the results with points set by hand, the marks to keep, and what is wrong with lines.

    A line that is wrong changes nothing, and takes nothing from the others.

    A line that was written for earlier work of a student holds no more: a person has to look.

    A line that gives an exercise 0 points holds for those of its tasks that have no line.

    Args:
        results: of the whole report.
        overrides: the lines that are about it.
        marks: which work each line was first applied to.
    """
    wrong: list[str] = []
    lines: dict[tuple[str, str], _Line] = {}
    kept: dict[str, Mark] = {}
    others = other_names(results)
    own: dict[str, list[Result]] = {}
    for result in results:
        own.setdefault(result.student, []).append(result)
    for override in overrides:
        try:
            student = _student(override, sorted(own), others)
            result, name = _place(override, own[student])
        except OverrideError as error:
            wrong.append(str(error))
            continue
        if (student, name) in lines:
            first = lines[student, name].override.where
            say = f"{name} of {student!r} is set already in {first}, which holds"
            wrong.append(f"{override.where}: {say}: delete one of the two.")
            continue
        now = mark_of(result, override.points, override.reason)
        key = f"{name} {student}"
        kept[key] = first = first_mark(marks.get(key), now)
        is_same = first["work"] == now["work"]
        lines[student, name] = _Line(
            override, is_same, is_same and first["doubts"] == now["doubts"]
        )
    for result in results:
        if said := _without_points(result, lines):
            wrong.append(said)
            del lines[result.student, result.exercise]
            del kept[f"{result.exercise} {result.student}"]
    return [_applied(result, lines) for result in results], kept, wrong


def _without_points(result: Result, lines: dict[tuple[str, str], _Line]) -> str:
    """Return what is wrong where somebody has looked at work, and gave it no points: no quiet 0."""
    whole = lines.get((result.student, result.exercise))
    names = [
        task.task
        for task in result.tasks
        if task.status == "not-gradable" and (result.student, task.task) not in lines
    ]
    if not names or not whole or whole.override.points is not None or not whole.is_of_this_work:
        return ""
    say = f"{', '.join(names)} of {result.student!r} has no grade that could stand"
    return (
        f"{whole.override.where}: {say}: give points for each task, a line a task, or 0 points "
        f"for all by a line with {result.exercise}."
    )


def set_aside(overrides: Sequence[Override], results: Sequence[Result]) -> list[Override]:
    """Return the overrides for exercises of the course that are not in the report."""
    tasks = {task.task for result in results for task in result.tasks}
    exercises = {result.exercise for result in results}
    return [
        one
        for one in overrides
        if one.task not in tasks
        and not any(means(one.task, name) for name in exercises)
        and _is_of_the_course(one)
    ]


def _is_of_the_course(override: Override) -> bool:
    try:
        (number_of if override.is_whole else find)(override.task)
    except LookupError:
        return False
    return True


def _student(override: Override, students: Sequence[str], others: dict[str, set[str]]) -> str:
    names = called_so(override.student, students, others)
    if len(names) != 1:
        raise OverrideError(f"{override.where}: {not_one(override.student, students, others)}")
    return names[0]


def _place(override: Override, results: Sequence[Result]) -> tuple[Result, str]:
    """Return the result that a line is about, and the name of its task, or of the exercise."""
    known = {}
    for result in results:
        if override.is_whole and means(override.task, result.exercise):
            return result, result.exercise
        for task in result.tasks:
            known[task.task] = task
            if task.task == override.task:
                check_points(override, task.max_points)
                return result, task.task
    what = "exercise" if override.is_whole else "task"
    there = sorted({result.exercise for result in results} if what == "exercise" else known)
    say = f"there is no {what} {override.task!r} of this student in the report"
    raise OverrideError(f"{override.where}: {say}: there are {', '.join(there)}.")


def _applied(result: Result, lines: dict[tuple[str, str], _Line]) -> Result:
    whole = lines.get((result.student, result.exercise))
    rest = whole if whole and whole.override.points is not None else None
    own = [lines.get((result.student, task.task), rest) for task in result.tasks]
    tasks = [_set(task, line) for task, line in zip(result.tasks, own, strict=True)]
    # Points of one task say nothing of the others: a doubt is about all that earned points.
    by_task = all(task.by_hand for task in tasks if task.points)
    seen = any(line.has_seen_doubts for line in ((whole, *own) if by_task else (whole,)) if line)
    return replace(result, tasks=tuple(tasks), seen=seen)


def _set(task: TaskResult, line: _Line | None) -> TaskResult:
    if line is None:
        return task
    if line.is_of_this_work:
        points, reason = line.override.points, line.override.reason
        return replace(task, points=points, by_hand=True, reason=reason)
    blank = {"points": 0, "diagnosis": "", "passed": (), "failed": (), "hidden": (), "parts": ()}
    blank |= {"why": "", "look": ""}
    got = f"The grader gives {number(task.points)} of {number(task.max_points)} to the new work."
    if task.is_open:
        got = f"The new work has no grade: {task.message}".rstrip(" :")
    said = f"{EARLIER_WORK} {got}"
    return replace(task, status="not-gradable", message=said, **blank)
