"""Read overrides.csv, in which a person sets points by hand."""

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from course.grading.books.gradebook import cell, number, uncell
from course.grading.books.sheet_file import SheetFileError, read_rows
from course.grading.results import Result
from helpers.checks.tasks import find, number_of

_COLUMNS = ("student", "task", "points", "reason")
_HEAD = ",".join(_COLUMNS)
_NO_OTHERS: Mapping[str, Collection[str]] = {}
_MOST_NAMED = 4
_TASK = re.compile(r"\d{1,3}\.\d{1,3}", re.ASCII)


class OverrideError(ValueError):
    """overrides.csv, or a line of it, cannot be used; the message says in a sentence what to do."""


@dataclass(frozen=True)
class Override:
    """A line of overrides.csv: points set by hand, or doubts that a person has seen to.

    Attributes:
        student, task: as in grades.csv.
        points: that count in place of the grader's. If `task` is an exercise, it is 0 for each of
            its tasks, or None: somebody has looked at it, and its points stay.
        reason: that the student reads.
        where: file and line, for messages.
    """

    student: str
    task: str
    points: float | None
    reason: str
    where: str = "overrides.csv"

    @property
    def is_whole(self) -> bool:
        """Whether it is about a whole exercise."""
        return not _TASK.fullmatch(self.task)


def read_overrides(path: Path) -> tuple[list[Override], list[str]]:
    """Return what stands in overrides.csv, as a spreadsheet saves it, and what is wrong with it.

    That is a sentence for each line which does not say what it is to, or which names no task or
    exercise of the course: all of them at once. Students are known only with the results.

    Raises:
        OverrideError: it cannot be read as a table.
    """
    try:
        rows = list(read_rows(path))
    except SheetFileError as error:
        raise OverrideError(str(error)) from None
    if not rows:
        return [], []
    (top, titles), *lines = rows
    head = [title.strip().casefold() for title in titles]
    if any(head.count(column) != 1 for column in _COLUMNS):
        raise OverrideError(f"{path.name}, line {top}: let it be the headings {_HEAD}.")
    overrides, wrong = [], []
    for line, cells in lines:
        try:
            one = _override(f"{path.name}, line {line}", head, cells)
            _check_place(one)
            overrides.append(one)
        except OverrideError as error:
            wrong.append(str(error))
    return overrides, wrong


def _override(where: str, head: list[str], cells: list[str]) -> Override:
    if len(cells) < len(head) or any(cell.strip() for cell in cells[len(head) :]):
        say = f"{len(cells)} cells stand under {len(head)} headings"
        raise OverrideError(f"{where}: {say}: fill in {_HEAD}, and quote a reason with commas.")
    row = dict(zip(head, cells, strict=False))
    task = row["task"].strip().lstrip("'").replace(",", ".")
    is_task = bool(_TASK.fullmatch(task))
    for column in ("student", "task", "points"):
        if not row[column].strip() and (column != "points" or is_task):
            raise OverrideError(f"{where} has no {column}: fill it in, or delete the line.")
    said = row["points"].strip()
    try:
        points = float(said.lstrip("'").replace(",", ".")) if said else None
    except ValueError:
        raise OverrideError(f"{where}: the points are {said!r}: write a number.") from None
    if points and not is_task:  # not a number is no 0 either
        say = f"{task!r} is no task, and of a whole exercise no points can be set but 0"
        raise OverrideError(
            f"{where}: {say}: name a task, such as 5.1, or leave the points empty, which says that "
            "you have seen the exercise."
        )
    return Override(row["student"], task, points, uncell(row["reason"].strip()), where)


def _check_place(override: Override) -> None:
    try:
        if override.is_whole:
            number_of(override.task)
        else:
            check_points(override, find(override.task).points)
    except LookupError as error:
        said = str(error.args[0]).rstrip(".")
        raise OverrideError(f"{override.where}: {said}.") from None


def check_points(override: Override, most: float) -> None:
    """Refuse points that a task cannot get.

    Raises:
        OverrideError: they are no number from 0 to `most`.
    """
    points = override.points
    if points is None or math.isnan(points) or not 0 <= points <= most:
        say = f"task {override.task} cannot get {points:g} points"
        raise OverrideError(f"{override.where}: {say}: write a number from 0 to {number(most)}.")


def other_names(results: Iterable[Result]) -> dict[str, set[str]]:
    """Return what downloads call students, where a list of the class has other names."""
    found: dict[str, set[str]] = {}
    for one in results:
        found.setdefault(one.student, set()).update(filter(None, [one.person.called]))
    return found


def find_student(
    written: str, students: Sequence[str], others: Mapping[str, Collection[str]] = _NO_OTHERS
) -> list[str]:
    """Return the students that are meant: one, if the name can be told.

    What grades.csv calls a student comes first, then the name itself, then what differs only in
    spaces, in apostrophes before it, or in the way accents are stored; then the `other_names`.
    """
    for form in (cell, str, _loose):
        name = written if form is cell else form(written)
        found = [student for student in students if form(student) == name]
        if found:
            return found
    name = _loose(written)
    return [one for one in students if name in map(_loose, others.get(one, ()))]


def called_so(
    written: str, students: Sequence[str], others: Mapping[str, Collection[str]] = _NO_OTHERS
) -> list[str]:
    """Return the students that are meant, or else the namesakes whose names have more to them."""
    if found := find_student(written, students, others):
        return found
    start = f"{_loose(written)} ("
    found = [one for one in students if _loose(one).startswith(start) and one.endswith(")")]
    return found if len(found) > 1 else []


def not_one(written: str, students: Sequence[str], others: Mapping[str, Collection[str]]) -> str:
    """Say why a name means not one student, and what to write for it."""
    names = called_so(written, students, others)
    if not names:
        return f"no student is called {written!r}: copy the name from grades.csv."
    either = " or ".join(repr(cell(name)) for name in names[:_MOST_NAMED])
    return f"{len(names)} students are called {written!r}: write which one, as {either}."


def _loose(name: str) -> str:
    composed = unicodedata.normalize("NFC", cell(name))
    return " ".join(composed.split()).lstrip("'").strip()
