"""Read files and zip archives that somebody else made: no link is followed, nothing unpacked."""

import os
import re
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 50 * 2**20  # of a notebook
_MOST_MEMBERS = 100_000
_MEMBER = b"PK\x01\x02"  # begins the entry of each
_LONGEST_NAME = 4096  # characters, with folders; no disk takes more
_MOST_PARTS = 40
_MOST_UNPACKED = 16 * 2**30
_MOST_RATIO = 1100  # deflate gets to 1032; whoever has more counts some bytes twice
_UTF8 = 0x800
_ENCRYPTED = 0x1


class UnreadableError(ValueError):
    """A submission that cannot be read; the message is one sentence that says why."""


def open_regular(path: Path) -> BinaryIO:
    """Open a file that is neither a link nor a device.

    Raises:
        UnreadableError: it is one, or it cannot be opened.
    """
    # O_NONBLOCK: a fifo would wait for somebody to write to it.
    names = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
    flags = os.O_RDONLY
    for name in names:
        flags |= getattr(os, name, 0)
    try:
        kind = path.lstat().st_mode
        if stat.S_ISLNK(kind):
            raise UnreadableError(f"{path.name} is a link, and links are not followed.")
        if not stat.S_ISREG(kind):
            raise UnreadableError(f"{path.name} is not a regular file.")
        file = os.fdopen(os.open(path, flags), "rb")
    except (OSError, ValueError) as error:
        if isinstance(error, UnreadableError):
            raise
        reason = getattr(error, "strerror", None) or "no such name"
        raise UnreadableError(f"{path.name} cannot be read ({reason}).") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise UnreadableError(f"{path.name} is not a regular file.")
    return file


def read_regular(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        UnreadableError: it cannot be opened, or is larger than a notebook may be.
    """
    with open_regular(path) as file:
        try:
            return at_most(file, path.name)
        except OSError as error:
            raise UnreadableError(f"{path.name} cannot be read ({error.strerror}).") from None


def at_most(file: BinaryIO, name: str) -> bytes:
    """Return what is left of an open file.

    Raises:
        UnreadableError: that is more than a notebook may have.
    """
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise UnreadableError(f"{name} is larger than {MOST_BYTES // 2**20} MB.")
    return content


@dataclass(frozen=True)
class Member:
    """A file in an archive.

    Attributes:
        name: of it, decoded; also what `read_member` takes.
        parts: the folders it stands in and its own name, without "", "." and "..".
        time: when it was changed, as numbers from the year on.
    """

    name: str
    parts: tuple[str, ...]
    time: tuple[int, ...]


def members(path: Path) -> list[Member]:
    """Return the files and folders of an archive, in its order; the last of a name counts.

    Raises:
        UnreadableError: it is no zip archive, a damaged one, or made to do harm.
    """
    with open_regular(path) as file:
        # To list the members takes much memory, so these are counted first. Large archives are
        # made by learning platforms.
        is_small = os.fstat(file.fileno()).st_size <= MOST_BYTES
        if is_small and file.read().count(_MEMBER) > _MOST_MEMBERS:
            raise UnreadableError(f"{path.name} holds more than {_MOST_MEMBERS} files.")
    with _opened(path) as archive:
        infos = archive.infolist()
        unpacked = sum(info.file_size for info in infos)
        if len(infos) > _MOST_MEMBERS:
            raise UnreadableError(f"{path.name} holds more than {_MOST_MEMBERS} files.")
        if unpacked > min(_MOST_UNPACKED, _MOST_RATIO * path.stat().st_size):
            raise UnreadableError(f"{path.name} would be far too large unpacked.")
    named = {_name(info): info for info in infos}
    found = [Member(name, _parts(name), info.date_time) for name, info in named.items()]
    return [member for member in found if member.parts]


def read_member(path: Path, member: str) -> bytes:
    """Return what a file in an archive holds.

    Raises:
        UnreadableError: it is damaged, encrypted, a link, or larger than a notebook may be.
    """
    with _opened(path) as archive:
        infos = [info for info in archive.infolist() if _name(info) == member]
        if not infos:
            raise UnreadableError(f"{member} is no longer in {path.name}.")
        _check(infos[-1], member)
        with archive.open(infos[-1]) as file:
            return at_most(file, member)


def _check(info: zipfile.ZipInfo, name: str) -> None:
    if info.flag_bits & _ENCRYPTED:
        raise UnreadableError(f"{name} is encrypted.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnreadableError(f"{name} is packed in an unusual way: pack it as a plain zip.")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise UnreadableError(f"{name} is a link, and links are not followed.")
    if info.file_size > MOST_BYTES:
        raise UnreadableError(f"{name} is larger than {MOST_BYTES // 2**20} MB.")


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with open_regular(path) as file, zipfile.ZipFile(file) as archive:
            yield archive
    except UnreadableError:
        raise
    except Exception:  # a damaged archive makes zipfile raise nearly anything
        raise UnreadableError(f"{path.name} is damaged, or no zip archive.") from None


def _name(info: zipfile.ZipInfo) -> str:
    """Return a name as it was meant: many programs write UTF-8 without saying so."""
    if info.flag_bits & _UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _parts(name: str) -> tuple[str, ...]:
    """Return the parts of a name; none for one out of its archive, or that no disk would take."""
    parts = name.replace("\\", "/").split("/")
    if len(name) > _LONGEST_NAME or len(parts) > _MOST_PARTS:
        return ()
    if ".." in parts or not parts[0] or re.fullmatch("[A-Za-z]:", parts[0]):
        return ()
    return tuple(part for part in parts if part not in ("", "."))
