"""List what lies in a folder or an archive of submissions, and in the archives in it."""

from dataclasses import replace
from pathlib import Path

from course.grading.reading.archives import members
from course.grading.reading.file_names import clean, is_ignored, owner_of_file
from course.grading.reading.handed_in import MOST_BYTES, UnreadableError
from course.grading.reading.walk import Heap, Item, walk

_ZIP = ".zip"


def collect(root: Path) -> Heap:
    """Return what lies in a folder or in an archive, and in the archives in it.

    Raises:
        UnreadableError: it cannot be read, or an archive of all students' work cannot.
    """
    heap = Heap()
    if root.is_dir():
        items = _without_reports(walk(root, heap), heap)
        items = _without_wrapping(items, root.resolve().name, heap)
    else:
        items = _download(root, heap)
    for item in items:
        if item.is_folder or not item.parts[-1].lower().endswith(_ZIP):
            heap.items.append(item)
        elif _is_download(item):
            heap.items += _download(item.path, heap)
        else:
            heap.items += [item, *_own_archive(item, heap)]
    return heap


def _is_download(item: Item) -> bool:
    return len(item.parts) == 1 and not item.member and not owner_of_file(item.parts[0])


def _download(path: Path, heap: Heap) -> list[Item]:
    """Return what is in an archive of all students' work."""
    return [
        replace(item, download=path.name)
        for item in _without_wrapping(_unpacked(path, ()), path.stem, heap)
    ]


def _own_archive(item: Item, heap: Heap) -> list[Item]:
    """Return what is in an archive that a student handed in."""
    where = "/".join(item.parts)
    found = owner_of_file(item.parts[0]) if len(item.parts) == 1 else None
    try:
        if item.member:
            raise UnreadableError(f"{where} is in an archive itself, and is not unpacked.")
        if item.path.lstat().st_size > MOST_BYTES:
            raise UnreadableError(f"{where} is larger than {MOST_BYTES // 2**20} MB.")
        inside = _unpacked(item.path, item.parts if found else item.parts[:-1])
    except (OSError, UnreadableError) as error:
        heap.notes.append(str(error))
        return []
    return [replace(each, owner=found[0]) if found else each for each in inside]


def _unpacked(path: Path, above: tuple[str, ...]) -> list[Item]:
    found = {}
    for member in members(path):
        parts = tuple(clean(part) for part in member.parts)
        if not any(is_ignored(part) for part in parts):
            is_folder = member.name.endswith(("/", "\\"))
            item = Item(above + parts, path, member.name, is_folder, member.time)
            found[item.parts] = item
    return list(found.values())


def _without_reports(items: list[Item], heap: Heap) -> list[Item]:
    """Leave out what an earlier run wrote, where the report lies among the submissions."""
    there = {item.parts for item in items if len(item.parts) == 2}
    reports = {top for top, name in there if name == "run.json" and (top, "results") in there}
    heap.notes += [f"{top} is a report of `course grade`, no student's." for top in sorted(reports)]
    return [item for item in items if item.parts[0] not in reports]


def _without_wrapping(items: list[Item], name: str, heap: Heap) -> list[Item]:
    """Leave out a folder that is no student's: nbgrader's, or that which was packed."""
    tops = {item.parts[0] for item in items}
    folders = {item.parts[0] for item in items if item.is_folder or len(item.parts) > 1}
    if "submitted" in folders:
        wrapping = "submitted"
        if len(tops) > 1:
            heap.notes.append("There is a folder named submitted: only it is looked at.")
    elif len(tops) == 1 and tops <= folders & {clean(name), "submissions"}:
        (wrapping,) = tops
    else:
        return items
    inside = [item for item in items if item.parts[0] == wrapping and len(item.parts) > 1]
    return [replace(item, parts=item.parts[1:]) for item in inside]
