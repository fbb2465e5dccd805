"""Take points for work that came late, as course.toml says."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType

from course.grading.books.course_file import CourseFile
from course.grading.books.overrides import called_so, not_one, other_names
from course.grading.books.roster import RosterEntry
from course.grading.books.tally import is_handed_in
from course.grading.reading.handed_in import TELLS_TIMES
from course.grading.reading.moments import moment_of
from course.grading.results import Result, TaskResult

MoodleTimes = Mapping[str, RosterEntry]  # by the participant's number
NO_TIMES: MoodleTimes = MappingProxyType({})
_DAY = timedelta(days=1)
_DECIDE = (
    "set the points of its tasks in overrides.csv, or let them stand by a line there with the "
    "exercise as the task and no points."
)
_UNKNOWN = f"The learning platform marks it as late, and does not say how late: {_DECIDE}"
_DRAFT = (
    "Moodle's grading worksheet calls it a draft, which was not submitted: let the points stand by "
    "a line in overrides.csv with the exercise as the task and no points, or set them to 0 by one "
    "with the exercise and 0 points."
)


def with_doubts_on_times(
    results: Sequence[Result],
    course: CourseFile,
    times: MoodleTimes = NO_TIMES,
    names: Iterable[str] = (),
) -> list[Result]:
    """Return the results with doubts on work of which nobody knows whether it came, or how late.

    That is a draft; and, where lateness would take points, work that Canvas marks as late, and
    work of Moodle of which no worksheet says a time.

    Args:
        results: before points are set by hand, so that a line for earlier doubts hides no new one.
        course: when work is due, and what lateness takes.
        times: what Moodle's worksheets say.
        names: of those in the class of whom there may be no result.
    """
    extended = _extended(results, course, names)
    found = []
    for one in results:
        doubts = [_DRAFT] if _is_draft(one, times) else []
        if _may_lose(one, course):
            is_due = _due(one, course, extended) is not None
            doubts += _late_doubts(one, times, is_due=is_due)
        found.append(replace(one, doubts=(*one.doubts, *doubts)))
    return found


def _may_lose(result: Result, course: CourseFile) -> bool:
    may_lose = any(task.points for task in result.tasks)
    return bool(course.late.penalty_per_day and may_lose and is_handed_in(result))


def _late_doubts(result: Result, times: MoodleTimes, *, is_due: bool) -> list[str]:
    """Return why nobody knows how late work came; nothing if that is known, or nobody was to say.

    Args:
        result: that may lose points.
        times: what Moodle's worksheets say.
        is_due: whether anything says when it is due.
    """
    if is_due and _time_of(result, times):
        return []
    if result.marked_late:
        return [_UNKNOWN]
    if not is_due or result.person.platform != "moodle":
        return []
    own = times.get(result.person.number)
    if own is None:
        said = "No grading worksheet of Moodle's says when it came, and the download does not"
    else:
        said = "Moodle's grading worksheet says no time of it that can be read"
    return [
        f"{said}, so that nobody knows whether it is late: give a new worksheet of this exercise, "
        f"downloaded in English, with --roster; or {_DECIDE}"
    ]


def _is_draft(result: Result, times: MoodleTimes) -> bool:
    own = times.get(result.person.number) if result.person.platform == "moodle" else None
    return bool(own and own.is_draft and is_handed_in(result))


def with_lateness(
    results: Sequence[Result],
    course: CourseFile,
    times: MoodleTimes = NO_TIMES,
    names: Iterable[str] = (),
) -> list[Result]:
    """Return the results with `lateness`, and tasks with what it took from their points.

    The time is the platform's: that of nbgrader, Blackboard and Gradescope stands in the download,
    that of Moodle in its grading worksheet. Times of files are not used, for they may be those of
    the download.

    Points that are set by hand stay, and no task gets less than 0.

    Args:
        results: with points set by hand.
        course: when work is due, and what lateness takes.
        times: what Moodle's worksheets say.
        names: of those in the class of whom there may be no result.
    """
    extended = _extended(results, course, names)
    return [_judged(result, course, extended, times) for result in results]


def unknown_extensions(
    results: Sequence[Result], course: CourseFile, names: Iterable[str] = ()
) -> list[str]:
    """Return sentences on extensions that nobody gets: whose name is nobody's, or of several.

    Args:
        results, course, names: as for `with_lateness`.
    """
    students, others = _students(results, names), other_names(results)
    return [
        f"course.toml has an extension for {name!r}, which nobody gets: "
        f"{not_one(name, students, others)}"
        for name in course.extensions
        if len(called_so(name, students, others)) != 1
    ]


def _extended(
    results: Sequence[Result], course: CourseFile, names: Iterable[str]
) -> dict[str, dict[str, datetime]]:
    """Return by student what is due when for them alone.

    The name in the report comes first: people choose what a download calls them.
    """
    students, others = _students(results, names), other_names(results)
    found: dict[str, dict[str, datetime]] = {}
    for name, times in course.extensions.items():
        meant = called_so(name, students, others)
        if len(meant) == 1:
            found.setdefault(meant[0], {}).update(times)
    return found


def _students(results: Sequence[Result], names: Iterable[str]) -> list[str]:
    return sorted({*names, *(result.student for result in results)})


def without_times(results: Sequence[Result], course: CourseFile) -> list[str]:
    """Return sentences on work that would lose points if it came late, and may have."""
    found = []
    for exercise in course.due if course.late.penalty_per_day else ():
        work = [one for one in results if one.exercise == exercise and is_handed_in(one)]
        # Canvas marks what is late, and who came by Moodle has a doubt of their own.
        work = [one for one in work if one.person.platform not in ("canvas", "moodle")]
        blind = [one for one in work if not _time_of(one) and not one.marked_late]
        if blind:
            found.append(
                f"{exercise}: of {_counted(len(blind), 'submission')} no time is known, so that "
                "it counts as in time."
            )
    return found


def _time_of(result: Result, times: MoodleTimes = NO_TIMES) -> str:
    # A participant's number is of one assignment, so it is never the time of another week.
    if result.person.platform == "moodle":
        own = times.get(result.person.number)
        return own.handed_in if own else ""
    is_known = result.person.platform in TELLS_TIMES and moment_of(result.handed_in)
    return result.handed_in if is_known else ""


def _judged(
    result: Result,
    course: CourseFile,
    extended: dict[str, dict[str, datetime]],
    times: MoodleTimes,
) -> Result:
    if not is_handed_in(result):
        return result
    time = _time_of(result, times)
    result = replace(result, handed_in=time or result.handed_in)
    due = _due(result, course, extended)
    if time and due:
        return _penalised(result, course, due, _aware(datetime.fromisoformat(time)))
    if result.marked_late:
        return replace(result, lateness="Handed in late.")
    return result


def _due(
    result: Result, course: CourseFile, extended: dict[str, dict[str, datetime]]
) -> datetime | None:
    own = extended.get(result.student, {})
    due = own.get(result.exercise) or course.due.get(result.exercise)
    return _aware(due) if due else None


def _aware(time: datetime) -> datetime:
    """Return a time with its zone: that of this machine, where none is said."""
    return time if time.tzinfo else time.astimezone()


def _penalised(result: Result, course: CourseFile, due: datetime, time: datetime) -> Result:
    rules = course.late
    late = time - due
    if late <= rules.grace:
        return result
    days = math.ceil((late - rules.grace) / _DAY)
    share = min(days * rules.penalty_per_day, rules.at_most)
    said = f"Handed in {_span(late)} late: it was due on {due:%Y-%m-%d at %H:%M}."
    tasks = tuple(_reduced(task, share) for task in result.tasks)
    if any(task.lost for task in tasks):
        said += f" {100 * share:.4g} % of the points are taken for that."
    return replace(result, tasks=tasks, lateness=said)


def _reduced(task: TaskResult, share: float) -> TaskResult:
    if task.by_hand or task.is_open:
        return task
    lost = round(task.points * share, 4)
    return replace(task, points=round(task.points - lost, 6), lost=lost)


def _span(late: timedelta) -> str:
    """Return a time in words, rounded up.

    >>> _span(timedelta(minutes=1)), _span(timedelta(hours=30)), _span(timedelta(hours=2))
    ('1 minute', '2 days', '2 hours')
    """
    for unit, length in (("day", _DAY), ("hour", timedelta(hours=1))):
        if late > length or (unit == "hour" and late == length):
            return _counted(math.ceil(late / length), unit)
    return _counted(math.ceil(late / timedelta(minutes=1)), "minute")


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
