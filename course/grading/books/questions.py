"""Ask an instructor what the grader cannot know: in one sentence, with a line that answers it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from itertools import groupby

from course.grading.books.assign import Pending
from course.grading.books.by_hand import EARLIER_WORK
from course.grading.books.due import LATENESS_UNKNOWN
from course.grading.books.gradebook import cell, csv_text, number
from course.grading.books.overrides import NOBODY
from course.grading.books.tally import grouped, has_page, is_half_given, is_handed_in
from course.grading.results import PASSED_OVER, Result, TaskResult
from course.grading.settings import text_hash

# The kinds of questions, in the order of the index, and what all of a kind have in common.
KINDS = {
    "fault": "The grader could not grade it. This is not a zero: the points stay empty.",
    "whose": "Whose work is it? Say so with a line, or put it into a folder of the student's name.",
    "which": "Which of these counts? Take the other one, or accept the one that was graded.",
    "place": "The code is not in its answer cell. Accept it, or set the points.",
    "accept": "The grader has a doubt. Accept the points that it gave, or set them.",
    "instead": "Nothing could be graded. Ask for the notebook, or set the points.",
    "late": "How late is it? Say how many hours, or accept it as in time.",
    "changed": "There is new work. Write the line once more, or another for it, or delete it.",
    "line": "A line cannot be used. Fix it, or delete it.",
    "counts": "It counts for nothing so far. Name it with --exercise, or in course.toml.",
}
_NO_ANSWER = ("missing", "not-started")
_MOST_SAID = 3
_STUDENT = "STUDENT"  # for whom to write a name
_MEANS = {_STUDENT: "It is this student's", NOBODY: "It is nobody's work"}


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
    def page(self) -> str:
        """Return the place of its page in a report: by what tells it from other questions."""
        about = self.kind, self.student, self.exercise, self.which, self.text
        mark = text_hash("\0".join(about))[:12]
        return f"questions/{mark}.html"


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
    own = grouped((one.student, one) for one in pending)
    found = []
    for result in results:
        files = [
            one
            for one in own[result.student]
            if one.exercise in ("", result.exercise)
            or (one.is_gradable and one.exercise not in asked)
        ]
        if files and not is_handed_in(result):
            found.append(_in_place_of_nothing(result, files))
            continue
        is_blank = all(task.status == "not-started" for task in result.tasks)
        others = (_another(one) for one in files if is_blank or one.may_count)
        found.append(replace(result, doubts=(*result.doubts, *dict.fromkeys(others))))
    return found


def _another(one: Pending) -> str:
    return f"There is another file, {one.place}: {one.reason}"


def _in_place_of_nothing(result: Result, files: Sequence[Pending]) -> Result:
    said = " ".join(dict.fromkeys(f"{one.file}: {one.reason}" for one in files[:_MOST_SAID]))
    tasks = (replace(task, status="not-gradable", message=said) for task in result.tasks)
    work = text_hash("\0".join(one.work or one.file for one in files))
    facts = {"note": said, "file": files[0].file, "work": work, "fingerprint": PASSED_OVER}
    return replace(result, tasks=tuple(tasks), **facts)


def questions_of(
    results: Sequence[Result],
    pending: Sequence[Pending],
    strangers: Mapping[str, str],
) -> list[Question]:
    """Return all that is asked, in the order of the tables; nothing twice.

    Args:
        results: of the whole report, in the order of the tables, with what was decided by hand.
        pending: files that nobody graded.
        strangers: by the name of somebody who handed in, why it is not known who they are.
    """
    files = grouped((one.student, one) for one in pending)
    found = [_stranger(name, said, results) for name, said in sorted(strangers.items())]
    for one in results:
        found += _of_tasks(one, files[one.student])
        if not one.seen:
            found += _of_doubts(one, files[one.student])
    found += [_nobodys(one, results) for one in sorted(files[""], key=lambda one: one.file)]
    return list(dict.fromkeys(found))


def with_questions(results: Sequence[Result], questions: Sequence[Question]) -> list[Result]:
    """Return the results, open wherever anything is asked about them.

    Work of which nobody knows whose it is may be that of anybody who has no answer to its exercise.
    """
    about = [one for one in questions if one.kind not in ("line", "counts")]
    asked = {(one.student, one.exercise) for one in about}
    unowned = {exercise for student, exercise in asked if not student}
    strangers = {student for student, exercise in asked if student and not exercise}
    unowned |= {one.exercise for one in results if one.student in strangers and has_page(one)}

    def is_asked(one: Result) -> bool:
        is_own = bool({(one.student, one.exercise), (one.student, "")} & asked)
        return is_own or bool({one.exercise, ""} & unowned and _has_no_answer(one))

    return [replace(one, is_asked=is_asked(one)) for one in results]


def _has_no_answer(result: Result) -> bool:
    """Return whether there is neither an answer that can be read, nor are there points by hand."""
    is_read = result.fingerprint != PASSED_OVER
    return not any(
        task.by_hand or (is_read and task.status not in _NO_ANSWER) for task in result.tasks
    )


def line(student: str, task: str, decision: str) -> str:
    """Return a line of overrides.csv, to which a reason can be added."""
    return csv_text([[cell(student), task, decision, ""]]).removesuffix("\n")


def _of_tasks(result: Result, files: Sequence[Pending]) -> Iterator[Question]:
    """Ask about the tasks without a grade: of those for the same reason, once."""
    is_half = is_half_given(result)
    tasks = [task for task in result.tasks if task.is_open or (is_half and not task.by_hand)]
    for (said, kind), same in groupby(tasks, key=lambda task: (task.message, _kind(task))):
        some = list(same)
        lines = [
            (task.task, "accept", f"{number(task.proposed)} of {number(task.max_points)} points")
            for task in some
            if task.proposed is not None
        ]
        if not lines and kind in ("place", "instead"):
            is_whole = len(some) == len(result.tasks)
            places = [result.exercise] if is_whole else [task.task for task in some]
            lines = [(place, "0", "0 points") for place in places]
        yield _asked(result, kind, said or result.note, lines, files, some)


def _kind(task: TaskResult) -> str:
    if task.status == "grader-error":
        return "fault"
    if task.message == EARLIER_WORK:
        return "changed"
    if task.elsewhere:
        return "place"
    return "accept" if task.proposed is not None else "instead"


def _of_doubts(result: Result, files: Sequence[Pending]) -> Iterator[Question]:
    """Ask about a submission as a whole."""
    exercise = result.exercise
    points = number(sum(task.points for task in result.tasks))
    hours = exercise, "late 24 h", "It came that late"
    special = {LATENESS_UNKNOWN: ("late", [hours])}
    for one in files:
        if one.is_gradable and one.may_count:
            means = f"It counts, once {one.download} is graded again"
            special[_another(one)] = "which", [(exercise, f"take {one.place}", means)]
    for doubt in result.doubts:
        kind, others = special.get(doubt, ("accept", []))
        lines = [*others, (exercise, "accept", f"The points count, {points}")]
        yield _asked(result, kind, doubt, lines, files)


def _asked(
    result: Result,
    kind: str,
    said: str,
    lines: Iterable[tuple[str, str, str]],
    files: Sequence[Pending],
    tasks: Sequence[TaskResult] = (),
) -> Question:
    """Return a question about work of a student.

    Args:
        lines: that answer it: what has to be decided, the decision, and what that means.
        files: of the student, that nobody graded.
        tasks: that it is about; none if it is about the whole.
    """
    which = "task " if len(tasks) == 1 else "tasks " if tasks else ""
    which += ", ".join(task.task for task in tasks)
    if len(tasks) == len(result.tasks):
        which = "all tasks"
    others = [one for one in files if one.file in said]
    shown = [_differing(result, one) for one in others if one.may_count]
    shown += [Exhibit(one.file, one.shown) for one in others]
    shown += _answers(tasks or result.tasks)
    written = tuple((line(result.student, task, one), means) for task, one, means in lines)
    return Question(kind, result.student, result.exercise, which, said, written, tuple(shown))


def _answers(tasks: Sequence[TaskResult]) -> list[Exhibit]:
    found = [(f"Elsewhere in the notebook: {task.task}", task.elsewhere) for task in tasks]
    found += [(f"Answer to {one.task}", one.code) for one in tasks if one.status not in _NO_ANSWER]
    return [Exhibit(title, code) for title, code in found if code]


def _differing(result: Result, one: Pending) -> Exhibit:
    graded = "\n\n".join(task.code for task in result.tasks)
    lines = unified_diff(graded.split("\n"), one.shown.split("\n"), "graded", "other", lineterm="")
    return Exhibit("What differs", "\n".join(lines), is_python=False)


def _stranger(name: str, said: str, results: Sequence[Result]) -> Question:
    means = {_STUDENT: _MEANS[_STUDENT], name: "They are nobody on the list, and keep this name"}
    lines = tuple((line(whose, "", f"is {name}"), one) for whose, one in means.items())
    theirs = {one.exercise for one in results if one.student == name and has_page(one)}
    for commit in sorted({one.person.commit for one in results if one.student == name} - {""}):
        said += f" The last commit claims {commit}."
    shown = _candidates(one for one in results if one.exercise in theirs)
    return Question("whose", name, "", "", said, lines, (shown,))


def _nobodys(one: Pending, results: Sequence[Result]) -> Question:
    lines = tuple(
        (
            line(name, one.exercise or "EXERCISE", f"is {one.place}"),
            _MEANS.get(name, f"It is {name}'s"),
        )
        for name in (*one.may_be, *_MEANS)
    )
    shown = _candidates(each for each in results if one.exercise in ("", each.exercise))
    exhibits = shown, Exhibit(one.file, one.shown)
    return Question("whose", "", one.exercise, one.file, one.reason, lines, exhibits)


def _candidates(results: Iterable[Result]) -> Exhibit:
    names = sorted({one.student for one in results if _has_no_answer(one)}, key=str.casefold)
    said = "\n".join(names)
    return Exhibit(f"Students who have no answer to it yet: {len(names)}", said, is_python=False)
