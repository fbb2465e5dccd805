"""Read archives that somebody else made, and archives in them: nothing is unpacked to the disk."""

import atexit
import io
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from course.grading.reading.tar_archive import TarArchive
from course.grading.reading.untrusted_files import UnreadableError, open_regular
from course.grading.reading.zip_archive import ZipArchive

_ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz")
_OTHERS = (  # that are not read
    *(".7z", ".rar", ".gz", ".bz2", ".xz", ".tbz2", ".txz", ".zst"),
    *(".tar.bz2", ".tar.xz", ".tar.zst"),
)
_MOST_PARTS = 40
_DEEPEST = 4  # archives in each other
_MOST_OPEN = 6  # at a time, the last ones
_MOST_RATIO, _MOST_UNPACKED = 1032, 200 * 2**20  # of what was unpacked before it failed

_open: dict[tuple, tuple["Archive", BinaryIO]] = {}
_spent = [0]


class Archive(Protocol):
    """An open archive.

    Attributes:
        unpacked: how many bytes were unpacked to open it.
        is_encrypted: whether no file in it can be read without a password.
    """

    unpacked: int
    is_encrypted: bool

    def names(self) -> dict[str, tuple[tuple[int, ...], bool]]:
        """Return when each member was changed, and whether it is a folder, by its name."""

    def read(self, name: str) -> bytes:
        """Return what a member holds."""


@dataclass(frozen=True)
class Member:
    """A file in an archive.

    Attributes:
        name: of it, decoded; also what `read_member` takes.
        parts: the folders it stands in and its own name, without "", "." and "..".
        time: when it was changed, as numbers from the year on.
        is_folder: whether it is a folder.
    """

    name: str
    parts: tuple[str, ...]
    time: tuple[int, ...]
    is_folder: bool = False


def is_archive(name: str) -> bool:
    """Return whether a file is meant to be an archive, of a kind that is read or not."""
    return name.lower().endswith((*_ENDINGS, *_OTHERS))


def stem(name: str) -> str:
    """Return the name of an archive without its ending."""
    endings = [ending for ending in (*_ENDINGS, *_OTHERS) if name.lower().endswith(ending)]
    return name[: -len(max(endings, key=len))] if endings else name


def members(path: Path, inside: Sequence[str] = ()) -> list[Member]:
    """Return the files and folders of an archive, in its order; the last of a name counts.

    Args:
        path: the file.
        inside: the name of the archive in it that is meant, and of the one in that, and so on.

    Raises:
        UnreadableError: it is no zip or tar archive, a damaged one, or made to do harm.
    """
    found = [
        Member(name, _parts(name), time, is_folder)
        for name, (time, is_folder) in _opened(path, inside).names().items()
    ]
    return [member for member in found if member.parts]


def is_encrypted(path: Path, inside: Sequence[str] = ()) -> bool:
    """Tell whether no file in an archive can be read without a password.

    Args: as of `members`.

    Raises:
        UnreadableError: as `members`.
    """
    return _opened(path, inside).is_encrypted


def read_member(path: Path, inside: Sequence[str]) -> bytes:
    """Return what a file in an archive holds.

    Args:
        path: the outermost archive.
        inside: the names of the archives in it, each in the one before, and that of the file.

    Raises:
        UnreadableError: it is damaged, encrypted, a link, or larger than a notebook may be.
    """
    return _opened(path, inside[:-1]).read(inside[-1])


def _opened(path: Path, inside: Sequence[str]) -> Archive:
    """Return an open archive, the same one as before: to list a large one takes long."""
    if len(inside) > _DEEPEST:
        raise UnreadableError(f"{inside[-1]} is in too many archives.")
    try:
        there = path.lstat()
    except (OSError, ValueError):
        there = None
    key = path, there and (there.st_ino, there.st_mtime_ns, there.st_size), *inside
    if key in _open:
        _open[key] = _open.pop(key)  # the last used
    else:
        if inside:
            content = _opened(path, inside[:-1]).read(inside[-1])
            _spent[0] += len(content)
            name, size = inside[-1].rpartition("/")[2], len(content)
            file = io.BytesIO(content)
        else:
            file = open_regular(path)
            name, size = path.name, os.fstat(file.fileno()).st_size
        try:
            archive = _archive(file, name, size)
        except UnreadableError:
            _spent[0] += min(size * _MOST_RATIO, _MOST_UNPACKED)
            file.close()
            raise
        while len(_open) >= _MOST_OPEN:
            _open.pop(next(iter(_open)))[1].close()
        _spent[0] += archive.unpacked
        _open[key] = archive, file
    return _open[key][0]


def unpacked_bytes() -> int:
    """Return how many bytes were unpacked so far only to look into archives."""
    return _spent[0]


@atexit.register
def _close() -> None:
    while _open:
        _open.popitem()[1][1].close()


def _archive(file: BinaryIO, name: str, size: int) -> Archive:
    if name.lower().endswith(_OTHERS) and not name.lower().endswith(_ENDINGS):
        raise UnreadableError(f"{name} is an archive of a kind that is not read.")
    start = file.read(512)
    file.seek(0)
    is_tar = start[:2] == b"\x1f\x8b" or start[257:262] == b"ustar"
    return (TarArchive if is_tar else ZipArchive)(file, name, size)


def _parts(name: str) -> tuple[str, ...]:
    """Return the parts of a name, the last ones of very many; none of them leads elsewhere."""
    parts = name.replace("\\", "/").split("/")
    if re.fullmatch("[A-Za-z]:", parts[0]):
        del parts[0]
    return tuple(part for part in parts if part not in ("", ".", ".."))[-_MOST_PARTS:]
