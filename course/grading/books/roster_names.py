"""Read and remember the list of the class, in which every student has a name of their own."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from course.grading.books.gradebook import table
from course.grading.books.roster import (
    NO_ROSTER,
    RosterEntry,
    RosterError,
    RosterFile,
    read_roster,
)
from course.grading.reading.files import clean
from course.notebooks.write import write_whole

_OWN = "roster.csv"
_KEPT = Path("rosters") / "class.csv"


@dataclass(frozen=True)
class Roster:
    """The list of the class, with the names that grades.csv has for its students.

    Attributes:
        file: the list; without entries if there is none.
        entries: by name; who shares a name has an id beside it.
        guests: those whom only overrides.csv has.
    """

    file: RosterFile = NO_ROSTER
    entries: Mapping[str, RosterEntry] = field(default_factory=dict)
    guests: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all in the class, with guests who are not on the list."""
        return (*self.entries, *sorted(self.guests - self.entries.keys()))


def roster_of(folder: Path, given: Path | None) -> Roster:
    """Return the list of the class: the given one, or `roster.csv`, or the last that was given.

    Raises:
        RosterError: it cannot be used.
    """
    for path in filter(None, (given, folder / _OWN)):
        if path.exists():
            return named_roster(read_roster(path))
    if not (folder / _KEPT).exists():
        return Roster()
    try:
        return named_roster(replace(read_roster(folder / _KEPT), is_remembered=True))
    except RosterError as error:
        said = f"{error.args[0]} Or delete {folder / _KEPT}, and give a list with --roster."
        raise RosterError(said) from None


def named_roster(file: RosterFile) -> Roster:
    """Return a list with names that nobody shares."""
    names = Counter(clean(entry.name) for entry in file.entries)
    entries = {}
    for entry in file.entries:
        name = clean(entry.name)
        own = next(iter(entry.ids.values()), entry.number)  # Moodle's numbers do not last
        entries[f"{name} ({own})" if names[name] > 1 and own else name] = entry
    return Roster(file, entries)


def keep_roster(folder: Path, roster: RosterFile) -> None:
    """Keep a list of the class for later runs that are given none.

    Raises:
        OSError: it cannot be written.
    """
    if roster.entries and not roster.is_remembered:
        cells = (entry.cells for entry in roster.entries)
        write_whole(folder / _KEPT, table([roster.headings, *roster.above, *cells]))
