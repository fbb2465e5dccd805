"""Remember the newest list of the class, for runs that are given none: it says who is in it."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from course.grading.books.called_by_list import as_listed, listed_people
from course.grading.books.class_list import ClassList
from course.grading.books.handed_back import table
from course.grading.books.matching import Matching, match
from course.grading.books.roster import NO_ROSTER, RosterError, RosterFile, named, read_roster
from course.grading.reading.people import Person
from course.notebooks.write import write_whole

_OWN = "roster.csv"
_KEPT = Path("rosters") / "class.csv"


@dataclass(frozen=True)
class InClass:
    """Who is in the class by a list of it.

    Attributes:
        matching: who of them stands where on the list.
        class_list: what a report remembers, without those who are no longer in the class.
        everybody: those of the report, and those who are only on the list.
    """

    matching: Matching
    class_list: ClassList
    everybody: tuple[Person, ...]


def roster_of(folder: Path, given: Path | None) -> RosterFile:
    """Return the list of the class for a run: the given one, or `roster.csv`, or the newest kept.

    Args:
        folder: of the report.
        given: where the list of this run lies, if there is one.

    Raises:
        RosterError: it cannot be used.
    """
    for path in filter(None, (given, folder / _OWN)):
        if path.exists():
            return read_roster(path)
    return _kept(folder)


def in_class(roster: RosterFile, known: ClassList, there: Collection[str]) -> InClass:
    """Return who is in the class.

    The list says so, where there is one: of others, only those are in it of whom there is work.

    Args:
        roster: of a run; empty if there is none.
        known: what the report remembers.
        there: the names of students in the run, and of those of whom there is a result.
    """
    matching = match(roster, known.people)
    if roster.entries:
        names = {*there, *matching.entries}
        known = replace(known, people=tuple(one for one in known.people if one.name in names))
        matching = match(roster, known.people)
    listed = listed_people(roster, known.people)
    absent = (as_listed(one, listed) for one in matching.absent)
    return InClass(matching, known, (*known.people, *absent))


def keep_roster(folder: Path, roster: RosterFile, known: ClassList, now: InClass) -> list[str]:
    """Keep a run's list of the class; return a sentence on who is in the class no more, if any.

    Args:
        folder: of the report.
        roster: of the run.
        known: what the report remembers, with this run.
        now: who is in the class by `roster`.

    Raises:
        OSError: it cannot be written.
    """
    if not roster.entries or roster.is_remembered:
        return []
    try:
        before = in_class(_kept(folder), known, {one.name for one in known.people})
    except RosterError:  # this list takes its place
        before = InClass(now.matching, known, known.people)
    cells = (entry.cells for entry in roster.entries)
    write_whole(folder / _KEPT, table([roster.headings, *roster.above, *cells]))
    gone = {one.name for one in before.everybody} - {one.name for one in now.everybody}
    if not gone:
        return []
    said = named(sorted(gone))
    return [f"Without work, and not on the newest list of the class, so no more in it: {said}."]


def _kept(folder: Path) -> RosterFile:
    path = folder / _KEPT
    if not path.exists():
        return NO_ROSTER
    try:
        return replace(read_roster(path), is_remembered=True)
    except RosterError as error:
        said = f"{error.args[0]} Or delete {path}, and give the list of the class with --roster."
        raise RosterError(said) from None
