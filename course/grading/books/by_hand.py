"""Apply what a person says in overrides.csv, which wins over every run: for the work it was for."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from course.grading.books.due import Lateness
from course.grading.books.gradebook import number
from course.grading.books.identity import Directory
from course.grading.books.override_marks import Mark, first_mark, mark_of
from course.grading.books.overrides import NOBODY, Override
from course.grading.results import Result, TaskResult
from course.notebooks.exercise_name import means

EARLIER_WORK = "Points set by hand were for earlier work, so a person has to look at this one."
_SLOTS = {"accept": "points"}  # of which kind a task has only one line
_MOST_NAMED = 4


@dataclass(frozen=True)
class Sayings:
    """What lines say of whose work a file is, which file counts, and when work is due.

    Attributes:
        files: students by exercise and file; "" for nobody.
        taken: files by student and exercise.
        late: by student and exercise, how late work is or when it is due.
        named: where each file that a line names is named, by the exercise and the file.
        wrong: sentences on lines that cannot be used.
    """

    files: dict[tuple[str, str], str] = field(default_factory=dict)
    taken: dict[tuple[str, str], str] = field(default_factory=dict)
    late: dict[tuple[str, str], Lateness] = field(default_factory=dict)
    named: dict[tuple[str, str], str] = field(default_factory=dict)
    wrong: tuple[str, ...] = ()


def called(overrides: Sequence[Override]) -> list[tuple[str, str]]:
    """Return student and key of the lines that hold for the whole semester."""
    return [(one.student, str(one.value)) for one in overrides if one.kind == "is" and not one.task]


def sayings(
    overrides: Sequence[Override], directory: Directory, exercises: Sequence[str]
) -> Sayings:
    """Return what lines say besides points.

    Args:
        overrides: all lines.
        directory: of everybody who is known.
        exercises: the names of all exercises.
    """
    said = Sayings()
    wrong = []
    for one in overrides:
        if one.kind not in ("is", "take", "late", "due") or not one.task:
            continue
        exercise = next((name for name in exercises if means(one.task, name)), "")
        if not exercise:
            wrong.append(f"{one.where}: there is no exercise {one.task!r}.")
            continue
        if one.kind in ("is", "take"):
            said.named[exercise, str(one.value)] = one.where
        if one.kind == "is" and one.student.casefold() == NOBODY:
            said.files[exercise, str(one.value)] = ""
            continue
        names = directory.named(one.student)
        if len(names) != 1:
            wrong.append(f"{one.where}: {not_one(one.student, names)}")
            continue
        if one.kind == "is":
            said.files[exercise, str(one.value)] = names[0]
        elif one.kind == "take":
            said.taken[names[0], exercise] = str(one.value)
        else:
            before = said.late.get((names[0], exercise), Lateness())
            change = {"hours": one.value} if one.kind == "late" else {"due": one.value}
            said.late[names[0], exercise] = replace(before, **change)
    return replace(said, wrong=tuple(wrong))


@dataclass(frozen=True)
class _Line:
    """A line of overrides.csv, and what is known of when it was written."""

    override: Override
    is_of_this_work: bool
    has_seen_doubts: bool


Lines = dict[tuple[str, str, str], _Line]  # by student, task or exercise, and slot


def apply_overrides(
    results: Sequence[Result],
    overrides: Sequence[Override],
    marks: Mapping[str, Mark],
    directory: Directory,
) -> tuple[list[Result], dict[str, Mark], list[str]]:
    """Return the results with what was decided, the marks to keep, and what is wrong with lines.

    A line that is wrong changes nothing, and takes nothing from the others. One that was written
    for earlier work of a student holds no more: a person has to look. One that gives an exercise 0
    points holds for those of its tasks that have no line.

    Args:
        results: of the whole report.
        overrides: the lines; those that say whose work is whose, or how late it is, are left out.
        marks: which work each line was first applied to.
        directory: of everybody, to find students by any of their keys.
    """
    wrong: list[str] = []
    lines: Lines = {}
    kept: dict[str, Mark] = {}
    own: dict[str, list[Result]] = {}
    for result in results:
        own.setdefault(result.student, []).append(result)
    for one in overrides:
        if one.kind not in ("points", "accept", "comment"):
            continue
        names = [one.student] if one.student in own else directory.named(one.student)
        if len(names) != 1:
            wrong.append(f"{one.where}: {not_one(one.student, names)}")
            continue
        place = _place(one, own.get(names[0], ()))
        if place is None:
            wrong.append(f"{one.where} is not used: nothing of {one.task} is in this report.")
            continue
        result, name = place
        key = names[0], name, _SLOTS.get(one.kind, one.kind)
        if key in lines:
            first = lines[key].override.where
            say = f"{name} of {names[0]!r} is decided already in {first}, which holds"
            wrong.append(f"{one.where}: {say}: delete one of the two.")
            continue
        now = mark_of(result, one)
        mark = f"{name} {names[0]}" if one.kind != "comment" else f"{name} {names[0]} comment"
        kept[mark] = first = first_mark(marks.get(mark), now)
        is_same = first["work"] == now["work"]
        lines[key] = _Line(one, is_same, is_same and first["doubts"] == now["doubts"])
    wrong += filter(None, (_without_points(result, lines) for result in results))
    return [_applied(result, lines) for result in results], kept, wrong


def not_one(written: str, names: Collection[str]) -> str:
    """Say why a name means not one student, and what to write for it."""
    if not names:
        return f"no student is called {written!r}: copy the name from grades.csv."
    either = " or ".join(map(repr, sorted(names)[:_MOST_NAMED]))
    return f"{len(names)} students are called {written!r}: write which one, as {either}."


def _place(one: Override, results: Sequence[Result]) -> tuple[Result, str] | None:
    """Return the result that a line is about, and the name of its task, or of the exercise."""
    for result in results:
        if one.is_whole and means(one.task, result.exercise):
            return result, result.exercise
        if one.task in {task.task for task in result.tasks}:
            return result, one.task
    return None


def _without_points(result: Result, lines: Lines) -> str:
    """Return what is wrong where somebody accepts work that has no points: no quiet 0."""
    whole = lines.get((result.student, result.exercise, "points"))
    if not whole or whole.override.kind != "accept" or not whole.is_of_this_work:
        return ""
    names = [
        task.task
        for task in result.tasks
        if task.status == "not-gradable"
        and task.proposed is None
        and (result.student, task.task, "points") not in lines
    ]
    if not names:
        return ""
    say = f"{', '.join(names)} of {result.student!r} has no points that could be accepted"
    return (
        f"{whole.override.where}: {say}: give points for each task, a line a task, or 0 points "
        f"for all by a line with {result.exercise}."
    )


def _applied(result: Result, lines: Lines) -> Result:
    def line(place: str, slot: str = "points") -> _Line | None:
        return lines.get((result.student, place, slot))

    whole = line(result.exercise)
    tasks = [_decided(task, line(task.task) or whole) for task in result.tasks]
    tasks = [_commented(task, line(task.task, "comment")) for task in tasks]
    # Points of one task say nothing of the others: a doubt is about all that earned points.
    by_task = all(task.by_hand for task in tasks if task.points)
    own = [line(task.task) for task in result.tasks] if by_task else []
    seen = any(one.has_seen_doubts for one in (whole, *own) if one)
    said = line(result.exercise, "comment")
    comment = said.override.reason if said else ""
    return replace(result, tasks=tuple(tasks), seen=seen, comment=comment)


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
