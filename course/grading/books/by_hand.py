"""Apply what a person says in overrides.csv, which wins over every run: for the work it was for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from course.grading.books.course_file import CourseFile
from course.grading.books.due import with_lateness
from course.grading.books.identity import Directory
from course.grading.books.overrides import NOBODY, Override
from course.grading.report_folder import ReportFolder
from course.grading.results import Result, TaskResult
from course.grading.settings import text_hash
from course.notebooks.exercise_name import meant
from course.notebooks.write import read_json, write_json

EARLIER_WORK = "What overrides.csv decides was for earlier work: a person has to look at this one."
_MARKS = "overrides-applied.json"
_SAID = ("points", "reason", "times")  # of a mark: what the line says
_SLOTS = {"accept": "points"}  # of which kind a task has only one line
Place = tuple[str, str]  # a task, or "" for the whole exercise; and what is decided of it


@dataclass(frozen=True)
class Decisions:
    """What lines say of exercises, under the names of their students.

    Attributes:
        lines: by student and exercise, then by what is decided.
        owners: lines that say whose a file is.
        wrong: sentences on lines that cannot be used.
    """

    lines: dict[tuple[str, str], dict[Place, Override]] = field(default_factory=dict)
    owners: list[Override] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def owner(self, exercise: str, place: str) -> Override | None:
        """Return the line that says whose a file is; "" stands for any exercise."""
        own = (one for one in self.owners if exercise in ("", one.task) and is_named(place, one))
        return next(own, None)


def is_named(place: str, line: Override) -> bool:
    """Return whether a line names a file: by its place, or by as much of its end as is enough."""
    return f"/{place}".endswith(f"/{line.value}")


def decisions(
    overrides: Iterable[Override], directory: Directory, exercises: Sequence[str]
) -> Decisions:
    """Return what lines say, but for those that hold for the whole semester.

    Args:
        overrides: all lines.
        directory: of everybody who is known.
        exercises: the names of all exercises.
    """
    found = Decisions()
    for one in overrides:
        try:
            if one.task:
                _add(found, one, directory, exercises)
        except LookupError as error:
            found.wrong.append(f"{one.where}: {error.args[0]}")
    return found


def _add(found: Decisions, one: Override, directory: Directory, exercises: Sequence[str]) -> None:
    given = one.task if one.is_whole else one.task.partition(".")[0]
    exercise = meant(given, exercises)
    if not exercise:
        raise LookupError(f"there is no exercise {given!r}.")
    is_nobodys = one.kind == "is" and one.student.casefold() == NOBODY
    student = "" if is_nobodys else directory.one(one.student)
    if one.kind == "is":
        found.owners.append(replace(one, student=student, task=exercise))
        return
    place = "" if one.is_whole else one.task, _SLOTS.get(one.kind, one.kind)
    own = found.lines.setdefault((student, exercise), {})
    if place in own:
        if one.value != own[place].value or one.kind != own[place].kind:
            say = f"{one.task} of {student!r} is decided already in {own[place].where}, which holds"
            raise LookupError(f"{say}: delete one of the two.")
        one = replace(one, times=own[place].times + 1)
    own[place] = one


Mark = dict[str, Any]  # what a line says, and of which work


def decided(
    folder: ReportFolder, results: Sequence[Result], said: Decisions, course: CourseFile
) -> tuple[list[Result], list[str]]:
    """Return results with what was decided, and what is wrong with lines.

    A line that is wrong changes nothing, and takes nothing from the others. One that was written
    for earlier work of a student holds no more: a person has to look. One that gives an exercise 0
    points holds for those of its tasks that have no line.

    Args:
        folder: of the report, which remembers the work that each line was first applied to.
        results: of the whole report.
        said: what lines say.
        course: when work is due, and what lateness takes.

    Raises:
        OSError: it cannot be written.
    """
    left, known = dict(said.lines), _read_marks(folder)
    found, wrong = [], []
    kept: dict[str, Mark] = {}
    for result in results:
        own = left.pop((result.student, result.exercise), {})
        marks = {}
        for (task, slot), one in own.items():
            if slot == "points":
                name = f"{task or result.exercise} {result.student}"
                marks[task] = kept[name] = _first_mark(known.get(name), result, one)
            elif slot == "take" and not _holds(result, one):
                wrong.append(f"{one.where}: nothing handed in for it is called {one.value!r}.")
        found.append(_applied(result, own, marks, course))
    for (student, exercise), own in left.items():
        say = f"there is nothing of {exercise} by {student!r} in this report"
        # Times may be decided before there is work; nothing else gets lost in silence.
        used = (one for one in own.values() if one.kind not in ("late", "due"))
        wrong += [f"{one.where} is not used: {say}." for one in used]
    if said.lines:
        write_json(folder.path / _MARKS, kept)
    return found, wrong


def _holds(result: Result, line: Override) -> bool:
    """Return whether the file of a line is what was graded, or is asked about."""
    is_graded = is_named(f"{result.download}/{result.file}", line)
    return is_graded or any(str(line.value) in said for said in result.doubts)


def _read_marks(folder: ReportFolder) -> dict[str, Mark]:
    """Return what lines were first applied to, by task and student; nothing if that is damaged."""
    try:
        marks = read_json(folder.path / _MARKS)
        return {str(key): dict(mark) for key, mark in marks.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _first_mark(known: Mark | None, result: Result, one: Override) -> Mark:
    """Return what a line was first applied to, unless it says something else now."""
    now = {
        "points": f"{one.points:g}" if one.kind == "points" else "",
        "reason": one.reason,
        "times": str(one.times),
        "work": result.work,
        "doubts": [*map(text_hash, result.doubts)],
    }
    if not known:
        return now
    if all(known.get(name, "1") == now[name] for name in _SAID):
        return known
    return {**now, "doubts": [*now["doubts"], *known["doubts"]]}


def _applied(
    result: Result,
    own: Mapping[Place, Override],
    marks: Mapping[str, Mark],
    course: CourseFile,
) -> Result:
    """Return a result with what its lines decide, as far as they were for this work."""
    whole = {slot: one for (task, slot), one in own.items() if not task}
    same = {task for task, mark in marks.items() if mark["work"] == result.work}
    tasks = []
    for task in result.tasks:
        place = task.task if (task.task, "points") in own else ""
        one, remark = own.get((place, "points")), own.get((task.task, "comment"))
        done = _decided(task, one, place in same) if one else task
        tasks.append(replace(done, comment=remark.reason) if remark else done)
    # Points of one task say nothing of the others: a doubt is about all that earned points.
    by_task = all(task.by_hand for task in tasks if task.points)
    doubts = {*map(text_hash, result.doubts)}
    seen = bool(result.doubts) and any(
        doubts <= {*marks[task]["doubts"]} and (by_task or not task)
        for task in same
        if (task, "points") in own
    )
    comment = " ".join(one.reason for one in whole.values() if one.kind != "points").strip()
    after = replace(result, tasks=tuple(tasks), seen=seen, comment=comment)
    times = {slot: one.value for slot, one in whole.items()}
    return with_lateness(after, course, times.get("late"), times.get("due"))


def _decided(task: TaskResult, one: Override, is_of_this_work: bool) -> TaskResult:
    if not is_of_this_work:
        facts = {name: getattr(task, name) for name in ("task", "title", "max_points", "code")}
        proposed = None if task.is_open else task.points
        said = {"message": EARLIER_WORK, "points": 0, "proposed": proposed}
        return TaskResult("not-gradable", **said, **facts)
    points = one.points if one.kind == "points" else task.proposed
    if points is None:  # what the grader gave is accepted
        return task
    return replace(task, points=points, by_hand=True, reason=one.reason)
