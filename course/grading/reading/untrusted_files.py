"""Read files and archives that somebody else made: no link is followed."""

import gzip
import io
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 50 * 2**20  # of a notebook
_MOST_MEMBERS = 100_000
_MOST_UNPACKED = 200 * 2**20  # bytes of a tar archive
_ZIP_MEMBER = b"PK\x01\x02"  # begins the entry of each
_UTF8, _ENCRYPTED = 0x800, 0x1  # flags of a zip archive's member
_BLOCK = 512  # bytes, of which a tar archive consists
_RECORD = re.compile(rb"(\d{1,9}) (path=)?")  # of a tar archive's extended header
_PLAIN = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE)


class UnreadableError(ValueError):
    """A submission that cannot be read; the message is one sentence that says why."""


@dataclass(frozen=True)
class Member:
    """A file in an archive, or a folder.

    Attributes:
        open: opens it, where `trouble` says nothing.
        is_folder: whether it is a folder.
        trouble: why it is not read, as the end of a sentence; "" if it is.
    """

    open: Callable[[], BinaryIO]
    is_folder: bool = False
    trouble: str = ""


Members = dict[str, Member]  # by their names; the last of a name counts


def open_regular(path: Path) -> BinaryIO:
    """Open a file that is neither a link nor a device.

    Raises:
        UnreadableError: it is one, or it cannot be opened.
    """
    try:
        file = open(path, "rb", opener=_opened)  # noqa: SIM115
    except OSError as error:
        raise UnreadableError(f"{path.name} cannot be read ({error.strerror}).") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise UnreadableError(f"{path.name} is not a regular file.")
    return file


def _opened(path: str, flags: int) -> int:
    # O_NONBLOCK: a fifo would wait for somebody to write to it.
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def at_most(file: BinaryIO, name: str) -> bytes:
    """Return what is left of an open file, and close it.

    Raises:
        UnreadableError: that is more than a notebook may have, or it cannot be read.
    """
    try:
        with file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnreadableError(f"{name} cannot be read ({error.strerror}).") from None
    if len(content) > MOST_BYTES:
        raise UnreadableError(f"{name} is larger than {MOST_BYTES // 2**20} MB.")
    return content


def zip_members(file: BinaryIO, name: str) -> Members:
    """Return what a zip archive holds.

    Args:
        file: the archive.
        name: of it.

    Raises:
        UnreadableError: it has a password, or too many members.
        Exception: nearly anything, if it is damaged.
    """
    # To list the members takes much memory, so these are counted first. Large archives are
    # made by learning platforms.
    if len(start := file.read(MOST_BYTES + 1)) <= MOST_BYTES:
        _count(start.count(_ZIP_MEMBER), name)
    archive = zipfile.ZipFile(file)
    found = {}
    for info in archive.infolist():
        if info.flag_bits & _ENCRYPTED:
            raise UnreadableError(f"{name} is encrypted, and has to be unpacked first.")
        is_unusual = info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        is_odd = is_unusual or stat.S_ISLNK(info.external_attr >> 16)
        trouble = _trouble(info.file_size, is_odd=is_odd)
        told = _zip_name(info)
        is_folder = told.endswith(("/", "\\"))
        found[told] = Member(partial(archive.open, info), is_folder, trouble)
    return found


def _zip_name(info: zipfile.ZipInfo) -> str:
    """Return a name as it was meant: many programs write UTF-8 without saying so."""
    if info.flag_bits & _UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def tar_members(file: BinaryIO, name: str) -> Members:
    """Return what a tar archive holds, packed by gzip or not.

    Its headers are followed here, and each is read by `tarfile`: what `tarfile` itself does with
    the headers of a whole archive can be made to take for ever.

    Args and raises: as of `zip_members`.
    """
    file = _unpacked(file, name)
    found: Members = {}
    place, told = 0, ""
    while True:
        file.seek(place)
        header = file.read(_BLOCK)
        if not header.strip(b"\0"):
            return found
        _count(len(found), name)
        info = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        # What has no content says a size all the same, in some archives.
        is_empty = info.issym() or info.islnk() or info.isdir()
        size = 0 if is_empty else max(info.size, 0)
        start = place + _BLOCK
        place = start + -(-size // _BLOCK) * _BLOCK
        if info.type in (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME):
            content = file.read(size)
            is_long = info.type == tarfile.GNUTYPE_LONGNAME
            path = content.rstrip(b"\0") if is_long else _pax_path(content)
            told = path.decode("utf-8", "surrogateescape") or told
        elif info.type not in (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK):
            trouble = _trouble(size, is_odd=info.type not in _PLAIN)
            member = Member(partial(_piece, file, start, size), info.isdir(), trouble)
            found[told or info.name] = member
            told = ""


def _unpacked(file: BinaryIO, name: str) -> BinaryIO:
    """Return a tar archive that is not packed."""
    is_packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    if not is_packed:
        return file
    content = gzip.GzipFile(fileobj=file).read(_MOST_UNPACKED + 1)
    if len(content) > _MOST_UNPACKED:
        raise UnreadableError(f"{name} would be far too large unpacked.")
    return io.BytesIO(content)


def _pax_path(content: bytes) -> bytes:
    """Return the path that an extended header tells; empty if it tells none."""
    path, place = b"", 0
    while record := _RECORD.match(content, place):
        end = max(int(record[1]), 1) + place
        if record[2]:
            path = content[record.end() : end - 1]
        place = end
    return path


def _piece(file: BinaryIO, start: int, size: int) -> BinaryIO:
    file.seek(start)
    content = file.read(size)
    if len(content) < size:
        raise EOFError
    return io.BytesIO(content)


def _trouble(size: int, *, is_odd: bool) -> str:
    if is_odd:
        return "is a link, a device, or packed in an unusual way"
    return f"is larger than {MOST_BYTES // 2**20} MB" if size > MOST_BYTES else ""


def _count(members: int, name: str) -> None:
    if members > _MOST_MEMBERS:
        raise UnreadableError(f"{name} holds more than {_MOST_MEMBERS} files.")
