"""Tell whose work each file is, and say what was passed over."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from course.grading.reading.collect import Item
from course.grading.reading.file_names import (
    Owner,
    exercise_of,
    is_notebook,
    owner_of_file,
    owner_of_folder,
)

_MOST_NAMES = 3
_MOST_UNKNOWN = 10  # notebooks of a student that are named


@dataclass(frozen=True)
class Work:
    """A file or a folder that was handed in.

    Attributes:
        student: whose it is; "" if nothing says so.
        name: that the student gave it; "" for a folder.
        item: where it lies.
    """

    student: str
    name: str
    item: Item


def students_work(items: Iterable[Item]) -> tuple[list[Work], list[str]]:
    """Return whose each of the files is, and sentences on people of the same name.

    Two people of the same name are told apart by the numbers that the learning platform has for
    them. Moodle numbers people anew for every download; in two of them the same name is one person.
    """
    owned = [(item, *_owner(item)) for item in items]
    numbers: dict[tuple[str, str], set[str]] = {}
    for item, owner, _ in owned:
        if owner and owner.number:
            numbers.setdefault(_scope(item, owner), set()).add(owner.number)
    found = []
    for item, owner, name in owned:
        student = owner.name if owner else ""
        if owner and owner.number and len(numbers[_scope(item, owner)]) > 1:
            student = f"{owner.name} ({owner.number})"
        found.append(Work(student, name, item))
    shared = sorted({name for (name, _), several in numbers.items() if len(several) > 1})
    return found, [
        f"{name} stands for more than one person, who are told apart by their numbers."
        for name in shared
    ]


def _owner(item: Item) -> tuple[Owner | None, str]:
    name = "" if item.is_folder else item.parts[-1]
    if item.owner:
        return item.owner, name
    if item.is_folder or len(item.parts) > 1:
        return owner_of_folder(item.parts[0]), name
    return owner_of_file(name) or (None, name)


def _scope(item: Item, owner: Owner) -> tuple[str, str]:
    return owner.name, "" if owner.lasting else item.download


def taken_of_several(best: Work, rest: Sequence[Work], exercise: str) -> list[str]:
    """Say which notebook was taken where there is more than one for an exercise."""
    if not rest:
        return []
    others = _listed([_where(each) for each in rest])
    return [f"{best.student} has more than one {exercise}: {_where(best)} counts, not {others}."]


def notes_on(work: Sequence[Work], exercises: Sequence[str]) -> list[str]:
    """Say which notebooks are none of the exercises, or nobody's, and who has none that counts."""
    notes = []
    unknown: dict[str, list[str]] = {}
    counted: set[str] = set()
    files: dict[str, list[str]] = {}
    for each in work:
        if each.student and exercise_of(each.name, exercises):
            counted.add(each.student)
        elif is_notebook(each.name) and each.student:
            unknown.setdefault(each.name, []).append(each.student)
        elif is_notebook(each.name):
            notes.append(f"{_where(each)} is passed over: nothing says whose it is.")
        elif each.student and each.name:
            files.setdefault(each.student, []).append(each.name)
    notes += _unknown(unknown)
    for student in sorted(files.keys() - counted):
        notes.append(f"{student} handed in nothing that counts, only {_listed(files[student])}.")
    return notes + _downloads(work)


def _unknown(names: dict[str, list[str]]) -> list[str]:
    """Say which notebooks of whom are none of the exercises, some of each student."""
    notes, said = [], Counter[str]()
    for name, students in sorted(names.items()):
        said.update(set(students))
        if who := [one for one in sorted(set(students)) if said[one] <= _MOST_UNKNOWN]:
            notes.append(f"{name} of {_listed(who)} is none of the exercises to grade.")
    return notes + [
        f"{student} has {count - _MOST_UNKNOWN} more notebooks that are none of the exercises."
        for student, count in sorted(said.items())
        if count > _MOST_UNKNOWN
    ]


def _downloads(work: Sequence[Work]) -> list[str]:
    """Say which folder looks like a download of many students' work, and was taken for one's."""
    found = {}
    for each in work:
        parts = each.item.parts
        plain = not each.item.owner and not owner_of_folder(parts[0]).number
        if plain and len(parts) > 1 and owner_of_file(parts[1]):
            found[parts[0]] = each.student
    return [
        f"{folder} was taken for one student's folder: if it is a download of many students' "
        "work, grade it by itself."
        for folder in found
    ]


def _where(work: Work) -> str:
    return "/".join(work.item.parts)


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMES:
        return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} more"
    return ", ".join(names)
