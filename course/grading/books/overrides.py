"""Read overrides.csv, in which a person decides what the grader cannot."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from course.grading.books.course_file import until
from course.grading.books.gradebook import number, uncell
from course.grading.books.sheet_file import SheetFileError, read_rows
from helpers.checks.tasks import find, number_of

COLUMNS = ("student", "task", "decision", "reason")
_OLD = "points"  # what `decision` was called
_HEAD = ",".join(COLUMNS)
_TASK = re.compile(r"\d{1,3}\.\d{1,3}", re.ASCII)
NOBODY = "nobody"  # the student of a file that is nobody's work


class OverrideError(ValueError):
    """overrides.csv, or a line of it, cannot be used; the message says in a sentence what to do."""


@dataclass(frozen=True)
class Override:
    """A line of overrides.csv.

    Attributes:
        student: as in grades.csv, or by another key of theirs.
        task: such as "5.1", or an exercise; "" for what holds for the whole semester.
        kind: one of "points", "accept", "comment", "take", "late", "due" and "is".
        value: points, the file to take, hours late, a time, or what somebody is called; else None.
        reason: that the student reads.
        where: file and line, for messages.
    """

    student: str
    task: str
    kind: str
    value: float | str | datetime | None
    reason: str
    where: str = "overrides.csv"

    @property
    def is_whole(self) -> bool:
        """Whether it is about a whole exercise."""
        return not _TASK.fullmatch(self.task)

    @property
    def points(self) -> float:
        """The points that it sets."""
        return self.value if isinstance(self.value, float) else 0.0


def _time(text: str) -> datetime:
    """Return a time; a date is until the end of that day."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return until(date.fromisoformat(text))
    return datetime.fromisoformat(text)


def _number(text: str) -> float:
    return float(text.replace(",", "."))


# What a decision may be: its kind, how it is written, what its value is, and where it may stand.
_WRITTEN: tuple[tuple[str, str, Callable[[str], float | str | datetime], str], ...] = (
    ("accept", r"accept()", str, "task exercise"),
    ("comment", r"comment()", str, "task exercise"),
    ("take", r"take (.+)", str, "exercise"),
    ("late", r"late (\d+(?:[.,]\d+)?) ?(?:h|hours?)", _number, "exercise"),
    ("due", r"due (.+)", _time, "exercise"),
    ("is", r"is (.+)", str, "exercise semester"),
    ("points", r"'*([-+]?\d+(?:[.,]\d+)?)", _number, "task exercise"),
)
_PLACES = {
    "task exercise": "a task or an exercise",
    "exercise": "an exercise",
    "exercise semester": "an exercise, or of none",
}
_KINDS = "write points, or accept, comment, take FILE, late 27 h, due 2026-11-27, is LOGIN"


def read_overrides(path: Path) -> tuple[list[Override], list[str]]:
    """Return what stands in overrides.csv, as a spreadsheet saves it, and what is wrong with it.

    That is a sentence for each line which does not say what it is to, or which names no task or
    exercise of the course: all of them at once. Students are known only with the results.

    Raises:
        OverrideError: it cannot be read as a table.
    """
    if not path.exists():
        return [], []
    try:
        rows = list(read_rows(path))
    except SheetFileError as error:
        raise OverrideError(str(error)) from None
    if not rows:
        return [], []
    (top, titles), *lines = rows
    head = [title.strip().casefold() for title in titles]
    head = [COLUMNS[2] if title == _OLD else title for title in head]
    if any(head.count(column) != 1 for column in COLUMNS):
        raise OverrideError(f"{path.name}, line {top}: let it be the headings {_HEAD}.")
    overrides, wrong = [], []
    for line, cells in lines:
        try:
            overrides.append(_override(f"{path.name}, line {line}", head, cells))
        except OverrideError as error:
            wrong.append(str(error))
    return overrides, wrong


def _override(where: str, head: list[str], cells: list[str]) -> Override:
    if len(cells) < len(head) or any(cell.strip() for cell in cells[len(head) :]):
        say = f"{len(cells)} cells stand under {len(head)} headings"
        raise OverrideError(f"{where}: {say}: fill in {_HEAD}, and quote a reason with commas.")
    row = dict(zip(head, cells, strict=False))
    student = uncell(row["student"].strip())
    task = row["task"].strip().lstrip("'").replace(",", ".")
    if not student:
        raise OverrideError(f"{where} has no student: fill it in, or delete the line.")
    place = "semester" if not task else "task" if _TASK.fullmatch(task) else "exercise"
    kind, value = _decision(where, row["decision"].strip(), place)
    one = Override(student, task, kind, value, uncell(row["reason"].strip()), where)
    _check_place(one)
    return one


def _decision(where: str, said: str, place: str) -> tuple[str, float | str | datetime | None]:
    if not said and place != "semester":  # a remark on a task; an exercise that was looked at
        return ("comment" if place == "task" else "accept"), None
    for kind, pattern, read, places in _WRITTEN:
        match = re.fullmatch(pattern, said, re.IGNORECASE)
        if not match:
            continue
        if place not in places:
            raise OverrideError(
                f"{where}: {said!r} is said of {_PLACES[places]}: name that as the task."
            )
        try:
            return kind, read(match[1]) if match[1] else None
        except ValueError:
            break
    raise OverrideError(f"{where}: the decision is {said!r}: {_KINDS}.")


def _check_place(one: Override) -> None:
    if not one.task:
        return
    most = 0.0
    try:
        if one.is_whole:
            number_of(one.task)
        else:
            most = find(one.task).points
    except LookupError as error:
        raise OverrideError(f"{one.where}: {str(error.args[0]).rstrip('.')}.") from None
    if one.kind == "points" and not 0 <= one.points <= most:
        if one.is_whole:
            say = f"{one.task!r} is no task, and of a whole exercise no points can be set but 0"
            raise OverrideError(f"{one.where}: {say}: name a task, such as 5.1.")
        say = f"task {one.task} cannot get {one.points:g} points"
        raise OverrideError(f"{one.where}: {say}: write a number from 0 to {number(most)}.")
    if one.kind == "comment" and not one.reason:
        raise OverrideError(f"{one.where} says nothing: write points, a comment, or both.")
