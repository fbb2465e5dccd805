"""List what a person has to look at: doubtful work, and what was passed over."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from course.grading.books.tally import by_student, is_half_given, is_handed_in
from course.grading.reading.passed_over import ASK
from course.grading.reading.submissions import PassedOver
from course.grading.results import EARLIER, PASSED_OVER, Result

EARLIER_WORK = "Points set by hand were for earlier work, so a person has to look at this one."
_TO_CONFIRM = (
    "In overrides.csv, change the points or the reason, if only by a word, and they hold for this "
    "work; or delete the line."
)
_HALF_GIVEN = (
    "Nothing was handed in, and other tasks have points set by hand, so that no total goes back: "
    "in overrides.csv, give these points too, or 0 for all that have no line by one with the "
    "exercise as the task and 0 points."
)
_LOOK_ALIKE = (
    "Nothing was handed in under this name, and somebody who did may be the same person: if so, "
    "let the folder of that one be named after this one, delete the folder of that one in "
    "results/ of the report, and grade that again; if not, give a list of the class that has both "
    "as --roster, or write a line into overrides.csv with the exercise as the task and 0 points."
)


@dataclass(frozen=True)
class Need:
    """Something that a person, or the next run, has to see to.

    Attributes:
        student: whose it is; "" if nothing says so.
        exercise: such as "05_square"; "" if nothing says so.
        which: of its tasks, in words: "task 5.2", "all tasks"; "" where it is about the whole.
        reason: a sentence that says what is the matter, and what to do.
        is_fault: whether it is the grader's own, which the next run tries again.
    """

    student: str
    exercise: str
    which: str
    reason: str
    is_fault: bool = False


def needs_of(results: Sequence[Result], passed_over: Sequence[PassedOver]) -> list[Need]:
    """Return all that needs somebody, in the order of the tables; nothing twice.

    Args:
        results: of the whole report, with points set by hand.
        passed_over: what stands in none of the results.
    """
    found = [need for result in by_student(results) for need in _of_result(result)]
    for one in sorted(passed_over, key=lambda one: (one.student, one.file, one.reason)):
        said = f"{one.file}: {one.reason}"
        found.append(Need(one.student, one.exercise, "", f"{said} {ASK}" if one.student else said))
    return list(dict.fromkeys(found))


def _of_result(result: Result) -> Iterator[Need]:
    tasks = [task for task in result.tasks if task.is_open]
    for (reason, status), same in groupby(tasks, key=lambda t: (t.message, t.status)):
        which = _which(result, [task.task for task in same])
        said = reason or result.note
        if reason.startswith(EARLIER_WORK):
            said = f"{reason} {_TO_CONFIRM}"
        elif result.fingerprint == PASSED_OVER and reason == result.note:
            said = f"{said} {ASK}"
        elif result.fingerprint == EARLIER:
            said = " ".join((said, *result.doubts))
        yield Need(result.student, result.exercise, which, said, status == "grader-error")
    if is_half_given(result):
        names = [task.task for task in result.tasks if not task.by_hand]
        yield Need(result.student, result.exercise, _which(result, names), _HALF_GIVEN)
    if not result.seen and result.fingerprint != EARLIER:
        for doubt in result.doubts:
            words = ("", doubt) if is_handed_in(result) else (doubt, _LOOK_ALIKE)
            yield Need(result.student, result.exercise, *words)


def _which(result: Result, names: Sequence[str]) -> str:
    if len(names) == len(result.tasks):
        return "all tasks"
    return f"task{'s' if len(names) > 1 else ''} {', '.join(names)}"
