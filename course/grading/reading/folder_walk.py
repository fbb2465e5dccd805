"""List what lies in a folder of submissions."""

import os
import time
from pathlib import Path

from course.grading.reading.file_names import clean, is_hidden, is_notebook
from course.grading.reading.heap import Heap, Item, shown
from course.grading.reading.untrusted_files import UnreadableError

_DEEPEST = 12


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
            reason = f"{'/'.join(above)} cannot be read ({error.strerror})."
            found.append(Item(above, folder, is_folder=True, trouble=reason))
            continue
        for entry in entries:
            parts = (*above, clean(entry.name))
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and len(parts) > _DEEPEST:
                reason = f"{'/'.join(above)} has more folders in it than are looked at."
                found.append(Item(parts, Path(entry.path), (), True, trouble=reason))
                continue
            if is_folder:
                folders.append((Path(entry.path), parts))
            elif is_hidden(parts[0]) and not is_notebook(parts[-1]):
                continue
            for item in _item(entry, parts, is_folder, heap):
                found += shown(item)
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
