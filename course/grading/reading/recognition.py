"""Tell by its cells which exercises a notebook is, and what became of them in it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from course.grading.reading.answers import Answers, answers_in
from course.grading.reading.known_exercises import WRITTEN, KnownExercise, has_marks
from course.grading.reading.placing import (
    answer_names,
    bound_names,
    checked_tasks,
    plain,
    says_exercise,
)
from course.grading.reading.student_cells import NotGradableError, StudentCell, student_cells


@dataclass(frozen=True)
class Recognised:
    """An exercise in a notebook.

    Attributes:
        exercise: its name.
        written: how much is answered, as in `KnownExercise.written`.
        work: hash of the answers and of other code, by which equal ones are known.
        is_solution: whether the answers are the course's own.
        has_marks: whether the marks of the course's solutions are in it.
        is_main: whether the notebook is that of this exercise, more than of any other.
        doubts, remarks: sentences for the instructor.
    """

    exercise: str
    written: int = WRITTEN
    work: str = ""
    is_solution: bool = False
    has_marks: bool = False
    is_main: bool = True
    doubts: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


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


def recognise(content: bytes, known: Sequence[KnownExercise]) -> Reading:
    """Return which exercises a notebook is; it may be anything."""
    try:
        cells = student_cells(content)
    except NotGradableError as error:
        return Reading(reason=str(error))
    by_name, by_text = _by_name(cells, known), _by_text(cells, known)
    checked = {task for cell in cells if cell.is_code for task in checked_tasks(cell.source)}
    if checked and by_text:
        # Whoever pastes an exercise into a copy of another one keeps the names of its cells.
        by_name = {one: count for one, count in by_name.items() if checked & {*one.sheet.tasks}}
    order = {one: (by_name.get(one, 0), by_text.get(one, 0)) for one in [*by_name, *by_text]}
    found = []
    for one in sorted(order, key=lambda one: order[one], reverse=True):
        try:
            answers = answers_in(cells, one.sheet)
        except NotGradableError as error:
            return Reading(reason=str(error), seems=one.name)
        written = one.written(answers)
        if not found or written == WRITTEN:
            found.append(_recognised(one, cells, answers, one in by_name, is_main=not found))
    return Reading(tuple(found)) if found else _unknown(cells, known)


def _by_name(cells: list[StudentCell], known: Sequence[KnownExercise]) -> dict:
    names = {name for cell in cells for name in cell.names if name}
    return {one: count for one in known if (count := len(names & one.answers.keys()))}


def _by_text(cells: list[StudentCell], known: Sequence[KnownExercise]) -> dict:
    checked = {task for cell in cells if cell.is_code for task in checked_tasks(cell.source)}
    bound = {name for cell in cells if cell.is_code for name in bound_names(cell.source)}
    return {
        one: len(checked & {*one.sheet.tasks})
        for one in known
        if bound & one.names and says_exercise(cells, one.sheet)
    }


def _recognised(
    one: KnownExercise, cells: list[StudentCell], answers: Answers, named: bool, is_main: bool
) -> Recognised:
    doubts, remarks = [], []
    missing = [name for name in one.answers if name not in answers.sources]
    if not named and (missing or answers.notes):
        doubts.append(
            f"Its cells have lost their names, and were matched by their text: {_said(answers)}"
        )
    elif not named:
        remarks.append("Its cells have lost their names; their text says which they are.")
    if not is_main:
        remarks.append(f"{one.name} stands in a notebook that is more of another exercise.")
    solved = one.is_solved_by(answers)
    marked = any(has_marks(cell.source) for cell in cells if cell.is_code)
    if one.is_copied_by(answers):
        doubts.append(
            "Their comments aside, the answers are the course's own solution, word for word."
        )
    elif solved:
        remarks.append("But for comments, the answers are the course's own solution.")
    elif marked:
        doubts.append(
            "It holds marks of the course's own solution, such as ### BEGIN SOLUTION: look whether "
            "it is the student's own work."
        )
    return Recognised(
        one.name,
        one.written(answers),
        _hash(answers, one),
        solved,
        marked,
        is_main,
        tuple(doubts),
        tuple(remarks),
    )


def _said(answers: Answers) -> str:
    return " ".join(answers.notes) or "look whether they are the right ones."


def _hash(answers: Answers, one: KnownExercise) -> str:
    sources = [plain(answers.sources.get(name, "")) for name in one.answers]
    extra = [plain(source) for source in answers.extra if bound_names(source) & one.names]
    return hashlib.sha256("\0".join([*sources, "", *extra]).encode(errors="replace")).hexdigest()


def _unknown(cells: list[StudentCell], known: Sequence[KnownExercise]) -> Reading:
    bound = {name for cell in cells if cell.is_code for name in bound_names(cell.source)}
    shares = {}
    for one in known:
        answers = answer_names(one.sheet).values()
        there = sum(bool(bound & names) for names in answers)
        shares[one.name] = there / len(answers) if there > 1 else 0.0
    seems = max(shares, key=lambda name: shares[name], default="")
    if seems and shares[seems] > 0.5:
        return Reading(
            reason=f"It seems to hold answers to {seems}, but not in the exercise's notebook.",
            seems=seems,
        )
    return Reading(reason="No cell of it is one of an exercise: it is another notebook.")
