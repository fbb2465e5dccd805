"""Apply what a person says in overrides.csv, which wins over every run: for the work it was for."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from course.grading.books.course_file import CourseFile
from course.grading.books.due import lateness_unknown, with_lateness
from course.grading.books.gradebook import number
from course.grading.books.identity import Directory
from course.grading.books.overrides import NOBODY, Override
from course.grading.fingerprint import text_hash
from course.grading.report_folder import ReportFolder
from course.grading.results import Result, TaskResult
from course.notebooks.exercise_name import means

EARLIER_WORK = "Points set by hand were for earlier work, so a person has to look at this one."
_MARKS = "overrides-applied.json"
_SLOTS = {"accept": "points"}  # of which kind a task has only one line
Place = tuple[str, str]  # a task, or "" for the whole exercise; and what is decided of it


@dataclass(frozen=True)
class Decisions:
    """What lines say of exercises, under the names of their students.

    Attributes:
        lines: by student and exercise, then by what is decided.
        owners: lines that say whose a file is, by exercise and file.
        wrong: sentences on lines that cannot be used.
    """

    lines: dict[tuple[str, str], dict[Place, Override]] = field(default_factory=dict)
    owners: dict[tuple[str, str], Override] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    @property
    def files(self) -> dict[tuple[str, str], str]:
        """Return students by exercise and file; "" for nobody."""
        return {place: one.student for place, one in self.owners.items()}

    @property
    def taken(self) -> dict[tuple[str, str], str]:
        """Return files by student and exercise."""
        found = ((key, own.get(("", "take"))) for key, own in self.lines.items())
        return {key: str(one.value) for key, one in found if one}


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
    exercise = next((name for name in exercises if means(given, name)), "")
    if not exercise:
        raise LookupError(f"there is no exercise {given!r}.")
    is_nobodys = one.kind == "is" and one.student.casefold() == NOBODY
    student = "" if is_nobodys else directory.one(one.student)
    if one.kind == "is":
        found.owners[exercise, str(one.value)] = replace(one, student=student)
        return
    place = "" if one.is_whole else one.task, _SLOTS.get(one.kind, one.kind)
    own = found.lines.setdefault((student, exercise), {})
    if place in own:
        say = f"{one.task} of {student!r} is decided already in {own[place].where}, which holds"
        raise LookupError(f"{say}: delete one of the two.")
    own[place] = one


@dataclass(frozen=True)
class Decided:
    """A report with what was decided by hand.

    Attributes:
        results: of the report.
        wrong: sentences on lines that cannot be used.
        idle: the lines that change nothing.
    """

    results: list[Result] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    idle: list[Override] = field(default_factory=list)


@dataclass(frozen=True)
class _Line:
    """A line of overrides.csv, and what is known of when it was written."""

    override: Override
    is_of_this_work: bool
    has_seen_doubts: bool


Lines = Mapping[Place, _Line]


def decided(
    folder: ReportFolder, results: Sequence[Result], said: Decisions, course: CourseFile
) -> Decided:
    """Return the results with what was decided of them.

    A line that is wrong changes nothing, and takes nothing from the others. One that was written
    for earlier work of a student holds no more: a person has to look. One that gives an exercise 0
    points holds for those of its tasks that have no line.

    Args:
        folder: of the report, which remembers the work that each line was first applied to.
        results: of the whole report.
        said: what lines say.
        course: when work is due, and what lateness takes.

    Raises:
        ReportError: it cannot be written.
    """
    found, left, marks = Decided(), dict(said.lines), _read_marks(folder)
    kept: dict[str, dict[str, str]] = {}
    for result in results:
        own = left.pop((result.student, result.exercise), {})
        lines = {place: _line(result, place, one, marks, kept) for place, one in own.items()}
        found.results.append(_applied(result, lines, course))
        found.wrong.extend(_without_points(result, lines))
        found.idle.extend(own[place] for place in lines if _is_idle(result, place, lines, course))
    for (student, exercise), own in left.items():
        for one in own.values():
            if one.kind == "points":  # nobody's points get lost in silence
                say = f"there is nothing of {exercise} by {student!r} in this report"
                found.wrong.append(f"{one.where} is not used: {say}.")
            else:
                found.idle.append(one)
    if said.lines:
        folder.write(_MARKS, json.dumps(kept, indent=1) + "\n")
    return found


def idle_lines(lines: Iterable[Override]) -> list[str]:
    """Return a sentence that names lines which change nothing; or none."""
    numbers = sorted({int(one.where.rpartition(" ")[2]) for one in lines})
    named = ", ".join(map(str, numbers))
    return [f"Lines of overrides.csv that change nothing so far: {named}."] if numbers else []


def _read_marks(folder: ReportFolder) -> dict[str, dict[str, str]]:
    """Return what lines were first applied to, by task and student; nothing if that is damaged."""
    try:
        data = json.loads((folder.path / _MARKS).read_text(encoding="utf-8"))
        return {str(key): dict(mark) for key, mark in data.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _line(
    result: Result,
    place: Place,
    one: Override,
    known: Mapping[str, dict[str, str]],
    kept: dict[str, dict[str, str]],
) -> _Line:
    """Return a line, and keep what it was first applied to, unless it says something else now."""
    task, slot = place
    points = f"{one.points:g}" if one.kind == "points" else ""
    doubts = text_hash("\n".join(result.doubts))
    now = {"points": points, "reason": one.reason, "work": result.work, "doubts": doubts}
    if slot not in ("points", "comment"):
        return _Line(one, True, False)
    key = f"{task or result.exercise} {result.student}{' comment' * (slot == 'comment')}"
    first = known.get(key, now)
    if any(first.get(name) != now[name] for name in ("points", "reason")):
        first = now
    kept[key] = first
    is_same = first["work"] == now["work"]
    return _Line(one, is_same, is_same and first["doubts"] == now["doubts"])


def _is_idle(result: Result, place: Place, lines: Lines, course: CourseFile) -> bool:
    """Return whether a line changes nothing, even alone."""
    if place[1] == "take":
        return lines[place].override.value not in (result.file, result.file.rpartition("/")[2])
    if place[1] in ("late", "due") and lateness_unknown(result, course):
        return False
    return _applied(result, {place: lines[place]}, course) == _applied(result, {}, course)


def _without_points(result: Result, lines: Lines) -> Iterator[str]:
    """Yield what is wrong where somebody accepts work that has no points: no quiet 0."""
    whole = lines.get(("", "points"))
    if not whole or whole.override.kind != "accept" or not whole.is_of_this_work:
        return
    names = [
        task.task
        for task in result.tasks
        if task.status == "not-gradable"
        and task.proposed is None
        and (task.task, "points") not in lines
    ]
    if names:
        say = f"{', '.join(names)} of {result.student!r} has no points that could be accepted"
        yield (
            f"{whole.override.where}: {say}: give points for each task, a line a task, or 0 points "
            f"for all by a line with {result.exercise}."
        )


def _applied(result: Result, lines: Lines, course: CourseFile) -> Result:
    def value(slot: str) -> Any:
        line = lines.get(("", slot))
        return line and (line.override.reason if slot == "comment" else line.override.value)

    whole = lines.get(("", "points"))
    tasks = [_decided(task, lines.get((task.task, "points"), whole)) for task in result.tasks]
    tasks = [_commented(task, lines.get((task.task, "comment"))) for task in tasks]
    # Points of one task say nothing of the others: a doubt is about all that earned points.
    by_task = all(task.by_hand for task in tasks if task.points)
    own = [lines.get((task.task, "points")) for task in result.tasks] if by_task else []
    seen = any(one.has_seen_doubts for one in (whole, *own) if one)
    comment = value("comment") or ""
    after = replace(result, tasks=tuple(tasks), seen=bool(seen and result.doubts), comment=comment)
    return with_lateness(after, course, value("late"), value("due"))


def _commented(task: TaskResult, line: _Line | None) -> TaskResult:
    return replace(task, comment=line.override.reason) if line else task


def _decided(task: TaskResult, line: _Line | None) -> TaskResult:
    if line is None:
        return task
    one = line.override
    points = one.points if one.kind == "points" else task.proposed
    if points is None:  # what the grader gave is accepted
        return task
    if line.is_of_this_work:
        return replace(task, points=points, by_hand=True, reason=one.reason)
    got = f"The grader gives {number(task.points)} of {number(task.max_points)} to the new work."
    if task.is_open:
        got = f"The new work has no grade: {task.message}".rstrip(" :")
    said = f"{EARLIER_WORK} {got}"
    facts = task.task, task.title, 0, task.max_points, "not-gradable"
    return TaskResult(*facts, message=said, code=task.code)
