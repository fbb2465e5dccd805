"""List all files that were handed in: in a folder or an archive, and in the archives in it."""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from course.grading.reading.archives import (
    is_archive,
    is_encrypted,
    members,
    read_member,
    stem,
    unpacked_bytes,
)
from course.grading.reading.file_names import is_hidden, is_notebook
from course.grading.reading.untrusted_files import MOST_BYTES, UnreadableError, read_regular

_DEEPEST = 12  # folders
_MOST_OF_ONE = 20_000  # files in archives of one student, after which no other is opened
_MOST_IN_ONE = 50_000  # files in an archive of one student
_MOST_ARCHIVES = 30  # of one student, that are opened
_MOST_UNPACKED = 800 * 2**20  # bytes of one student, after which no other archive is opened
_MOST = 255  # characters of a name, more than disks take; to compose long ones takes for ever
_NBGRADERS = ("source", "release", "autograded", "feedback")  # beside its folder `submitted`
_UNSEEN, _JOINERS = ("Cc", "Cf", "Zl", "Zp"), "\u200c\u200d"
_COPY = re.compile(r"[ _]?\(\d{1,3}\)$")  # what browsers add to a second download of one name


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
        return read_member(self.path, self.member) if self.member else read_regular(self.path)


def list_files(root: Path) -> tuple[str, list[File]]:
    """Return the name of a download and the files in it, with those in archives in it.

    What lies alone at the top, a folder or an archive, and is called as the download, or
    `…submissions`, only wraps it; and where there is a folder `submitted`, as in nbgrader's
    courses, it is the download.

    Args:
        root: the folder or the archive.

    Raises:
        UnreadableError: it cannot be read.
    """
    if root.is_dir():
        name, found = root.resolve().name, list(_walk(root))
    else:
        name, found = stem(root.name), list(_unpacked(root, ()))
        if is_encrypted(root):
            raise UnreadableError(f"{root.name} is encrypted, and has to be unpacked first.")
    # What wraps all is opened first, so that limits hold for each student, not for the class.
    name, found = _unwrapped(name, _shown(found))
    opener = _Opener()
    return name, _shown(each for one in found for each in opener.opened(one))


def clean(name: str) -> str:
    """Return a name in the form that compares, and that can be written anywhere; cut if long."""
    name = name if len(name) <= _MOST else f"{name[:_MOST]}…"
    if any(unicodedata.category(character) == "Cs" for character in name):
        # Its bytes are no UTF-8, as an old archive leaves them once it is unpacked.
        try:
            name = name.encode("utf-8", "surrogateescape").decode("latin-1")
        except UnicodeEncodeError:
            name = name.encode(errors="replace").decode()
    name = unicodedata.normalize("NFC", name)
    return "".join("\ufffd" if _is_unseen(character) else character for character in name)


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in _UNSEEN and character not in _JOINERS


def _shown(files: Iterable[File]) -> list[File]:
    return [file for one in files for file in _unless_hidden(one)]


def _unless_hidden(file: File) -> list[File]:
    """Return a file, with trouble if it is hidden; nothing if it is, and may be no work."""
    if not any(map(is_hidden, file.parts)):
        return [file]
    is_programs = file.name.startswith("._") or (len(file.parts) > 1 and is_hidden(file.parts[0]))
    if file.is_folder or is_programs or not (is_notebook(file.name) or is_archive(file.name)):
        return []
    return [replace(file, trouble=f"{file.where} is hidden, and is not looked at.")]


def _unwrapped(name: str, files: list[File]) -> tuple[str, list[File]]:
    while wrapping := _wrapping(name, files):
        name = stem(wrapping)
        # Beside nbgrader's folder there may be more students.
        found = [one for one in files if one.parts[0] not in (wrapping, *_NBGRADERS)]
        for one in files:
            if one.parts[0] == wrapping and len(one.parts) > 1:
                found.append(replace(one, parts=one.parts[1:]))
            elif one.parts[0] == wrapping and not one.is_folder:
                found += _shown(_unpacked(one.path, one.member))
        files = found
    return name, files


def _wrapping(name: str, files: list[File]) -> str:
    tops = {file.parts[0] for file in files}
    files = [one for one in files if one.is_folder or len(one.parts) > 1 or is_archive(one.name)]
    folders = {file.parts[0] for file in files}
    if "submitted" in folders:
        return "submitted"
    for top in folders if len(tops) == 1 else ():
        called = _COPY.sub("", stem(top)).casefold()
        if called == _COPY.sub("", name).casefold() or called.endswith("submissions"):
            return top
    return ""


def _walk(root: Path) -> Iterator[File]:
    """Yield what lies in a folder, at any depth; no link is followed."""
    folders: list[tuple[Path, tuple[str, ...]]] = [(root, ())]
    while folders:
        folder, above = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            said = f"{'/'.join(above) or root} cannot be read ({error.strerror})."
            if not above:
                raise UnreadableError(said) from None
            yield File(above, folder, is_folder=True, trouble=said)
            continue
        for entry in entries:
            parts, path = (*above, clean(entry.name)), Path(entry.path)
            is_folder = entry.is_dir(follow_symlinks=False)
            trouble = ""
            if entry.is_symlink():
                trouble = f"{'/'.join(parts)} is a link, and links are not followed."
            elif is_folder and len(parts) > _DEEPEST:
                trouble = f"{'/'.join(above)} has more folders in it than are looked at."
            elif is_folder:
                folders.append((path, parts))
            yield File(parts, path, (), is_folder, trouble)


class _Opener:
    """Opens archives of students, who may hand in only so much."""

    def __init__(self) -> None:
        self._files, self._archives, self._bytes = Counter[str](), Counter[str](), Counter[str]()

    def opened(self, file: File) -> list[File]:
        """Return a file, or what is in it if it is an archive."""
        found, waiting = [], [file]
        while waiting:
            one = waiting.pop()
            if one.is_folder or one.trouble or not is_archive(one.name):
                found.append(one)
                continue
            try:
                waiting += reversed(self._inside(one))
            except (OSError, UnreadableError) as error:
                found.append(replace(one, trouble=str(error)))
        return found

    def _inside(self, file: File) -> list[File]:
        student = file.parts[0]
        if not file.member and file.path.lstat().st_size > MOST_BYTES:
            raise UnreadableError(f"{file.where} is larger than {MOST_BYTES // 2**20} MB.")
        self._archives[student] += 1
        if self._files[student] >= _MOST_OF_ONE or self._archives[student] > _MOST_ARCHIVES:
            raise UnreadableError(f"{file.where} comes after archives with too many files.")
        if self._bytes[student] >= _MOST_UNPACKED:
            raise UnreadableError(f"{file.where} comes after archives that are too large unpacked.")
        before = unpacked_bytes()
        try:
            inside = list(_unpacked(file.path, file.member, file.parts))
        finally:
            self._bytes[student] += unpacked_bytes() - before
        if all(each.is_folder for each in _shown(inside)):
            raise UnreadableError(f"{file.where} holds no file.")
        self._files[student] += len(inside)
        return inside


def _unpacked(path: Path, inside: tuple[str, ...], above: tuple[str, ...] = ()) -> Iterator[File]:
    seen: Counter[tuple[str, ...]] = Counter()
    there = members(path, inside)
    if above and len(there) > _MOST_IN_ONE:
        raise UnreadableError(f"{'/'.join(above)} has an archive with over {_MOST_IN_ONE} files.")
    for member in there:
        parts = above + tuple(clean(part) for part in member.parts)
        seen[parts] += 1
        if seen[parts] > 1 and not member.is_folder:  # as "../a" and "a"
            parts = (*parts[:-1], f"({seen[parts]})", parts[-1])
        yield File(parts, path, (*inside, member.name), member.is_folder)
