"""Say who is in the class, who of those who handed in is a stranger to it, and who is missing."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from course.grading.books.class_list import ClassList
from course.grading.books.identity import Directory, name_keys
from course.grading.books.roster import named
from course.grading.books.roster_names import Roster
from course.grading.reading.layouts import Person
from course.grading.results import Result, TaskResult


def strangers(
    people: Sequence[Person], kept: Sequence[Result], roster: Roster, directory: Directory
) -> dict[str, str]:
    """Return by name of whom nobody knows who they are, and why, as a sentence.

    With a list of the class that is whoever is not on it; without one, those who share a name, as
    far as no exercise of both tells them apart.
    """
    if roster.entries:
        return {one.name: _no_key(one, directory) for one in people if one.name not in roster.names}
    exercises: dict[str, set[str]] = defaultdict(set)
    for result in kept:
        exercises[result.student].add(result.exercise)
    by_key: dict[str, list[str]] = defaultdict(list)
    for one in people:
        if one.name in exercises:
            by_key[min(name_keys(one.called or one.own_name), default="")].append(one.name)
    found = {}
    for names in by_key.values():
        for name in names:
            others = [one for one in names if one != name and not exercises[one] & exercises[name]]
            if others:
                found[name] = f"{name} may be the same person as {named(others)}."
    return found


def _no_key(person: Person, directory: Directory) -> str:
    called = person.called or person.name
    several = [one for one in directory.named(called, person.own_name) if one != person.name]
    if several:
        return f"“{called}” may be {' or '.join(several[:4])}, by the list of the class."
    return f"Nobody on the list of the class is called “{called}”."


def everybody(known: ClassList, roster: Roster, kept: Sequence[Result]) -> list[Person]:
    """Return those on the list, where there is one, and those of whom there is work."""
    workers = {one.student for one in (*kept, *known.pending)}
    people = {one.name: one for one in known.people}
    if not roster.entries:
        return list(people.values())
    listed = [people.get(name, Person(name)) for name in roster.names]
    return [*listed, *(one for name, one in people.items() if name in workers - {*roster.names})]


def missing(
    people: Iterable[Person],
    asked: Collection[str],
    kept: Sequence[Result],
    blank: Callable[[str], tuple[TaskResult, ...]],
) -> list[Result]:
    """Return results for those who handed in nothing for an exercise that they were asked for."""
    there = {(one.student, one.exercise) for one in kept}
    return [
        Result(one.name, exercise, "", 0, blank(exercise), person=_unnumbered(one))
        for exercise in asked
        for one in people
        if (one.name, exercise) not in there
    ]


def _unnumbered(person: Person) -> Person:
    """Return somebody without the number that Moodle has for them in another assignment."""
    return replace(person, number="", folder="") if person.platform == "moodle" else person
