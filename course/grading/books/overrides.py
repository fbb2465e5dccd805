"""Read the points that a person sets by hand, which win over every run."""

import csv
import io
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from course.grading.books.gradebook import cell, number, uncell
from course.grading.results import Result, TaskResult
from helpers.checks.tasks import find

_COLUMNS = ("student", "task", "points", "reason")
_HEAD = ",".join(_COLUMNS)


class OverrideError(ValueError):
    """overrides.csv cannot be used; the message is one sentence that says what to do."""


@dataclass(frozen=True)
class Override:
    """Points set by hand.

    Attributes:
        student, task: as in grades.csv.
        points: that count in place of the grader's.
        reason: that the student reads.
        where: file and line, for messages.
    """

    student: str
    task: str
    points: float
    reason: str
    where: str = "overrides.csv"


def read_overrides(path: Path) -> list[Override]:
    """Return what stands in overrides.csv, as a spreadsheet saves it.

    Raises:
        OverrideError: it cannot be read, or a line of it does not say what it is to.
    """
    lines = _lines(path)
    first = next(lines, None)
    if first is None:
        return []
    head = [title.strip().casefold() for title in first[1]]
    if any(head.count(column) != 1 for column in _COLUMNS):
        raise OverrideError(f"{path.name}, line {first[0]}: let it be the headings {_HEAD}.")
    return [_override(f"{path.name}, line {line}", head, cells) for line, cells in lines]


def apply_overrides(results: list[Result], overrides: list[Override]) -> list[Result]:
    """Return the results with the points that are set by hand.

    Raises:
        OverrideError: there is no such student or task, or a task cannot get such points.
    """
    found: dict[tuple[str, str], Override] = {}
    students = sorted({result.student for result in results})
    for override in overrides:
        names = find_student(override.student, students)
        if len(names) != 1:
            fault = "more than one student is" if names else "no student is"
            say = f"{fault} called {override.student!r}"
            raise OverrideError(f"{override.where}: {say}: copy the name from grades.csv.")
        task = _task(override, [r for r in results if r.student == names[0]])
        _check_points(override, task)
        first = found.setdefault((names[0], task.task), override)
        if first is not override:
            say = f"task {task.task} of {names[0]!r} is set already in {first.where}"
            raise OverrideError(f"{override.where}: {say}: delete one of the two.")
    return [_applied(result, found) for result in results]


def set_aside(
    overrides: list[Override], results: list[Result], left_out: Sequence[str]
) -> list[Override]:
    """Return the overrides for students who are left out, and for exercises not graded now."""
    tasks = {task.task for result in results for task in result.tasks}
    students = sorted({*left_out, *(result.student for result in results)})
    aside = []
    for override in overrides:
        named = find_student(override.student, students)
        other_student = bool(named) and set(named) <= set(left_out)
        if other_student or (override.task not in tasks and _is_of_the_course(override.task)):
            aside.append(override)
    return aside


def _is_of_the_course(task: str) -> bool:
    try:
        find(task)
    except LookupError:
        return False
    return True


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not blank, with their numbers, as cells."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise OverrideError(f"{path.name} is not UTF-8: save it as “CSV UTF-8”.") from None
    except OSError as error:
        raise OverrideError(f"{path.name} cannot be read ({error.strerror}).") from None
    text = re.sub(r"\Asep=.\n", "\n", text)  # some spreadsheets name the delimiter
    top = next((line for line in text.splitlines() if line.strip(' ,;\t"')), "")
    delimiter = max(",;\t", key=top.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        where = f"{path.name}, line {reader.line_num}"
        raise OverrideError(f"{where}: mend its quotation marks ({error}).") from None


def _override(where: str, head: list[str], cells: list[str]) -> Override:
    if len(cells) < len(head) or any(cell.strip() for cell in cells[len(head) :]):
        say = f"{len(cells)} cells stand under {len(head)} headings"
        raise OverrideError(f"{where}: {say}: fill in {_HEAD}, and quote a reason with commas.")
    row = dict(zip(head, cells, strict=False))
    for column in ("student", "task", "points"):
        if not row[column].strip():
            raise OverrideError(f"{where} has no {column}: fill it in, or delete the line.")
    said = row["points"].strip()
    try:
        points = float(said.lstrip("'").replace(",", "."))
    except ValueError:
        raise OverrideError(f"{where}: the points are {said!r}: write a number.") from None
    task = row["task"].strip().lstrip("'").replace(",", ".")
    return Override(row["student"], task, points, uncell(row["reason"].strip()), where)


def _task(override: Override, results: list[Result]) -> TaskResult:
    known = {task.task: task for result in results for task in result.tasks}
    if override.task not in known:
        say = f"there is no task {override.task!r} in this report"
        raise OverrideError(f"{override.where}: {say}: there are {', '.join(sorted(known))}.")
    return known[override.task]


def _check_points(override: Override, task: TaskResult) -> None:
    if math.isnan(override.points) or not 0 <= override.points <= task.max_points:
        say = f"task {task.task} cannot get {override.points:g} points"
        most = f"{number(task.max_points)}"
        raise OverrideError(f"{override.where}: {say}: write a number from 0 to {most}.")


def _applied(result: Result, found: dict[tuple[str, str], Override]) -> Result:
    tasks = (_set(task, found.get((result.student, task.task))) for task in result.tasks)
    return replace(result, tasks=tuple(tasks))


def _set(task: TaskResult, override: Override | None) -> TaskResult:
    if override is None:
        return task
    reason = override.reason.rstrip(" .")
    said = f"Points set by hand: {reason}." if reason else "Points set by hand."
    message = f"{task.message} {said}".strip()
    return replace(task, points=override.points, message=message, by_hand=True)


def find_student(written: str, students: Sequence[str]) -> list[str]:
    """Return the students that are meant: one, if the name can be told.

    What grades.csv calls a student comes first, then the name itself, then what differs only in
    spaces, in apostrophes before it, or in the way accents are stored.
    """
    for form in (cell, str, _loose):
        name = written if form is cell else form(written)
        found = [student for student in students if form(student) == name]
        if found:
            return found
    return []


def _loose(name: str) -> str:
    composed = unicodedata.normalize("NFC", cell(name))
    return " ".join(composed.split()).lstrip("'").strip()
