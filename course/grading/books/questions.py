"""Ask an instructor what the grader cannot know: in one sentence, with a line that answers it."""

import csv
import io
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from itertools import groupby

from course.grading.books.assign import Pending, unsure
from course.grading.books.by_hand import EARLIER_WORK
from course.grading.books.gradebook import cell, number
from course.grading.books.overrides import NOBODY
from course.grading.books.rendering import moment
from course.grading.books.tally import by_student, has_page, is_half_given, is_handed_in
from course.grading.results import PASSED_OVER, Result, TaskResult, Version
from course.grading.settings import text_hash

# The kinds of questions, and what all of a kind have in common.
KINDS = {
    "whose": "Whose work is it? Say so with a line, or put it into a folder of the student's name.",
    "which": "Which of these counts? Take the other one, or accept the one that was graded.",
    "place": "The code is not in its answer cell. Accept it, or set the points.",
    "accept": "The grader has a doubt. Accept the points that it gave, or set them.",
    "instead": "Nothing could be graded. Ask for the notebook, or set the points.",
    "late": "How late is it? Say how many hours, or accept it as in time.",
    "changed": "There is new work since points were set. Change the line, or delete it.",
    "fault": "The grader could not grade it. This is not a zero: the points stay empty.",
    "line": "A line cannot be used. Fix it, or delete it.",
    "counts": "It counts for nothing so far. Name it with --exercise, or in course.toml.",
}
_NO_ANSWER = ("missing", "not-started")
_MOST_SAID = 3
_HALF_GIVEN = (
    "Nothing was handed in, and other tasks have points set by hand: give these points too, or 0 "
    "for the exercise."
)


@dataclass(frozen=True)
class Exhibit:
    """Something that a question is about: a title, and its text; whether that is Python."""

    title: str
    text: str
    is_python: bool = True


@dataclass(frozen=True)
class Question:
    """Something that a person, or the next run, has to see to.

    Attributes:
        kind: one of `KINDS`.
        student: whose work it is about; "" if nothing says so.
        exercise: such as "05_square"; "" if nothing says so.
        which: of its tasks, in words: "task 5.2", "all tasks"; "" where it is about the whole.
        text: a sentence that says what is the matter.
        lines: of overrides.csv that answer it, each with what it means.
        exhibits: what it is about.
    """

    kind: str
    student: str
    exercise: str
    which: str
    text: str
    lines: tuple[tuple[str, str], ...] = ()
    exhibits: tuple[Exhibit, ...] = ()

    @property
    def about(self) -> tuple[str, ...]:
        """Return what tells it from other questions."""
        return self.kind, self.student, self.exercise, self.which, self.text

    @property
    def is_fault(self) -> bool:
        """Whether the grader, or the exercise, is at fault."""
        return self.kind == "fault"


def with_pending(
    results: Sequence[Result],
    pending: Sequence[Pending],
    asked: Collection[str],
) -> list[Result]:
    """Return the results, those open that a file which nobody graded may be meant for.

    Where nothing was handed in, or the exercise as it was given, a file of the student may be the
    answer.

    Args:
        results: of the whole report, with those who are missing.
        pending: the files.
        asked: exercises that somebody was ever asked for: their work is handed in where it belongs.
    """
    own: dict[str, list[Pending]] = defaultdict(list)
    for one in pending:
        own[one.student].append(one)
    found = []
    for result in results:
        files = [one for one in own[result.student] if _may_be(one, result.exercise, asked)]
        if not is_handed_in(result):
            found.append(_in_place_of_nothing(result, files) if files else result)
        elif all(task.status == "not-started" for task in result.tasks):
            said = (f"Beside the exercise as it was given: {_said(one)}" for one in files)
            found.append(replace(result, doubts=(*result.doubts, *dict.fromkeys(said))))
        else:
            said = (f"It was handed in again: {_said(one)}" for one in files if one.is_newer)
            found.append(replace(result, doubts=(*result.doubts, *dict.fromkeys(said))))
    return found


def _may_be(one: Pending, exercise: str, asked: Collection[str]) -> bool:
    return one.exercise in ("", exercise) or (one.is_gradable and one.exercise not in asked)


def _said(one: Pending) -> str:
    return f"{one.file}: {one.reason}"


def _in_place_of_nothing(result: Result, files: Sequence[Pending]) -> Result:
    said = " ".join(dict.fromkeys(map(_said, files[:_MOST_SAID])))
    tasks = (replace(task, status="not-gradable", message=said) for task in result.tasks)
    work = text_hash("\0".join(one.work or one.file for one in files))
    facts = {"note": said, "file": files[0].file, "work": work, "fingerprint": PASSED_OVER}
    return replace(result, tasks=tuple(tasks), **facts)


def questions_of(
    results: Sequence[Result],
    pending: Sequence[Pending],
    strangers: Mapping[str, str],
    late: Mapping[tuple[str, str], str],
) -> list[Question]:
    """Return all that is asked, in the order of the tables; nothing twice.

    Args:
        results: of the whole report, with what was decided by hand.
        pending: files that nobody graded.
        strangers: by the name of somebody who handed in, why it is not known who they are.
        late: by student and exercise, why nobody knows how late it is.
    """
    files: dict[str, list[Pending]] = defaultdict(list)
    for one in pending:
        files[one.student].append(one)
    found = [_whose(name, said) for name, said in sorted(strangers.items())]
    for result in by_student(results):
        found += _of_result(
            result, files[result.student], late.get((result.student, result.exercise))
        )
    found += [_nobodys(one) for one in sorted(files[""], key=lambda one: one.file)]
    return list(dict.fromkeys(found))


def with_questions(results: Sequence[Result], questions: Sequence[Question]) -> list[Result]:
    """Return the results, open wherever anything is asked about them.

    A file of which nobody knows whose it is may be that of anybody who has neither answered that
    exercise nor got points for it; work of a stranger that of anybody who handed in nothing.
    """
    asked = {(one.student, one.exercise) for one in questions if one.kind not in ("line", "counts")}
    strangers = {student for student, exercise in asked if student and not exercise}
    unowned = {exercise for student, exercise in asked if not student}
    theirs = {one.exercise for one in results if one.student in strangers and has_page(one)}

    def is_asked(one: Result) -> bool:
        is_answered = any(task.by_hand or task.status not in _NO_ANSWER for task in one.tasks)
        return (
            bool({(one.student, one.exercise), (one.student, "")} & asked)
            or (not is_answered and bool({one.exercise, ""} & unowned))
            or (not has_page(one) and one.exercise in theirs)
        )

    return [replace(one, is_asked=is_asked(one)) for one in results]


def line(student: str, task: str, decision: str) -> str:
    """Return a line of overrides.csv, to which a reason can be added."""
    file = io.StringIO()
    csv.writer(file, lineterminator="").writerow([cell(student), task, decision, ""])
    return file.getvalue()


def _about(
    result: Result,
    kind: str,
    said: str,
    *decisions: tuple[str, str],
    exhibits: Iterable[Exhibit] = (),
) -> Question:
    student, exercise = result.student, result.exercise
    lines = tuple((line(student, exercise, one), means) for one, means in decisions)
    return Question(kind, student, exercise, "", said, lines, tuple(exhibits))


def _of_result(result: Result, files: Sequence[Pending], late: str | None) -> Iterator[Question]:
    tasks = [task for task in result.tasks if task.is_open]
    for (said, kind), same in groupby(tasks, key=lambda task: (task.message, _kind(task))):
        yield _of_tasks(result, kind, said or result.note, list(same), files)
    if is_half_given(result):
        names = [task.task for task in result.tasks if not task.by_hand]
        asked = _about(result, "instead", _HALF_GIVEN, ("0", "0 points for the rest"))
        yield replace(asked, which=_which(result, names))
    if result.seen:
        return
    got, most = (
        sum(getattr(task, one) for task in result.tasks) for one in ("points", "max_points")
    )
    accept = "accept", f"The points count, {number(got)} of {number(most)}"
    for doubt in result.doubts:
        if doubt == late:
            yield _about(result, "late", doubt, ("late 24 h", "It came that late"), accept)
        elif doubt == unsure(result.notebooks):
            takes = [(f"take {one.file}", f"{one.file} counts") for one in result.notebooks[1:]]
            shown = [_differing(*result.notebooks[:2])]
            shown += [Exhibit(_titled(one), one.code) for one in result.notebooks]
            yield _about(result, "which", doubt, *takes, accept, exhibits=shown)
        else:
            shown = [_exhibit(one) for one in files if one.file in doubt]
            shown = shown or [Exhibit(f"Answer to {one.task}", one.code) for one in result.tasks]
            yield _about(result, "accept", doubt, accept, exhibits=shown)


def _kind(task: TaskResult) -> str:
    if task.status == "grader-error":
        return "fault"
    if task.message.startswith(EARLIER_WORK):
        return "changed"
    if task.elsewhere:
        return "place"
    return "accept" if task.proposed is not None else "instead"


def _of_tasks(
    result: Result, kind: str, said: str, tasks: Sequence[TaskResult], files: Sequence[Pending]
) -> Question:
    names = [task.task for task in tasks]
    lines = [
        (
            line(result.student, task.task, "accept"),
            f"{number(task.proposed)} of {number(task.max_points)} points",
        )
        for task in tasks
        if task.proposed is not None
    ]
    if not lines and kind in ("place", "instead"):
        places = names if kind == "place" else [result.exercise]
        lines = [(line(result.student, one, "0"), "0 points") for one in places]
    shown = [
        Exhibit(f"Elsewhere in the notebook: {task.task}", task.elsewhere)
        for task in tasks
        if task.elsewhere
    ]
    if kind in ("place", "accept"):
        shown += [Exhibit(f"Answer cell of {task.task}", task.code) for task in tasks]
    if result.fingerprint == PASSED_OVER:
        shown += [_exhibit(one) for one in files if one.file in said]
    return Question(
        kind,
        result.student,
        result.exercise,
        _which(result, names),
        said,
        tuple(lines),
        tuple(shown),
    )


def _whose(name: str, said: str) -> Question:
    lines = (
        (line("STUDENT", "", f"is {name}"), "It is this student's, in all weeks"),
        (line(name, "", f"is {name}"), "They are nobody on the list, and keep this name"),
    )
    return Question("whose", name, "", "", said, lines)


def _nobodys(one: Pending) -> Question:
    exercise = one.exercise or "EXERCISE"
    lines = [
        (line(name, exercise, f"is {one.file}"), "It is this student's")
        for name in (*one.may_be, "STUDENT")
    ]
    lines.append((line(NOBODY, exercise, f"is {one.file}"), "It is nobody's work"))
    shown = (_exhibit(one),)
    return Question("whose", "", one.exercise, one.file, one.reason, tuple(lines), shown)


def _exhibit(one: Pending) -> Exhibit:
    is_python = one.is_gradable or one.file.lower().endswith((".py", ".ipynb"))
    return Exhibit(one.file, one.shown, is_python)


def _differing(one: Version, other: Version) -> Exhibit:
    lines = unified_diff(
        one.code.split("\n"), other.code.split("\n"), "graded", "other", lineterm=""
    )
    return Exhibit("What differs", "\n".join(lines), is_python=False)


def _titled(version: Version) -> str:
    when = f"handed in {moment(version.handed_in)}" if version.handed_in else "nobody recorded when"
    return f"{version.file}, {when}"


def _which(result: Result, names: Sequence[str]) -> str:
    if len(names) == len(result.tasks):
        return "all tasks"
    return f"task{'s' if len(names) > 1 else ''} {', '.join(names)}"
