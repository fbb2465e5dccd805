"""List what lies in a folder or an archive of submissions, and in the archives in it."""

import os
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from course.grading.reading.archives import is_archive, members, stem, unpacked_bytes
from course.grading.reading.course_copies import is_of_one
from course.grading.reading.downloads import (
    NBGRADERS_OWN,
    are_nbgraders,
    classroom_prefix,
    is_download,
    wrapping_folders,
)
from course.grading.reading.file_names import (
    Owner,
    clean,
    is_hidden,
    is_ignored,
    is_notebook,
    owner_of_file,
)
from course.grading.reading.untrusted_files import MOST_BYTES, UnreadableError

_DEEPEST = 12
_MOST_OF_ONE = 20_000  # files in archives of one student, after which no other is opened
_MOST_IN_ONE = 50_000  # files in an archive of one student
_MOST_ARCHIVES = 30  # of one student, that are opened
_MOST_UNPACKED = 800 * 2**20  # bytes of one student, after which no other archive is opened


@dataclass(frozen=True)
class Item:
    """A file or a folder, as it was handed in.

    Attributes:
        parts: its folders and its own name, below the folder or the archive that holds all.
        path: the file, or the archive that it is in.
        member: its name in that archive; before it those of the archives in it that it is in.
        is_folder: whether it is a folder.
        time: when it was changed, as numbers from the year on.
        owner: whose it is, where `parts` does not say so.
        download: the archive of all students' work that it came in; "" for a folder.
        packed_in: the `parts` of the archive of a student's own that it is in; () if in none.
        arrived: when it came, or the archive of the student's that it is in.
        is_nbgraders: whether nbgrader laid it out.
        trouble: why it cannot be looked at, as a sentence; "" if it can.
        is_doubtful: whether there may be no work in it, so that it asks nobody if there is other.
    """

    parts: tuple[str, ...]
    path: Path
    member: tuple[str, ...] = ()
    is_folder: bool = False
    time: tuple[int, ...] = ()
    owner: Owner | None = None
    download: str = ""
    packed_in: tuple[str, ...] = ()
    arrived: tuple[int, ...] = ()
    is_nbgraders: bool = False
    trouble: str = ""
    is_doubtful: bool = False

    @property
    def top(self) -> str:
        """Return as what it was handed in: a folder, a file or an archive at the top."""
        return (self.packed_in or self.parts)[0]


@dataclass
class Heap:
    """All that was handed in, and sentences on what was passed over.

    Attributes:
        items, notes: these.
        unpacked, opened, spent: how many files were in archives, how many archives there were,
            and how many bytes were unpacked to list them, by the first of their `parts`.
    """

    items: list[Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unpacked: Counter[str] = field(default_factory=Counter)
    opened: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)


def collect(root: Path) -> Heap:
    """Return what lies in a folder or in an archive, and in the archives in it.

    Raises:
        UnreadableError: it cannot be read, or an archive of all students' work cannot.
    """
    heap = Heap()
    if root.is_dir():
        items = _without_reports(_walk(root, heap), heap)
        items = _without_wrapping(items, root.resolve().name, heap, is_root=True)
    else:
        items = _download(root, heap, is_root=True)
    for item in _with_downloads_opened(items, heap):
        waiting = [item]
        while waiting:
            each = waiting.pop()
            if _is_closed(each):
                waiting += reversed(_own_archive(each, heap))
            else:
                heap.items.append(each)
    return heap


def _is_closed(item: Item) -> bool:
    return not item.is_folder and not item.trouble and is_archive(item.parts[-1])


def _is_nobodys(item: Item) -> bool:
    """Tell whether it is an archive at the top that no learning platform named after somebody."""
    return len(item.parts) == 1 and _is_closed(item) and not owner_of_file(item.parts[0])


def _with_downloads_opened(items: list[Item], heap: Heap) -> list[Item]:
    """Return what was handed in, with what is in archives of all students' work.

    What a student packed says nothing of other students. So an archive is a class's only where it
    is alone, or where all of them are as learning platforms make them; else it is of the student
    whom its name tells.
    """
    closed = [item for item in items if _is_nobodys(item)]
    of_others = [item for item in items if len(item.parts) > 1 or item.is_folder]
    of_others += [item for item in items if owner_of_file(item.parts[0])]
    if len(closed) == 1 and not of_others:
        found = _alone(closed[0], heap)
        if found is None:
            return _as_students(items)
        return _with_downloads_opened([*(one for one in items if one not in closed), *found], heap)
    downloads = [] if of_others else _side_by_side(closed, heap)
    if not downloads:
        return _as_students(items)
    return [*(one for one in items if one not in closed), *downloads]


def _as_students(items: list[Item]) -> list[Item]:
    return [
        replace(
            item, parts=(stem(item.parts[0]) or item.parts[0], item.parts[0]), packed_in=item.parts
        )
        if _is_nobodys(item)
        else item
        for item in items
    ]


def _alone(item: Item, heap: Heap) -> list[Item] | None:
    """Return what is in the only archive; None if it is one student's."""
    notes = list(heap.notes)
    try:
        found = _download(item.path, heap, item.member, is_root=True)
    except UnreadableError as error:
        if not item.member:
            raise
        return [_closed(item, error)]
    if is_of_one(each.parts for each in found if not each.is_folder):
        heap.notes[:] = notes
        return None
    return found


def _side_by_side(closed: list[Item], heap: Heap) -> list[Item]:
    """Return what is in these archives if learning platforms made all of them, else nothing."""
    notes = list(heap.notes)
    found: list[Item] = []
    for item in closed:
        try:
            inside = _download(item.path, heap, item.member, is_root=False)
        except UnreadableError:
            inside = []
        tops = {each.parts[0] for each in inside}
        if not is_download(tops, next((each.download for each in inside), "")):
            heap.notes[:] = notes
            return []
        found += inside
    return found


def _download(path: Path, heap: Heap, inside: tuple[str, ...] = (), *, is_root: bool) -> list[Item]:
    """Return what is in an archive of all students' work."""
    name = inside[-1].rpartition("/")[2] if inside else path.name
    items = _without_wrapping(_unpacked(path, inside, ()), stem(name), heap, is_root)
    return [replace(item, download=item.download or name, arrived=item.time) for item in items]


def _own_archive(item: Item, heap: Heap) -> list[Item]:
    """Return what is in an archive that a student handed in."""
    where = "/".join(item.parts)
    found = owner_of_file(item.parts[0]) if len(item.parts) == 1 else None
    try:
        if not item.member and item.path.lstat().st_size > MOST_BYTES:
            raise UnreadableError(f"{where} is larger than {MOST_BYTES // 2**20} MB.")
        inside = _listed(item, item.parts if found else item.parts[:-1], heap)
        if all(each.is_folder for each in inside):
            raise UnreadableError(f"{where} holds no file of theirs.")
    except (OSError, UnreadableError) as error:
        return [_closed(item, error)]
    owner, arrived = found[0] if found else item.owner, item.arrived or item.time
    same = {"arrived": arrived, "owner": owner, "download": item.download}
    same["is_nbgraders"] = item.is_nbgraders
    return [replace(each, packed_in=item.packed_in or item.parts, **same) for each in inside]


def _listed(item: Item, above: tuple[str, ...], heap: Heap) -> list[Item]:
    """Return what is in an archive of a student's, who may hand in only so much."""
    student, where = item.parts[0], "/".join(item.parts)
    heap.opened[student] += 1
    if heap.unpacked[student] >= _MOST_OF_ONE or heap.opened[student] > _MOST_ARCHIVES:
        raise UnreadableError(f"{where} comes after archives with too many files.")
    if heap.spent[student] >= _MOST_UNPACKED:
        raise UnreadableError(f"{where} comes after archives that are too large unpacked.")
    before = unpacked_bytes()
    try:
        inside = _unpacked(item.path, item.member, above)
    finally:
        heap.spent[student] += unpacked_bytes() - before
    heap.unpacked[student] += len(inside)
    return inside


def _closed(item: Item, error: Exception) -> Item:
    return replace(item, trouble=str(error))


def _unpacked(path: Path, inside: tuple[str, ...], above: tuple[str, ...]) -> list[Item]:
    found = []
    seen: Counter[tuple[str, ...]] = Counter()
    there = members(path, inside)
    if above and len(there) > _MOST_IN_ONE:
        raise UnreadableError(f"{'/'.join(above)} has an archive with over {_MOST_IN_ONE} files.")
    for member in there:
        parts = above + tuple(clean(part) for part in member.parts)
        if not above and is_ignored(parts[0]):
            continue
        seen[parts] += 1
        if seen[parts] > 1 and not member.is_folder:  # as "../a" and "a"
            parts = (*parts[:-1], f"({seen[parts]})", parts[-1])
        item = Item(parts, path, (*inside, member.name), member.is_folder, member.time)
        found += _shown(item)
    return found


def _shown(item: Item) -> list[Item]:
    """Return a file of a student, with trouble if it is hidden; nothing if that may be no work."""
    if not any(is_hidden(part) for part in item.parts[1:]):
        return [item]
    if item.is_folder or not (is_notebook(item.parts[-1]) or is_archive(item.parts[-1])):
        return []
    reason = f"{'/'.join(item.parts)} is hidden, and is not looked at."
    return [replace(item, trouble=reason, is_doubtful=True)]


def _without_reports(items: list[Item], heap: Heap) -> list[Item]:
    """Leave out what an earlier run wrote, where the report lies among the submissions."""
    there = {item.parts for item in items if len(item.parts) == 2}
    reports = {top for top, name in there if name == "run.json" and (top, "results") in there}
    heap.notes += [f"{top} is a report of `course grade`, no student's." for top in sorted(reports)]
    return [
        replace(item, trouble=f"{item.parts[-1]} lies in a folder that looks like a report.")
        if item.parts[0] in reports
        else item
        for item in items
        if item.parts[0] not in reports or (not item.is_folder and is_notebook(item.parts[-1]))
    ]


def _without_wrapping(items: list[Item], name: str, heap: Heap, is_root: bool) -> list[Item]:
    """Leave out a folder that is no student's: nbgrader's, or that which was packed.

    Args:
        items: what lies there.
        name: of the folder or the archive.
        heap: for what there is to say.
        is_root: whether it is what was given, so that no student can have made it.
    """
    found = _out_of_nbgraders(items, name, heap) if is_root else []
    found = found or _out_of_folders(items, name)
    return [item for item in found if not is_ignored(item.parts[0])]


def _out_of_nbgraders(items: list[Item], name: str, heap: Heap) -> list[Item]:
    """Return what lies in nbgrader's folder `submitted`, and beside it; [] if there is none."""
    files = [item.parts for item in items if not item.is_folder]
    if name == "submitted" and are_nbgraders(files):
        return [replace(item, is_nbgraders=True) for item in items]
    if not are_nbgraders(parts[1:] for parts in files if parts[0] == "submitted"):
        return []
    own = sorted({item.parts[0] for item in items} & NBGRADERS_OWN)
    heap.notes += [f"{', '.join(own)}: no student's, but nbgrader's, beside submitted."] * bool(own)
    return [
        replace(item, parts=item.parts[1:], is_nbgraders=True)
        if item.parts[0] == "submitted"
        else item
        for item in items
        if item.parts[0] not in NBGRADERS_OWN and item.parts != ("submitted",)
    ]


def _out_of_folders(items: list[Item], name: str) -> list[Item]:
    tops = {item.parts[0] for item in items}
    folders = {item.parts[0] for item in items if item.is_folder or len(item.parts) > 1}
    if len(tops) == 1 and tops <= folders & {clean(name), "submissions", "submitted"}:
        (wrapping,) = tops
    else:
        return _out_of_downloads(items, folders, name)
    inside = [item for item in items if item.parts[0] == wrapping and len(item.parts) > 1]
    return [replace(item, parts=item.parts[1:]) for item in inside]


def _out_of_downloads(items: list[Item], folders: set[str], name: str) -> list[Item]:
    """Leave out folders that hold many students' work, and are no student's."""
    shown = [item.parts for item in items if not any(map(is_ignored, item.parts[1:2]))]
    wrapping = wrapping_folders(shown, folders)
    if not wrapping:
        whole = name if classroom_prefix(name) else ""
        return [replace(item, download=whole) for item in items] if whole else items
    return [
        replace(item, parts=item.parts[1:], download=item.parts[0])
        if item.parts[0] in wrapping
        else item
        for item in items
        if item.parts[0] not in wrapping or len(item.parts) > 1
    ]


def _walk(root: Path, heap: Heap) -> list[Item]:
    """Return what lies in a folder, at any depth; no link is followed.

    Raises:
        UnreadableError: it cannot be read.
    """
    found: list[Item] = []
    folders: list[tuple[Path, tuple[str, ...]]] = [(root, ())]
    while folders:
        folder, above = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            if not above:
                raise UnreadableError(f"{root} cannot be read ({error.strerror}).") from None
            reason = f"{'/'.join(above)} cannot be read ({error.strerror})."
            found.append(Item(above, folder, is_folder=True, trouble=reason))
            continue
        for entry in entries:
            parts = (*above, clean(entry.name))
            if is_ignored(parts[0]):
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and len(parts) > _DEEPEST:
                reason = f"{'/'.join(above)} has more folders in it than are looked at."
                found.append(Item(parts, Path(entry.path), (), True, trouble=reason))
                continue
            if is_folder:
                folders.append((Path(entry.path), parts))
            for item in _item(entry, parts, is_folder, heap):
                found += _shown(item)
    return found


def _item(entry: os.DirEntry, parts: tuple[str, ...], is_folder: bool, heap: Heap) -> list[Item]:
    path = Path(entry.path)
    if entry.is_symlink() and not is_notebook(parts[-1]):
        reason = f"{'/'.join(parts)} is a link, and links are not followed."
        # At the top, whoever made it meant a student's folder; in a student's, their work.
        if len(parts) == 2 or (len(parts) == 1 and _leads_to_folder(entry)):
            return [Item(parts, path, is_folder=True, trouble=reason)]
        heap.notes.append(reason)
        return []
    time_ = () if is_folder else _changed(entry)
    return [Item(parts, path, is_folder=is_folder, time=time_, arrived=time_)]


def _leads_to_folder(entry: os.DirEntry) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _changed(entry: os.DirEntry) -> tuple[int, ...]:
    try:
        return time.localtime(entry.stat(follow_symlinks=False).st_mtime)[:6]
    except (OSError, OverflowError, ValueError):
        return ()
