"""List what lies in a folder that anybody may have filled."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from course.grading.reading.file_names import Owner, clean, is_ignored, is_notebook
from course.grading.reading.handed_in import UnreadableError

_DEEPEST = 12


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
    """All that was handed in, and sentences on what was passed over."""

    items: list[Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def walk(root: Path, heap: Heap) -> list[Item]:
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
