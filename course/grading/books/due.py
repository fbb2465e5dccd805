"""Take points for late work: as many for each started day as course.toml says."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from course.grading.books.course_file import CourseFile
from course.grading.results import Result, TaskResult

LATENESS_UNKNOWN = "The platform marks it as late and does not say how late."
_DAY, _HOUR = 24 * 60, 60  # in minutes


def with_lateness(
    result: Result, course: CourseFile, hours: float | None = None, due: datetime | None = None
) -> Result:
    """Return a result with `lateness`, and its tasks without the points that it takes.

    Tasks lose points in proportion to what they earned. Points set by hand stay.

    Args:
        result: with points set by hand.
        course: when work is due, and how many points a day takes.
        hours: how late a person says that it came, whatever times are recorded; 0 for in time.
        due: when it was due for this student, if a person says so.
    """
    due = due or course.due.get(result.exercise)
    late = _minutes(result.handed_in, due) if hours is None else _HOUR * hours
    if late <= 0:
        return result
    said = f"Handed in {_span(late)} late"
    said += f": it was due on {due:%Y-%m-%d at %H:%M}." if due else "."
    earned = sum(map(_earned, result.tasks))
    days = math.ceil(late / _DAY)
    taken = round(min(days * course.points_per_day, course.at_most, earned), 4)
    if taken:
        said += f" This takes {_counted(taken, 'point')}."
    tasks = tuple(_reduced(result.tasks, taken / (earned or 1)))
    return replace(result, tasks=tasks, lateness=said)


def lateness_unknown(result: Result, course: CourseFile) -> str:
    """Return a sentence if work may lose points for lateness, and nobody knows how late it is.

    The sentence is for the instructor. If there is nothing to say, it is "".
    """
    may_lose = course.points_per_day and any(map(_earned, result.tasks))
    is_unknown = result.marked_late and not result.handed_in and may_lose
    return LATENESS_UNKNOWN if is_unknown else ""


def without_times(results: Iterable[Result], course: CourseFile) -> list[str]:
    """Return a sentence on submissions that count as in time, since no time is recorded; or none.

    Args:
        results: that `with_lateness` returned.
        course: when work is due, and how many points a day takes.
    """
    blind = sum(
        one.exercise in course.due
        # Canvas records no times. What it does not mark as late is in time.
        and not (one.handed_in or one.lateness or one.person.platform == "canvas")
        and any(map(_earned, one.tasks))
        for one in results
    )
    said = f"Submissions without a recorded time, which count as in time: {blind}."
    return [said] if course.points_per_day and blind else []


def _earned(task: TaskResult) -> float:
    """Return the points of a task that lateness may take."""
    return 0 if task.by_hand or task.is_open else task.points


def _minutes(handed_in: str, due: datetime | None) -> float:
    """Return how late it came; 0 if nobody knows. Times without a zone are in this machine's."""
    if not handed_in or not due:
        return 0
    late = datetime.fromisoformat(handed_in).astimezone() - due.astimezone()
    return late / timedelta(minutes=1)


def _reduced(tasks: Iterable[TaskResult], share: float) -> Iterator[TaskResult]:
    """Take a share of all points; rounding their sums lets no point get lost or taken twice."""
    so_far = 0.0
    for task in tasks:
        before = round(share * so_far, 4)
        so_far += _earned(task)
        lost = round(round(share * so_far, 4) - before, 4)
        yield replace(task, points=round(task.points - lost, 6), lost=lost)


def _span(minutes: float) -> str:
    """Return a time in words, rounded up.

    >>> _span(0.1), _span(60), _span(61)
    ('1 minute', '60 minutes', '2 hours')
    """
    if minutes <= _HOUR:
        return _counted(math.ceil(minutes), "minute")
    return _counted(math.ceil(minutes / _HOUR), "hour")


def _counted(count: float, unit: str) -> str:
    return f"{count:g} {unit}{'' if count == 1 else 's'}"
