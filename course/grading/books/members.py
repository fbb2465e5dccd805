"""Say who is in the class: by its list, by overrides.csv, and by who handed in before."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from course.grading.books.assign import Pending
from course.grading.books.class_list import ClassList, read_class_list, write_class_list
from course.grading.books.identity import Directory, id_keys, name_keys, person_keys
from course.grading.books.overrides import Override
from course.grading.books.roster import RosterEntry, RosterFile, named
from course.grading.reading.layouts import Person
from course.grading.report_folder import ReportFolder
from course.grading.results import Result, read_result, write_result


@dataclass(frozen=True)
class Members:
    """Who is in the class.

    Attributes:
        known: what the report remembers, under the names that the list has.
        directory: everybody, with their keys and numbers.
        names: of all on the list, and of those whom overrides.csv adds; empty without a list.
        wrong: sentences on lines that are about nobody.
    """

    known: ClassList
    directory: Directory
    names: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


def members(
    folder: ReportFolder,
    roster: RosterFile,
    overrides: Iterable[Override],
    participants: Mapping[str, RosterEntry],
) -> Members:
    """Return who is in the class, and call people of earlier runs as the list does now.

    Someone who is not on the list is in the class only without one, or if a line says that they
    are themselves.

    Args:
        folder: of the report.
        roster: the list of the class; without entries if there is none.
        overrides: all lines of overrides.csv.
        participants: of Moodle, by their numbers on all worksheets.

    Raises:
        ReportError: what the report remembers is damaged.
        OSError: it cannot be written.
    """
    keys = {one.name: person_keys(one) for one in roster.entries}
    on_list, wrong = Directory(keys), []
    for one in overrides:
        if one.task:
            continue
        name = one.student
        try:
            name = on_list.one(name)
        except LookupError as error:
            if roster.entries and not name_keys(name) & id_keys(str(one.value)):
                wrong.append(f"{one.where}: {error.args[0]}")
                continue
        keys[name] = keys.get(name, name_keys(name)) | id_keys(str(one.value))
    numbers = roster.numbers
    listed = Directory(keys, numbers)
    known = read_class_list(folder)
    others = listed.students(one for one in known.people if one.name not in keys)
    known = _renamed(folder, known, {one.name: name for one, name in others.items()})
    for one in known.people:
        if one.platform == "canvas" and one.number:  # Moodle numbers people anew each time
            numbers.setdefault((one.platform, one.number), one.name)
    for number, entry in participants.items():
        for name in listed.students([entry]).values():
            numbers["moodle", number] = name
    directory = Directory(keys, numbers).with_people(known.people)
    names = tuple(keys) if roster.entries else ()
    return Members(known, directory, names, tuple(wrong))


def _renamed(folder: ReportFolder, known: ClassList, new: Mapping[str, str]) -> ClassList:
    for path in folder.kept() if new else ():
        result = read_result(path)
        if result and result.student in new:
            known = _moved(folder, known, path, result, new[result.student])

    def person(one: Person) -> Person:
        name = new.get(one.name, one.name)
        return one if name == one.name else replace(one, name=name, called=one.called or one.name)

    people = {one.name: one for one in map(person, known.people)}
    pending = (replace(one, student=new.get(one.student, one.student)) for one in known.pending)
    return replace(known, people=(*people.values(),), pending=(*pending,))


def _moved(
    folder: ReportFolder, known: ClassList, path: Path, result: Result, name: str
) -> ClassList:
    """Move a result to a student; where there is another, it becomes a file to be asked about."""
    person = replace(result.person, name=name, called=result.person.called or result.student)
    moved = replace(result, student=name, person=person)
    place = folder.result(name, result.exercise)
    if place.exists() and read_result(place) != moved:
        said = f"{result.student} handed it in, who is {name}."
        shown = "\n\n".join(task.code for task in result.tasks)
        facts = result.file, said, result.download, result.work, shown
        again = Pending(name, result.exercise, *facts, is_gradable=True, may_count=True)
        known = replace(known, pending=(*known.pending, again))
        write_class_list(folder, known)  # before the result is gone
    else:
        write_result(place, moved)
    path.unlink()
    return known


def strangers(
    people: Sequence[Person],
    kept: Sequence[Result],
    now: Members,
) -> dict[str, str]:
    """Return by name of whom nobody knows who they are, and why, as a sentence.

    With a list of the class that is anyone who is not on it; without one, those who share a name,
    as far as no exercise of both tells them apart.

    Args:
        people: all of whom there is work.
        kept: the results of the report.
        now: who is in the class.
    """
    if now.names:
        return {
            one.name: _no_key(one, now.directory) for one in people if one.name not in now.names
        }
    exercises: dict[str, set[str]] = defaultdict(set)
    for result in kept:
        exercises[result.student].add(result.exercise)
    keys = {
        one.name: min(name_keys(one.called or one.own_name), default="")
        for one in people
        if one.name in exercises
    }
    found = {}
    for name, key in keys.items():
        alike = (one for one in keys if one != name and keys[one] == key)
        if others := [one for one in alike if not exercises[one] & exercises[name]]:
            found[name] = f"{name} may be the same person as {named(others)}."
    return found


def _no_key(person: Person, directory: Directory) -> str:
    called = person.called or person.name
    several = [one for one in directory.having(person_keys(person)) if one != person.name]
    if several:
        return f"“{called}” may be {' or '.join(several[:4])}, by the list of the class."
    return f"Nobody on the list of the class is called “{called}”."
