"""List what lies in a folder or an archive of submissions, and in the archives in it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from course.grading.reading.archives import (
    is_archive,
    is_encrypted,
    members,
    stem,
    unpacked_bytes,
)
from course.grading.reading.course_copies import is_of_one
from course.grading.reading.downloads import is_download, is_named_as_download
from course.grading.reading.file_names import clean, is_hidden, owner_of_file
from course.grading.reading.folder_walk import walk
from course.grading.reading.heap import Heap, Item, shown
from course.grading.reading.untrusted_files import MOST_BYTES, UnreadableError
from course.grading.reading.wrapping import without_reports, without_wrapping

_MOST_OF_ONE = 20_000  # files in archives of one student, after which no other is opened
_MOST_IN_ONE = 50_000  # files in an archive of one student
_MOST_ARCHIVES = 30  # of one student, that are opened
_MOST_UNPACKED = 800 * 2**20  # bytes of one student, after which no other archive is opened


def collect(root: Path, exercises: Sequence[str] = ()) -> Heap:
    """Return what lies in a folder or in an archive, and in the archives in it.

    What is given is a class's. A lone folder or archive in it is one only if it is called as
    downloads are: else it is of the student whom its name tells.

    Args:
        root: the folder, or the archive.
        exercises: the names of exercises, by which downloads may be called.

    Raises:
        UnreadableError: it cannot be read, or an archive of all students' work cannot.
    """
    heap = Heap(exercises=tuple(exercises))
    if root.is_dir():
        items = without_reports(heap.without(walk(root, heap), is_hidden), heap)
        items = without_wrapping(items, root.resolve().name, heap, is_root=True)
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
    heap.items += heap.left_out
    return heap


def _is_closed(item: Item) -> bool:
    return not item.is_folder and not item.trouble and is_archive(item.parts[-1])


def _is_nobodys(item: Item) -> bool:
    """Tell whether it is an archive at the top that no learning platform named after somebody."""
    return len(item.parts) == 1 and _is_closed(item) and not owner_of_file(item.parts[0])


def _with_downloads_opened(items: list[Item], heap: Heap) -> list[Item]:
    """Return what was handed in, with what is in archives of all students' work.

    What a student packed says nothing of other students. So an archive is a class's only where it
    is called as downloads are, and is alone, or where all of them are as learning platforms make
    them; else it is of the student whom its name tells.
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
    notes, is_named = list(heap.notes), _is_named(item, heap)
    left_out = list(heap.left_out)
    try:
        found = _download(item.path, heap, item.member, is_root=True)
    except UnreadableError as error:
        if not item.member:
            raise
        return [_closed(item, error)]
    files = [each for each in found if not each.is_folder]
    if len(files) == 1 and _is_nobodys(files[0]):  # packed twice
        before = len(heap.perhaps)
        inside = _alone(files[0], heap)
        if is_named:
            return inside or found
        is_class = len(heap.perhaps) > before or any(not each.trouble for each in inside or ())
        del heap.perhaps[before:]
    else:
        is_class = not is_of_one(each.parts for each in files)
        if is_named and is_class:
            return found
    heap.perhaps += [item.parts[0]] * is_class
    heap.notes[:], heap.left_out[:] = notes, left_out
    return None


def _is_named(item: Item, heap: Heap) -> bool:
    return is_named_as_download(stem(item.parts[0]), heap.exercises)


def _side_by_side(closed: list[Item], heap: Heap) -> list[Item]:
    """Return what is in these archives if learning platforms made all of them, else nothing."""
    notes, left_out = list(heap.notes), list(heap.left_out)
    found: list[Item] = []
    for item in closed:
        try:
            inside = _download(item.path, heap, item.member, is_root=False)
        except UnreadableError:
            inside = []
        tops = {each.parts[0] for each in inside}
        if not is_download(tops, next((each.download for each in inside), "")):
            heap.notes[:], heap.left_out[:] = notes, left_out
            return []
        found += inside
    strange = [item.parts[0] for item in closed if not _is_named(item, heap)]
    heap.perhaps += strange
    if strange:
        heap.left_out[:] = left_out
    return [] if strange else found


def _download(path: Path, heap: Heap, inside: tuple[str, ...] = (), *, is_root: bool) -> list[Item]:
    """Return what is in an archive of all students' work."""
    name = inside[-1].rpartition("/")[2] if inside else path.name
    if is_encrypted(path, inside):
        raise UnreadableError(f"{name} is encrypted, and has to be unpacked with its password.")
    there = heap.without(_unpacked(path, inside, ()), is_hidden)
    items = without_wrapping(there, stem(name), heap, is_root)
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
        seen[parts] += 1
        if seen[parts] > 1 and not member.is_folder:  # as "../a" and "a"
            parts = (*parts[:-1], f"({seen[parts]})", parts[-1])
        item = Item(parts, path, (*inside, member.name), member.is_folder, member.time)
        found += shown(item)
    return found
