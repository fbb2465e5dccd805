"""Tell whose work each file is."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from course.grading.reading import blackboard
from course.grading.reading.archives import read_member
from course.grading.reading.downloads import are_of_people, classroom_prefix, lies_beside
from course.grading.reading.file_names import (
    Owner,
    before_attempt,
    owner_of_file,
    owner_of_folder,
)
from course.grading.reading.gradescope import METADATA, Submitters, read_metadata
from course.grading.reading.heap import Item
from course.grading.reading.people import Person
from course.grading.reading.untrusted_files import UnreadableError, read_regular
from course.grading.reading.whole_names import WholeNames

_MOST_RECEIPTS = 10_000  # that are read


@dataclass(frozen=True)
class Work:
    """A file or a folder that was handed in.

    Attributes:
        student: whose it is; "" if nothing says so.
        name: that the student gave it; "" for a folder.
        item: where it lies.
        person: what the learning platform calls the student; its name is `student`.
        rank: which of several files of a student came later by the platform's own mark, the larger;
            () if it says nothing.
        marked_late: whether the platform marks it as late.
        handed_in: when, by the platform, as "2026-11-20T23:59:00"; "" if it does not say.
        is_by_name: whether only the name that it was given, and a list of the class, say whose.
        others: as in `Owner`.
    """

    student: str
    name: str
    item: Item
    person: Person = field(default_factory=Person)
    rank: tuple[int, ...] = ()
    marked_late: bool = False
    handed_in: str = ""
    is_by_name: bool = False
    others: str = ""


def read_item(item: Item) -> bytes:
    """Return what a file holds.

    Raises:
        UnreadableError: it cannot be read, or is too large.
    """
    return read_member(item.path, item.member) if item.member else read_regular(item.path)


def students_work(
    items: Sequence[Item],
    exercises: Sequence[str] = (),
    read: Callable[[Item], bytes] = read_item,
    listed: Sequence[str] = (),
) -> tuple[list[Work], list[str]]:
    """Return whose each of the files is, and sentences on people of the same name.

    Two people of the same name are told apart by the numbers that the learning platform has for
    them. Moodle numbers people anew for every download; in two of them the same name is one person.

    Args:
        items: all that was handed in.
        exercises: the names of exercises, which GitHub Classroom puts before usernames.
        read: how to read what the platform itself wrote beside the files.
        listed: the names of the class, which are looked for in names of files.
    """
    owners = _Owners(items, exercises, read, WholeNames(listed))
    owned = [(item, owner, name) for item in items for owner, name in owners.of(item)]
    numbers: dict[tuple[str, str], set[str]] = {}
    for item, owner, _ in owned:
        if owner and owner.number:
            numbers.setdefault(_scope(item, owner), set()).add(owner.number)
    shared = {name for (name, _), several in numbers.items() if len(several) > 1}
    found = []
    for item, owner, name in owned:
        if owner is None:
            found.append(Work("", name, item))
            continue
        of_several = owner.name in shared and owner.number
        student = f"{owner.name} ({owner.number})" if of_several else owner.name
        person = Person(student, owner.platform, owner.number, owner.folder)
        told = owner.rank, owner.late, owner.handed_in, owner.is_by_name, owner.others
        found.append(Work(student, name, item, person, *told))
    return found, [
        f"{name} stands for more than one person, who are told apart by their numbers."
        for name in sorted(shared)
    ]


def _scope(item: Item, owner: Owner) -> tuple[str, str]:
    return owner.name, "" if owner.lasting else item.download


class _Owners:
    """Whose files are, by their names, and by what learning platforms wrote beside them."""

    def __init__(
        self,
        items: Sequence[Item],
        exercises: Sequence[str],
        read: Callable[[Item], bytes],
        listed: WholeNames,
    ) -> None:
        self._exercises, self._read, self._listed = exercises, read, listed
        self._users, self._people = self._blackboards(items)
        self._exports = {
            item.download: read_metadata(self._content(item))
            for item in items
            if item.parts == (METADATA,) and not item.packed_in
        }

    def of(self, item: Item) -> list[tuple[Owner | None, str]]:
        """Return who handed in a file, and how they called it; several people where they did."""
        name = "" if item.is_folder else item.parts[-1]
        if item.is_nobodys:
            return [(None, name)]
        if item.owner:
            return [(self._named(item.owner), name)]
        if not item.is_folder and len(item.parts) == 1:
            owner, name = owner_of_file(name) or (self._by_name(name), name)
            return [(owner and self._named(owner), name)]
        together = self._exports.get(item.download, {}).get(item.parts[0])
        if together:
            return [(owner, name) for owner in _submitters(item.parts[0], together)]
        before = classroom_prefix(item.download)
        if before and item.parts[0].startswith(before) and item.parts[0] != before:
            return [(Owner(item.parts[0].removeprefix(before), folder=item.parts[0]), name)]
        owner = owner_of_folder(item.parts[0], self._exercises)
        if item.is_nbgraders:
            owner = Owner(item.parts[0], item.parts[0], True, "nbgrader", item.parts[0])
        return [(owner, name)]

    def _by_name(self, file: str) -> Owner | None:
        name = "" if lies_beside(file) else self._listed.in_file(file)
        return Owner(name, is_by_name=True) if name else None

    def _named(self, owner: Owner) -> Owner:
        user = self._users.get(before_attempt(owner)) if owner.platform == "blackboard" else None
        if not user:
            return owner
        name = f"{self._people[user]} ({user})" if user in self._people else user
        return replace(owner, name=name, number=user)

    def _blackboards(self, items: Sequence[Item]) -> tuple[dict[str, str], dict[str, str]]:
        """Return usernames by the beginnings of files' names, and by these the people's names."""
        names: list[str] = []
        receipts: dict[str, bytes] = {}
        for item in items:
            found = owner_of_file(item.parts[0]) if len(item.parts) == 1 else None
            owner = item.owner or (found and found[0])
            if not owner or owner.platform != "blackboard":
                continue
            names.append(before_attempt(owner))
            is_receipt = item.parts == (f"{owner.folder}.txt",) and not item.packed_in
            if is_receipt and len(receipts) < _MOST_RECEIPTS:
                receipts[names[-1]] = self._content(item)[: blackboard.MOST]
        users = blackboard.usernames(names, receipts)
        return users, blackboard.people(users, receipts)

    def _content(self, item: Item) -> bytes:
        try:
            return self._read(item)
        except UnreadableError:
            return b""


def _submitters(folder: str, together: Submitters) -> list[Owner]:
    rank = (int(folder.rpartition("_")[2]),)
    return [
        Owner(name, number, True, "gradescope", folder, rank, handed_in=together.handed_in)
        for name, number in together.people
    ]


def downloads_taken_for_folders(
    work: Sequence[Work], perhaps: Iterable[str] = ()
) -> dict[str, str]:
    """Return a sentence on all that looks like a download, and was taken for one student's.

    Files may be called as Canvas calls them by chance, such as `lab_3_2_mine.ipynb`.

    Args:
        work: all that was handed in.
        perhaps: archives of which it is known already.
    """
    inside: dict[str, set[str]] = {}
    for each in work:
        parts = each.item.parts
        if not each.item.owner and len(parts) > 1 and not owner_of_folder(parts[0]).number:
            inside.setdefault(each.item.top, set()).add(parts[1])
    tops = [top for top, names in inside.items() if METADATA in names or _are_others(names)]
    return {
        top: f"{top} was taken for one student's. If it is a download of many students' work, "
        "grade it by itself."
        for top in dict.fromkeys((*tops, *perhaps))
    }


def _are_others(names: Collection[str]) -> bool:
    owners = [found[0] for found in map(owner_of_file, names) if found]
    return are_of_people(names) or any(
        owner.platform in ("moodle", "blackboard") for owner in owners
    )
