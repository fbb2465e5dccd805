"""Read overrides.csv, in which a person decides what the grader cannot."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from course.grading.books.course_file import until
from course.grading.books.gradebook import TableError, number, read_rows, uncell
from helpers.checks.tasks import find, number_of

COLUMNS = ("student", "task", "decision", "reason")
_OLD = "points"  # what `decision` was called
_HEAD = ",".join(COLUMNS)
_TASK = re.compile(r"\d{1,3}\.\d{1,3}", re.ASCII)
NOBODY = "nobody"  # the student of a file that is nobody's work


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
        times: how often it stands there: once more says that new work was looked at.
    """

    student: str
    task: str
    kind: str
    value: float | str | datetime | None
    reason: str
    where: str = "overrides.csv"
    times: int = 1

    @property
    def is_whole(self) -> bool:
        """Whether it is about a whole exercise."""
        return not _TASK.fullmatch(self.task)

    @property
    def points(self) -> float:
        """The points that it sets; 0 if it sets none."""
        return self.value if self.kind == "points" else 0.0


def _time(text: str) -> datetime:
    """Return a time; a date is until the end of that day."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return until(date.fromisoformat(text))
    return datetime.fromisoformat(text)


def _number(text: str) -> float:
    return float(text.replace(",", "."))


# What a decision may be: its kind, how it is written, what its value is, where it may be, and an
# example.
_WRITTEN: tuple[tuple[str, str, Callable[[str], float | str | datetime], str, str], ...] = (
    ("points", r"'*([-+]?\d+(?:[.,]\d+)?)", _number, "task exercise", "points"),
    ("accept", r"accept()", str, "task exercise", "accept"),
    ("comment", r"comment()", str, "task exercise", "comment"),
    ("take", r"take (.+)", str, "exercise", "take FILE"),
    ("late", r"late (\d+(?:[.,]\d+)?) ?(?:h|hours?)", _number, "exercise", "late 27 h"),
    ("due", r"due (.+)", _time, "exercise", "due 2026-11-27"),
    ("is", r"is (.+)", str, "exercise semester", "is LOGIN"),
)


def read_overrides(path: Path) -> tuple[list[Override], list[str]]:
    """Return what stands in overrides.csv, as a spreadsheet saves it, and what is wrong with it.

    That is a sentence for each line which does not say what it is to, or which names no task or
    exercise of the course: all of them at once. Students are known only with the results.

    Raises:
        TableError: it cannot be read as a table.
    """
    rows = read_rows(path) if path.exists() else []
    if not rows:
        return [], []
    (top, titles), *lines = rows
    head = [title.strip().casefold() for title in titles]
    head = [COLUMNS[2] if title == _OLD else title for title in head]
    if any(head.count(column) != 1 for column in COLUMNS):
        raise TableError(f"{path.name}, line {top}: let it be the headings {_HEAD}.")
    overrides, wrong = [], []
    for line, cells in lines:
        where = f"{path.name}, line {line}"
        try:
            overrides.append(read_line(where, head, cells))
        except (ValueError, LookupError) as error:
            wrong.append(f"{where}: {str(error.args[0]).rstrip('.')}.")
    return overrides, wrong


def read_line(where: str, head: Sequence[str], cells: Sequence[str]) -> Override:
    """Return what a line of overrides.csv says under these headings.

    Raises:
        ValueError, LookupError: it says nothing that can be done; the first argument says why.
    """
    if len(cells) < len(head) or any(cell.strip() for cell in cells[len(head) :]):
        say = f"{len(cells)} cells are under {len(head)} headings"
        raise ValueError(f"{say}: fill in {_HEAD}, and quote a reason with commas")
    row = dict(zip(head, cells, strict=False))
    student = uncell(row["student"].strip())
    task = row["task"].strip().lstrip("'").replace(",", ".")
    if not student:
        raise ValueError("it has no student: fill it in, or delete the line")
    place = "semester" if not task else "task" if _TASK.fullmatch(task) else "exercise"
    kind, value = _decision(row["decision"].strip(), place)
    one = Override(student, task, kind, value, uncell(row["reason"].strip()), where)
    _check_task(one)
    return one


def _decision(said: str, place: str) -> tuple[str, float | str | datetime | None]:
    if not said and place != "semester":  # a remark on a task; an exercise that was looked at
        return ("comment" if place == "task" else "accept"), None
    rows = [row for row in _WRITTEN if place in row[3]]
    for kind, pattern, read, *_ in rows:
        if match := re.fullmatch(pattern, said, re.IGNORECASE):
            with suppress(ValueError):
                return kind, read(match[1]) if match[1] else None
    examples = ", ".join(row[-1] for row in rows)
    raise ValueError(f"the decision is {said!r}: of this {place} it can be {examples}")


def _check_task(one: Override) -> None:
    if one.task:
        number_of(one.task)
        most = 0 if one.is_whole else find(one.task).points
        if not 0 <= one.points <= most:
            can = (
                "0, or points of its tasks" if one.is_whole else f"from 0 to {number(most)} points"
            )
            raise ValueError(f"{one.task} cannot get {one.points:g} points: it can get {can}")
