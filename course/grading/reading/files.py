"""List all files that were handed in: in a folder or an archive, and in the archives in it."""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from course.grading.reading.archives import is_archive, members, read_member, stem
from course.grading.reading.untrusted_files import (
    MOST_BYTES,
    UnreadableError,
    at_most,
    open_regular,
)

_MOST_FILES = 20_000  # in archives of one student, after which no other is opened
_LEAST = 700  # files that an archive counts
_MOST = 255  # characters of a name, more than disks take; to compose long ones takes for ever
_UNSEEN, _JOINERS = ("Cc", "Cf", "Zl", "Zp"), "\u200c\u200d"
_COPY = re.compile(r"[ _]?\(\d{1,3}\)$")  # what browsers add to a second download of one name
_HIDDEN = re.compile(r"\..*|__MACOSX", re.DOTALL | re.IGNORECASE)
_NOTEBOOK = re.compile(r"\.ipynb(?:\.txt|\.json)?$", re.IGNORECASE)  # browsers add these


@dataclass(frozen=True)
class File:
    """A file or a folder, as it was handed in.

    Attributes:
        parts: its folders and its own name, below what was given. An archive is a folder, too.
        path: the file, or the outermost archive that it is in.
        member: its name in that archive, after those of the archives between; () if it is in none.
        is_folder: whether it is a folder.
        trouble: why it cannot be looked at, as a sentence; "" if it can.
    """

    parts: tuple[str, ...]
    path: Path
    member: tuple[str, ...] = ()
    is_folder: bool = False
    trouble: str = ""

    @property
    def name(self) -> str:
        """Return its own name."""
        return self.parts[-1]

    @property
    def where(self) -> str:
        """Return its folders and its name, for people."""
        return "/".join(self.parts)

    def read(self) -> bytes:
        """Return what it holds.

        Raises:
            UnreadableError: it cannot be read, is too large, or is no file but a link or a device.
        """
        if self.member:
            return read_member(self.path, self.member)
        return at_most(open_regular(self.path), self.name)


def is_notebook(name: str) -> bool:
    """Return whether a file is meant to be a notebook."""
    return _NOTEBOOK.search(name) is not None


def list_files(root: Path) -> tuple[str, list[File]]:
    """Return the name of a download and the files in it, with those in archives in it.

    What lies alone at the top, a folder or an archive, and is called as the download,
    `submitted`, or `…submissions`, only wraps it.

    Args:
        root: the folder or the archive.

    Raises:
        UnreadableError, OSError: it cannot be read.
    """
    if root.is_dir():
        name, found = root.resolve().name, _shown(_walk(root))
    else:
        name, found = stem(root.name), _shown(_unpacked(root))
    # What wraps all is opened first, so that limits hold for each student, not for the class.
    while (top := _wrapping(name, found)) is not None:
        name = stem(top.parts[0])
        if is_archive(top.name) and len(top.parts) == 1 and not top.is_folder:
            found = _shown(_unpacked(top.path, top.member))
        else:
            found = [replace(one, parts=one.parts[1:]) for one in found if len(one.parts) > 1]
    return name, _shown(_opened(found))


def clean(name: str) -> str:
    """Return a name in the form that compares, and that can be written anywhere; cut if long."""
    name = name if len(name) <= _MOST else f"{name[:_MOST]}…"
    # Its bytes are no UTF-8, as an old archive leaves them once it is unpacked.
    name = unicodedata.normalize("NFC", name.encode(errors="replace").decode())
    return "".join("\ufffd" if _is_unseen(character) else character for character in name)


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in _UNSEEN and character not in _JOINERS


def _shown(files: Iterable[File]) -> list[File]:
    return [one for file in files if (one := _unless_hidden(file))]


def _unless_hidden(file: File) -> File | None:
    """Return a file, with trouble if it is hidden; None if it is, and may be no work."""
    hidden = [_HIDDEN.fullmatch(part) for part in file.parts]
    if not any(hidden):
        return file
    is_programs = file.name.startswith("._") or (hidden[0] and len(hidden) > 1)
    if is_programs or file.is_folder or not (is_notebook(file.name) or is_archive(file.name)):
        return None
    return replace(file, trouble=f"{file.where} is hidden, and is not looked at.")


def _wrapping(name: str, files: Sequence[File]) -> File | None:
    """Return the only file at the top, or a file in the only folder there, if that wraps all."""
    top = files[0] if len({file.parts[0] for file in files}) == 1 else None
    if top is None or not (top.is_folder or len(top.parts) > 1 or is_archive(top.name)):
        return None
    called = _COPY.sub("", stem(top.parts[0])).casefold()
    is_same = called == _COPY.sub("", name).casefold()
    return top if is_same or called.endswith(("submissions", "submitted")) else None


def _walk(root: Path) -> Iterator[File]:
    """Yield what lies in a folder, at any depth; no link is followed."""
    waiting = [File((), root, is_folder=True)]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(os.scandir(folder.path), key=lambda entry: entry.name)
        except OSError as error:
            if not folder.parts:
                raise
            said = f"{folder.where} cannot be read ({error.strerror})."
            yield replace(folder, trouble=said)
            continue
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            one = File((*folder.parts, clean(entry.name)), Path(entry.path), (), is_folder)
            if entry.is_symlink():
                yield replace(one, trouble=f"{one.where} is a link, and links are not followed.")
            else:
                yield one
                waiting += [one] * is_folder


def _opened(files: Sequence[File]) -> Iterator[File]:
    """Yield files, and instead of each archive what is in it, up to the limits of a student."""
    waiting = [*reversed(files)]
    opened = Counter[str]()  # files
    while waiting:
        one = waiting.pop()
        if one.is_folder or one.trouble or not is_archive(one.name):
            yield one
            continue
        student = one.parts[0]
        try:
            if opened[student] >= _MOST_FILES:
                raise UnreadableError(f"{one.where} comes after archives with too many files.")
            if not one.member and one.path.lstat().st_size > MOST_BYTES:
                raise UnreadableError(f"{one.where} is larger than {MOST_BYTES // 2**20} MB.")
            opened[student] += _LEAST
            found = _unpacked(one.path, one.member, one.parts)
            if all(each.is_folder for each in _shown(found)):
                raise UnreadableError(f"{one.where} holds no file.")
        except (OSError, UnreadableError) as error:
            yield replace(one, trouble=str(error))
        else:
            opened[student] += len(found)
            waiting += reversed(found)


def _unpacked(path: Path, inside: tuple[str, ...] = (), above: tuple[str, ...] = ()) -> list[File]:
    return [
        File((*above, *map(clean, parts)), path, (*inside, name), is_folder)
        for name, parts, is_folder in members(path, inside)
    ]
