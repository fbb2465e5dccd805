"""Tell whose work each file is, and keep people of the same name apart."""

from collections.abc import Iterable
from dataclasses import dataclass

from course.grading.reading.file_names import Owner, owner_of_file, owner_of_folder
from course.grading.reading.walk import Item


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
