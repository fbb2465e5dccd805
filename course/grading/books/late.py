"""Take points for work that came late, as course.toml says."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from course.grading.books.course_file import CourseFile
from course.grading.books.overrides import find_student, other_names
from course.grading.books.tally import is_handed_in
from course.grading.reading.handed_in import TELLS_TIMES
from course.grading.reading.moments import moment_of
from course.grading.results import Result, TaskResult

_DAY = timedelta(days=1)
_NONE: Mapping[str, str] = {}
_UNKNOWN = (
    "The learning platform marks it as late, and does not say how late: set the points of its "
    "tasks in overrides.csv, or let them stand by a line there with the exercise as the task and "
    "no points."
)


def with_lateness(
    results: Sequence[Result],
    course: CourseFile,
    times: Mapping[str, str] = _NONE,
    names: Iterable[str] = (),
) -> list[Result]:
    """Return the results with `lateness`, and tasks with what it took from their points.

    The time is the platform's: that of nbgrader, Blackboard and Gradescope stands in the download,
    that of Moodle in its grading worksheet. Times of files are not used, for they may be those of
    the download. Where only a mark says that work is late, a person has to set the points if a
    penalty is set; `doubts` says so.

    Points that are set by hand stay, and no task gets less than 0.

    Args:
        results: with points set by hand.
        course: when work is due, and what lateness takes.
        times: when Moodle's participants handed in, by number.
        names: of those in the class of whom there may be no result.
    """
    extended: dict[str, dict[str, datetime]] = {}
    for name, students in _meant(results, course, names).items():
        if len(students) == 1:
            own = extended.setdefault(students[0], {})
            own |= {**course.extensions[name], **own}
    return [_judged(one, course, times, extended.get(one.student, {})) for one in results]


def unknown_extensions(
    results: Sequence[Result], course: CourseFile, names: Iterable[str] = ()
) -> list[str]:
    """Return sentences on extensions that nobody gets: misspelt, or of a name that two have.

    Args:
        results, course, names: as for `with_lateness`.
    """
    return [
        f"course.toml has an extension for {name!r}, and "
        f"{'more than one student is' if students else 'no student is'} called so, so that nobody "
        "gets it: copy the name from grades.csv, or delete the line."
        for name, students in _meant(results, course, names).items()
        if len(students) != 1
    ]


def _meant(
    results: Sequence[Result], course: CourseFile, names: Iterable[str]
) -> dict[str, list[str]]:
    """Return whom each extension means: by the name in the report, or else by that of a download.

    People choose what a download calls them, so the name of another one gets nobody anything.
    """
    students = sorted({*names, *(result.student for result in results)})
    others = other_names(results)
    return {name: find_student(name, students, others) for name in course.extensions}


def without_times(
    results: Sequence[Result], course: CourseFile, times: Mapping[str, str] = _NONE
) -> list[str]:
    """Return sentences on work that would lose points if it came late, and may have."""
    found = []
    for exercise in course.due if course.late.penalty_per_day else ():
        work = [one for one in results if one.exercise == exercise and is_handed_in(one)]
        # Canvas marks what is late, so that what has no mark came in time.
        work = [one for one in work if one.person.platform != "canvas" and not one.marked_late]
        blind = [one for one in work if not _time_of(one, times)]
        if blind:
            found.append(
                f"{exercise}: of {_counted(len(blind), 'submission')} no time is known, so that "
                "it counts as in time; for Moodle, give its grading worksheet, in English, with "
                "--roster."
            )
    return found


def _time_of(result: Result, times: Mapping[str, str]) -> str:
    # A participant's number is of one assignment, so it is never the time of another week.
    if result.person.platform == "moodle":
        time = times.get(result.person.number, "")
        return time if moment_of(time) else ""
    is_known = result.person.platform in TELLS_TIMES and moment_of(result.handed_in)
    return result.handed_in if is_known else ""


def _judged(
    result: Result,
    course: CourseFile,
    times: Mapping[str, str],
    extensions: Mapping[str, datetime],
) -> Result:
    if not is_handed_in(result):
        return result
    time = _time_of(result, times)
    result = replace(result, handed_in=time or result.handed_in)
    due = extensions.get(result.exercise) or course.due.get(result.exercise)
    if time and due:
        return _penalised(result, course, _aware(due), _aware(datetime.fromisoformat(time)))
    if result.marked_late:
        may_lose = any(task.points and not task.by_hand for task in result.tasks)
        asks = course.late.penalty_per_day and may_lose
        doubts = (*result.doubts, _UNKNOWN) if asks else result.doubts
        return replace(result, doubts=doubts, lateness="Handed in late.")
    return result


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
