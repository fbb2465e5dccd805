"""Read the list of all students, as a learning platform exports it, and remember it."""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from course.grading.books.gradebook import TableError, read_rows
from course.grading.reading.files import clean
from course.grading.reading.layouts import Person
from course.notebooks.write import write_whole

# What columns hold, and their headings; the last of several counts.
_HEADINGS = {
    "name": ("display name", "student name", "student", "name", "full name"),
    "first": ("given name", "vorname", "firstname", "first name"),
    "last": ("family name", "nachname", "surname", "lastname", "last name"),
    # of Moodle's grading worksheet
    "identifier": ("identifier",),
    "status": ("status",),
    "grade": ("grade",),
    "maximum": ("maximum grade",),
    "handed in": ("last modified (submission)",),
    "modified": ("last modified (grade)",),
    # of Canvas's gradebook, which begins with names
    "begin": ("lastname", "student"),
    "id": ("id",),
    "section": ("section",),
    # of GitHub Classroom
    "username": ("github username",),
}
# By which columns a platform's list is known; the first has the numbers of students.
_PLATFORMS = {"moodle": ("identifier", "grade", "modified"), "canvas": ("id", "begin", "section")}
_ID = re.compile(
    r"(?i)\b(?:(?:s|u|net|user|student)?id|identifier|(?:e-?)?mail\w*|user ?name|login|number|"
    r"matr\w*)\b"
)
_PARTICIPANT = re.compile(r"\d+$")
_WEEKDAY = re.compile(r"\w+day, ")
# As Moodle writes times in English, and in American English.
_TIMES = (
    *("%d %B %Y, %I:%M %p", "%d %B %Y, %H:%M"),
    *("%B %d, %Y, %I:%M %p", "%B %d, %Y, %H:%M"),
)
_TEST_STUDENTS = ("Student, Test", "Test Student")  # whom Canvas adds for teachers
_MOST_NAMED = 5
_OWN = "roster.csv"
_KEPT = Path("rosters") / "class.csv"


@dataclass(frozen=True)
class RosterEntry(Person):
    """A student on the list; those who share a name have an id beside it.

    Attributes:
        number: that the file names of a download have: Moodle's participant, Canvas's ID; or "".
        handed_in: when, if the list says so: "2026-11-20T23:59:00"; or "".
        is_draft: whether Moodle says that the work is a draft, which was not submitted.
        cells: the whole row.
    """

    handed_in: str = ""
    is_draft: bool = False
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class RosterFile:
    """A list of students.

    Attributes:
        entries: the students, in order; empty if there is no list.
        platform: "moodle" for its grading worksheet, "canvas" for its gradebook, "" for any other.
        headings: of the columns.
        columns: which column has a "name", and what else `_HEADINGS` lists.
        above: rows of Canvas's gradebook without a student, such as the possible points.
        path: where it is.
        is_remembered: whether an earlier run was given it, so that a worksheet may be of any week.
    """

    entries: tuple[RosterEntry, ...] = ()
    platform: str = ""
    headings: tuple[str, ...] = ()
    columns: dict[str, int] = field(default_factory=dict)
    above: tuple[tuple[str, ...], ...] = ()
    path: Path = field(default=Path(), compare=False)
    is_remembered: bool = False

    @property
    def numbers(self) -> dict[tuple[str, str], str]:
        """Return the names of students by platform and number."""
        return {(self.platform, one.number): one.name for one in self.entries if one.number}


NO_ROSTER = RosterFile()


def roster_of(folder: Path, given: Path | None) -> RosterFile:
    """Return the list of the class: the given one, or `roster.csv`, or the last that was given.

    Raises:
        TableError: it cannot be used.
    """
    for path in filter(None, (given, folder / _OWN)):
        if path.exists():
            return read_roster(path)
    kept = folder / _KEPT
    if not kept.exists():
        return NO_ROSTER
    try:
        return replace(read_roster(kept), is_remembered=True)
    except TableError as error:
        said = f"{error.args[0]} Or delete {kept}, and give a list with --roster."
        raise TableError(said) from None


def keep_roster(folder: Path, roster: RosterFile) -> None:
    """Keep a list of the class for later runs that are given none.

    Raises:
        OSError: it cannot be written.
    """
    if roster.entries and not roster.is_remembered:
        write_whole(folder / _KEPT, roster.path.read_bytes())


def read_roster(path: Path) -> RosterFile:
    """Return the students on a list.

    It is Moodle's grading worksheet or list of participants, Canvas's exported gradebook, GitHub
    Classroom's list, or any table with headings: a column of names, and columns of ids.

    Raises:
        TableError: it cannot be read, or no column holds names.
    """
    rows = read_rows(path)
    headings = tuple(heading.strip() for heading in rows[0][1]) if rows else ()
    columns = columns_of(headings)
    platform = next((name for name, own in _PLATFORMS.items() if columns.keys() >= {*own}), "")
    roster = RosterFile((), platform, headings, columns, path=path)
    table = [_whole(f"{path.name}, line {line}", cells, len(headings)) for line, cells in rows[1:]]
    entries = [_entry(roster, cells) for cells in table]
    if platform == "canvas":
        above = tuple(one.cells for one in entries if not one.number)
        students = [one for one in entries if one.number and one.name not in _TEST_STUDENTS]
        return replace(roster, entries=_apart(students), above=above)
    entries = [one for one in entries if one.name]
    if not entries:
        raise TableError(
            f"{path.name} has no column of names: let its first line be headings, one of them "
            "“Name”, or “First name” and “Last name” (set Moodle to English before you export it)."
        )
    return replace(roster, entries=_apart(entries))


def columns_of(headings: Sequence[str]) -> dict[str, int]:
    """Return which column holds what, by the words for it in `_HEADINGS`."""
    places = {heading.casefold().replace("_", " "): i for i, heading in enumerate(headings)}
    return {
        role: places[heading]
        for role, several in _HEADINGS.items()
        for heading in several
        if heading in places
    }


def _whole(where: str, cells: list[str], wanted: int) -> tuple[str, ...]:
    if any(cell.strip() for cell in cells[wanted:]):
        raise TableError(
            f"{where}: {len(cells)} cells are under {wanted} headings: fix the line, or export the "
            "list again."
        )
    return tuple(cells[:wanted] + [""] * (wanted - len(cells)))


def _entry(roster: RosterFile, cells: tuple[str, ...]) -> RosterEntry:
    own = {role: " ".join(cells[place].split()) for role, place in roster.columns.items()}
    own["both"] = f"{own.get('first', '')} {own.get('last', '')}".strip()
    names = ("name", "both", "identifier", "username")  # Moodle can hide names
    if "username" in own and " " in own["identifier"]:  # the teacher's; the name is the student's
        names = ("identifier",)
    ids = {
        heading: cell.strip()
        for heading, cell in zip(roster.headings, cells, strict=True)
        if cell.strip() and _ID.search(heading.replace("_", " "))
    }
    number = own[_PLATFORMS[roster.platform][0]] if roster.platform else ""
    if roster.platform == "moodle":
        number = "".join(_PARTICIPANT.findall(number))
        del ids[roster.headings[roster.columns["identifier"]]]
    return RosterEntry(
        clean(next((own[role] for role in names if own.get(role)), "")),
        roster.platform,
        number,
        ids=tuple(ids.values()),
        handed_in=_time(own.get("handed in", "")),
        is_draft=own.get("status", "").startswith("Draft ("),
        cells=cells,
    )


def _apart(entries: Sequence[RosterEntry]) -> tuple[RosterEntry, ...]:
    """Return entries with names that nobody shares, where an id or a number tells them apart."""
    names = Counter(one.name for one in entries)
    marks = [next(iter(one.ids), one.number) for one in entries]  # Moodle's numbers do not last
    return tuple(
        replace(one, name=f"{one.name} ({mark})") if names[one.name] > 1 and mark else one
        for one, mark in zip(entries, marks, strict=True)
    )


def _time(text: str) -> str:
    """Return a time as ISO writes it; "" for what is none, or is not English.

    >>> _time("Friday, 20 November 2026, 11:59 PM"), _time("-")
    ('2026-11-20T23:59:00', '')
    >>> _time("Saturday, November 7, 2026, 6:01 PM")
    '2026-11-07T18:01:00'
    """
    with suppress(ValueError):
        return datetime.fromisoformat(text).isoformat()
    words = _WEEKDAY.sub("", text)
    for form in _TIMES:
        with suppress(ValueError):
            return datetime.strptime(words, form).isoformat()
    return ""


def named(names: Sequence[str]) -> str:
    """Return names in a sentence, the first few of many.

    >>> named(["Ada", "Bo"]), named(list("abcdefg"))
    ('Ada, Bo', 'a, b, c, d, e and 2 more')
    """
    shown = ", ".join(names[:_MOST_NAMED])
    return f"{shown} and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else shown
