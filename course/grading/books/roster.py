"""Read a list of all students, as a learning platform exports it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from course.grading.books.moodle_dates import moodle_time
from course.grading.books.moodle_sheets import is_draft, worksheet_columns
from course.grading.books.sheet_file import SheetFileError, read_rows

# What the headings of names are called, in the languages that cost nothing.
_FULL = ("full name", "name", "student", "student name", "display name")
_FIRST = ("first name", "firstname", "given name", "vorname", "prénom", "nombre", "nome")
_LAST = (
    *("last name", "lastname", "surname", "family name", "nachname", "nom", "apellido"),
    *("apellido(s)", "apellidos", "cognome"),
)
_ID = re.compile(
    r"\b(?:(?:s|u|net|user|student)?id|e-?mail\w*|mail|user ?name|login|number|matr\w*)\b",
    re.IGNORECASE,
)
# GitHub Classroom's own list; its downloads call students by their usernames.
_CLASSROOM = ("identifier", "github_username", "github_id")
_PARTICIPANT = re.compile(r"\D*(\d{1,18})")
_MOST_NAMED = 5
_TEST_STUDENT = "Student, Test"  # that Canvas adds for teachers


class RosterError(ValueError):
    """A list of students cannot be used; the message is one sentence that says what to do."""


@dataclass(frozen=True)
class RosterEntry:
    """A student on the list.

    Attributes:
        name: of the student.
        ids: by the heading of its column, what the platform knows them by: "Email address", "ID".
        number: that stands in names of downloads: Moodle's participant, Canvas's ID; or "".
        handed_in: when, if the list says so: "2026-11-20T23:59:00"; or "".
        written: the same as the list writes it, whether that can be read or not.
        is_draft: whether the list says that the work was begun, and not submitted.
        cells: the whole row.
    """

    name: str
    ids: dict[str, str] = field(default_factory=dict)
    number: str = ""
    handed_in: str = ""
    written: str = ""
    is_draft: bool = False
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class RosterFile:
    """A list of students.

    Attributes:
        entries: the students, in order.
        platform: "moodle" for its grading worksheet, "canvas" for its gradebook, "" for any other.
        headings: of the columns.
        columns: of Moodle's worksheet, which columns it reads back: "identifier", "grade",
            "maximum", and "modified", when the grade was; and "handed in".
        above: rows below the headings that are no students, such as Canvas's possible points.
        is_remembered: whether an earlier run was given it, so that a worksheet may be of any week.
    """

    entries: tuple[RosterEntry, ...] = ()
    platform: str = ""
    headings: tuple[str, ...] = ()
    columns: dict[str, int] = field(default_factory=dict)
    above: tuple[tuple[str, ...], ...] = ()
    is_remembered: bool = False


NO_ROSTER = RosterFile()


def read_roster(path: Path) -> RosterFile:
    """Return who is on the list.

    It is Moodle's grading worksheet or list of participants, Canvas's exported gradebook, GitHub
    Classroom's list, or a table that has headings, with a column of names and any of ids.

    Raises:
        RosterError: it cannot be read, or no column holds names.
    """
    try:
        rows = list(read_rows(path))
    except SheetFileError as error:
        raise RosterError(error.args[0]) from None
    if not rows:
        raise RosterError(f"{path.name} is empty: give a list of students with headings.")
    headings = tuple(heading.strip() for heading in rows[0][1])
    table = [_whole(f"{path.name}, line {line}", cells, len(headings)) for line, cells in rows[1:]]
    if columns := worksheet_columns(headings, table):
        return _worksheet(path, headings, columns, table)
    if _is_canvas(headings):
        return _gradebook(headings, table)
    if _is_classroom(headings):
        return RosterFile(tuple(_of_classroom(headings, cells) for cells in table), "", headings)
    entries = tuple(_plain(headings, cells) for cells in table if _name(headings, cells))
    if not entries:
        raise RosterError(
            f"{path.name} has no column of names: let its first line be headings, one of them "
            "“Name”, or “First name” and “Last name” (set Moodle to English before you export it)."
        )
    return RosterFile(entries, "", headings)


def _whole(where: str, cells: list[str], wanted: int) -> tuple[str, ...]:
    if any(cell.strip() for cell in cells[wanted:]):
        say = f"{len(cells)} cells stand under {wanted} headings"
        raise RosterError(f"{where}: {say}: mend the line, or export the list again.")
    return tuple([*cells, *[""] * wanted][:wanted])


def _worksheet(
    path: Path, headings: tuple[str, ...], columns: dict[str, int], table: list[tuple[str, ...]]
) -> RosterFile:
    entries = []
    for cells in table:
        identifier = cells[columns["identifier"]].strip()
        match = _PARTICIPANT.fullmatch(identifier)
        if not match:
            say = f"{identifier[:40]!r} is no “Participant” with a number"
            raise RosterError(f"{path.name}: {say}: download the grading worksheet again.")
        name = " ".join(cells[columns["name"]].split()) if "name" in columns else identifier
        written = cells[columns["handed in"]].strip() if "handed in" in columns else ""
        entries.append(
            RosterEntry(
                *(name, _ids(headings, cells), match[1]),
                *(moodle_time(written), written, is_draft(cells[: columns["grade"]]), cells),
            )
        )
    return RosterFile(tuple(entries), "moodle", headings, columns)


def _is_canvas(headings: tuple[str, ...]) -> bool:
    top = [heading.casefold() for heading in headings[:3]]
    return top[:2] == ["student", "id"] or top == ["lastname", "firstname", "id"]


def _gradebook(headings: tuple[str, ...], table: list[tuple[str, ...]]) -> RosterFile:
    number = _column(headings, ("id",))
    students = [cells for cells in table if cells[number].strip()]
    entries = [
        RosterEntry(
            _name(headings, cells), _ids(headings, cells), cells[number].strip(), cells=cells
        )
        for cells in students
    ]
    return RosterFile(
        tuple(entry for entry in entries if entry.name != _TEST_STUDENT),
        "canvas",
        headings,
        above=tuple(cells for cells in table if not cells[number].strip()),
    )


def _is_classroom(headings: tuple[str, ...]) -> bool:
    return {*_CLASSROOM[:2]} <= {heading.casefold() for heading in headings}


def _of_classroom(headings: tuple[str, ...], cells: tuple[str, ...]) -> RosterEntry:
    """Return a student of GitHub Classroom, whose identifier is what the teacher chose.

    Who has joined no assignment yet has neither username nor name.
    """
    row = {heading.casefold(): cell.strip() for heading, cell in zip(headings, cells, strict=True)}
    identifier, name = row[_CLASSROOM[0]], row.get("name", "")
    is_name = " " in identifier and "@" not in identifier and not re.search(r"\d", identifier)
    called = identifier if is_name else name or identifier or row[_CLASSROOM[1]]
    ids = {heading: row[heading] for heading in _CLASSROOM if row.get(heading)}
    return RosterEntry(" ".join(called.split()), ids, cells=cells)


def _plain(headings: tuple[str, ...], cells: tuple[str, ...]) -> RosterEntry:
    return RosterEntry(_name(headings, cells), _ids(headings, cells), cells=cells)


def _name(headings: tuple[str, ...], cells: tuple[str, ...]) -> str:
    full, first, last = (_column(headings, names) for names in (_FULL, _FIRST, _LAST))
    if full is None and first is not None and last is not None:
        return " ".join(f"{cells[first]} {cells[last]}".split())
    return " ".join(cells[full].split()) if full is not None else ""


def _ids(headings: tuple[str, ...], cells: tuple[str, ...]) -> dict[str, str]:
    known = zip(headings, cells, strict=True)
    return {
        heading: cell.strip()
        for heading, cell in known
        if _ID.search(heading.replace("_", " ")) and cell.strip()
    }


def _column(headings: tuple[str, ...], names: tuple[str, ...]) -> int | None:
    for index, heading in enumerate(headings):
        if heading.casefold().replace("_", " ") in names:
            return index
    return None


def named(names: Sequence[str]) -> str:
    """Return names in a sentence, the first few of many.

    >>> named(["Ada", "Bo"]), named(list("abcdefg"))
    ('Ada, Bo', 'a, b, c, d, e and 2 more')
    """
    shown = ", ".join(names[:_MOST_NAMED])
    return f"{shown} and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else shown
