"""Say who is in the class: by its list, by overrides.csv, and by who handed in before."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from course.grading.books.by_hand import not_one
from course.grading.books.class_list import ClassList
from course.grading.books.identity import (
    Directory,
    Keys,
    entry_keys,
    id_keys,
    name_keys,
    person_keys,
)
from course.grading.books.roster import RosterEntry
from course.grading.books.roster_names import Roster
from course.grading.reading.layouts import Person
from course.grading.report_folder import ReportError, ReportFolder, unwritable
from course.grading.results import Result, read_result, write_result

Numbers = dict[tuple[str, str], str]  # students by platform and the number that it gives them


@dataclass(frozen=True)
class Members:
    """Who is in the class.

    Attributes:
        roster: the list, with guests.
        known: what the report remembers, under the names that the list has.
        directory: everybody, with their keys.
        numbers: students by platform and number.
        wrong: sentences on what a person said of nobody.
    """

    roster: Roster
    known: ClassList
    directory: Directory
    numbers: Numbers
    wrong: tuple[str, ...] = ()


def members(
    folder: ReportFolder,
    roster: Roster,
    known: ClassList,
    called: Iterable[tuple[str, str]],
    participants: Mapping[str, RosterEntry],
) -> Members:
    """Return who is in the class, and call people of earlier runs as the list does now.

    Args:
        folder: of the report.
        roster: the list of the class; without entries if there is none.
        known: what the report remembers.
        called: student and key, as a person said for the whole semester.
        participants: of Moodle, by their numbers on all worksheets.

    Raises:
        ReportError: a result cannot be written under its new name.
    """
    keys, wrong = _listed(roster, called)
    listed = Directory(keys)
    known = _renamed(folder, known, _new_names(folder, known, listed, keys))
    numbers: Numbers = {}
    for one in known.people:
        if one.platform == "canvas" and one.number:  # Moodle numbers people anew each time
            numbers[one.platform, one.number] = one.name
    for name, entry in roster.entries.items():
        if entry.number:
            numbers[roster.file.platform, entry.number] = name
    for number, entry in participants.items():
        named = listed.named(entry.name, *entry.ids.values())
        if len(named) == 1:
            numbers.setdefault(("moodle", number), named[0])
    guests = frozenset(keys) - roster.entries.keys() if roster.entries else frozenset()
    everybody = {**{one.name: person_keys(one) for one in known.people}, **keys}
    roster = replace(roster, guests=guests)
    return Members(roster, known, Directory(everybody), numbers, tuple(wrong))


def _listed(roster: Roster, called: Iterable[tuple[str, str]]) -> tuple[dict[str, Keys], list[str]]:
    """Return the keys of those on the list, with what a person said that they are called.

    Someone who is not on the list is so only without one, or if they are said to be themselves.
    """
    keys = {name: entry_keys(entry) | id_keys(name) for name, entry in roster.entries.items()}
    directory, wrong = Directory(keys), []
    for student, key in called:
        named = directory.named(student)
        if len(named) != 1 and roster.entries and not name_keys(student) & id_keys(key):
            wrong.append(f"overrides.csv, “is {key}”: {not_one(student, named)}")
            continue
        name = named[0] if len(named) == 1 else student
        keys[name] = keys.get(name, name_keys(name)) | id_keys(key)
    return keys, wrong


def _new_names(
    folder: ReportFolder, known: ClassList, listed: Directory, names: Collection[str]
) -> dict[str, str]:
    """Return the new names of people of earlier runs, by their old ones.

    Where there is a result under the new name already, the old name stays, to be asked about.
    """
    found: dict[str, str] = {}
    moved: set[Path] = set()
    for one in known.people:
        named = listed.named(one.name, one.own_name, one.called, *one.ids)
        if one.name in names or len(named) != 1:
            continue
        results = folder.result(one.name, "").parent.glob("*.json")
        own = {folder.result(named[0], path.stem) for path in results}
        if not any(path in moved or path.exists() for path in own):
            found[one.name] = named[0]
            moved |= own
    return found


def _renamed(folder: ReportFolder, known: ClassList, new: Mapping[str, str]) -> ClassList:
    for path in folder.kept() if new else ():
        result = read_result(path)
        if result and result.student in new:
            _move(folder, path, result, new[result.student])

    def person(one: Person) -> Person:
        name = new.get(one.name, one.name)
        return one if name == one.name else replace(one, name=name, called=one.called or one.name)

    people = {one.name: one for one in map(person, known.people)}
    pending = (replace(one, student=new.get(one.student, one.student)) for one in known.pending)
    workers = frozenset(new.get(name, name) for name in known.workers)
    return replace(known, people=(*people.values(),), pending=(*pending,), workers=workers)


def _move(folder: ReportFolder, path: Path, result: Result, name: str) -> None:
    person = replace(result.person, name=name, called=result.person.called or result.student)
    try:
        new = folder.result(name, result.exercise)
        write_result(new, replace(result, student=name, person=person))
        path.unlink()
        if not any(path.parent.iterdir()):
            path.parent.rmdir()
    except OSError as error:
        raise ReportError(unwritable(folder.path, error)) from None
