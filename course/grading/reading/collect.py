"""List what lies in a folder or an archive of submissions, and in the archives in it."""

import os
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from course.grading.reading.file_names import Owner, clean, is_ignored, is_notebook, owner_of_file
from course.grading.reading.untrusted_files import MOST_BYTES, UnreadableError, members

_DEEPEST = 12
_MOST_OF_ONE = 20_000  # files in archives of one student, after which no other is opened
_ZIP = ".zip"


@dataclass(frozen=True)
class Item:
    """A file or a folder, as it was handed in.

    Attributes:
        parts: its folders and its own name, below the folder or the archive that holds all.
        path: the file, or the archive that it is in.
        member: its name in that archive.
        is_folder: whether it is a folder.
        time: when it was changed, as numbers from the year on.
        owner: whose it is, where `parts` does not say so.
        download: the archive of all students' work that it came in; "" for a folder.
    """

    parts: tuple[str, ...]
    path: Path
    member: str = ""
    is_folder: bool = False
    time: tuple[int, ...] = ()
    owner: Owner | None = None
    download: str = ""


@dataclass
class Heap:
    """All that was handed in, and sentences on what was passed over.

    Attributes:
        items, notes: these.
        unpacked: how many files were in archives, by the first of their `parts`.
    """

    items: list[Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unpacked: Counter[str] = field(default_factory=Counter)


def collect(root: Path) -> Heap:
    """Return what lies in a folder or in an archive, and in the archives in it.

    Raises:
        UnreadableError: it cannot be read, or an archive of all students' work cannot.
    """
    heap = Heap()
    if root.is_dir():
        items = _without_reports(_walk(root, heap), heap)
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
        if heap.unpacked[item.parts[0]] >= _MOST_OF_ONE:
            raise UnreadableError(f"{where} comes after archives with too many files.")
        inside = _unpacked(item.path, item.parts if found else item.parts[:-1])
    except (OSError, UnreadableError) as error:
        heap.notes.append(str(error))
        return []
    heap.unpacked[item.parts[0]] += len(inside)
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
            heap.notes.append(f"{'/'.join(above)} cannot be read ({error.strerror}).")
            continue
        for entry in entries:
            parts = (*above, clean(entry.name))
            if is_ignored(parts[-1]):
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and len(parts) > _DEEPEST:
                heap.notes.append(f"{'/'.join(above)} has more folders in it than are looked at.")
            elif is_folder:
                folders.append((Path(entry.path), parts))
            found += _item(entry, parts, is_folder, heap)
    return found


def _item(entry: os.DirEntry, parts: tuple[str, ...], is_folder: bool, heap: Heap) -> list[Item]:
    path = Path(entry.path)
    if entry.is_symlink() and not is_notebook(parts[-1]):
        heap.notes.append(f"{'/'.join(parts)} is a link, and links are not followed.")
        # At the top, whoever made it meant a student's folder.
        is_student = len(parts) == 1 and _leads_to_folder(entry)
        return [Item(parts, path, is_folder=True)] if is_student else []
    return [Item(parts, path, is_folder=is_folder, time=() if is_folder else _changed(entry))]


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
