"""Find out by its cells which exercises a notebook is, and what became of them in it."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from course.grading.reading.answers import Answers, answers_in
from course.grading.reading.cells import (
    NotGradableError,
    StudentCell,
    bound_names,
    checked_tasks,
    code_lines,
    normalized,
    plain,
    student_cells,
)
from course.grading.reading.sheet import Sheet

_MARK = re.compile(r"^[ \t]*### (?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS)[ \t]*$", re.MULTILINE)
_FEW = 3  # lines; answers as short as these are often the same by themselves
MOST_SHOWN = 20_000  # characters of a file, on the page of a question

NOTHING, TRIED, WRITTEN = range(3)  # how much of an answer there is


@dataclass(frozen=True)
class Recognised:
    """An exercise in a notebook.

    Attributes:
        exercise: its name.
        written: how much is answered: NOTHING, TRIED (in other cells), or WRITTEN.
        work: hash of the answers and of other code, by which equal ones are known.
        is_solution: whether the answers are the course's own, but for comments and layout.
        has_marks: whether the marks of the course's solutions are in it.
        is_main: whether the notebook is that of this exercise, more than of any other.
        doubts: sentences for the instructor.
        code: the beginning of the answers and of other code.
    """

    exercise: str
    written: int
    work: str
    is_solution: bool
    has_marks: bool
    is_main: bool
    doubts: tuple[str, ...]
    code: str = ""


@dataclass(frozen=True)
class Reading:
    """What a notebook is.

    Attributes:
        exercises: those that are in it; that which it is most of all stands first.
        reason: why there are none, as a sentence.
        seems: the exercise whose answers it seems to hold, although that cannot be graded; or "".
    """

    exercises: tuple[Recognised, ...] = ()
    reason: str = ""
    seems: str = ""


def recognise(content: bytes, known: Sequence[Sheet]) -> Reading:
    """Return which exercises a notebook is; it may be anything."""
    try:
        cells = student_cells(content)
    except NotGradableError as error:
        return Reading(reason=str(error))
    code = [cell.source for cell in cells if cell.is_code]
    bound = {name for source in code for name in bound_names(source)}
    found: list[Recognised] = []
    for (named, _), one in _likely(cells, code, bound, known):
        try:
            answers = answers_in(cells, one)
        except NotGradableError as error:
            return Reading(reason=str(error), seems=one.exercise)
        this = _recognised(one, code, answers, is_named=named > 0, is_main=not found)
        if not found or this.written == WRITTEN:
            found.append(this)
    return Reading(tuple(found)) if found else _unknown(bound, known)


def _likely(
    cells: list[StudentCell], code: list[str], bound: set[str], known: Sequence[Sheet]
) -> list[tuple[tuple[int, int], Sheet]]:
    """Return the exercises that are there, best first, with how many cells are named or check."""
    checked = {task for source in code for task in checked_tasks(source)}
    names = {name for cell in cells for name in cell.names}
    found = []
    for one in known:
        own = len(checked & {*one.tasks})
        # A student may have pasted another exercise into a copy of this one.
        named = len(names & one.stubs.keys()) if own or not checked else 0
        if named or (own and bound & one.names):
            found.append(((named, own), one))
    return sorted(found, key=lambda each: each[0], reverse=True)


def _recognised(
    one: Sheet, code: list[str], answers: Answers, *, is_named: bool, is_main: bool
) -> Recognised:
    doubts = []
    if answers.notes and not is_named:
        said = " ".join(answers.notes)
        doubts.append(f"Its cells have lost their names, and were matched by their text: {said}")
    same = {
        name
        for name, source in one.solved.items()
        if normalized(answers.sources.get(name, "")) == normalized(source)
    }
    long = {name for name, source in one.solved.items() if len(code_lines(source)) > _FEW}
    is_solution = same == one.solved.keys()
    has_marks = any(map(_MARK.search, code))
    if long and long <= same:
        doubts.append(
            "Their comments aside, the answers are the course's own solution, word for word."
        )
    elif has_marks and not is_solution:
        doubts.append(
            "It holds marks of the course's own solution, such as ### BEGIN SOLUTION: look whether "
            "it is the student's own work."
        )
    facts = one.exercise, _written(one, answers), _hash(one, answers), is_solution, has_marks
    code = "\n\n".join([*answers.sources.values(), *answers.extra])[:MOST_SHOWN]
    return Recognised(*facts, is_main, tuple(doubts), code)


def _written(one: Sheet, answers: Answers) -> int:
    if any(plain(source) != plain(one.stubs[name]) for name, source in answers.sources.items()):
        return WRITTEN
    if any(bound_names(source) & one.names for source in answers.extra):
        return WRITTEN
    return TRIED if answers.extra else NOTHING


def _hash(one: Sheet, answers: Answers) -> str:
    sources = [plain(answers.sources.get(name, "")) for name in one.stubs]
    extra = [plain(source) for source in answers.extra if bound_names(source)]
    return hashlib.sha256("\0".join([*sources, "", *extra]).encode()).hexdigest()


def _unknown(bound: set[str], known: Sequence[Sheet]) -> Reading:
    for one in known:
        answers = [bool(bound & names) for names in one.defined.values()]
        if 1 < sum(answers) > len(answers) / 2:
            said = f"It seems to hold answers to {one.exercise}, but not in its notebook."
            return Reading(reason=said, seems=one.exercise)
    return Reading(reason="No cell of it is one of an exercise: it is another notebook.")
