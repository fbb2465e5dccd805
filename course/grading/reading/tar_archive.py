"""Read a tar archive that somebody else made, packed by gzip or not.

Its headers are followed here, and each is read by `tarfile`: what `tarfile` itself does with the
headers of a whole archive can be made to take for ever.
"""

import gzip
import io
import tarfile
import time
import zlib
from dataclasses import dataclass
from typing import BinaryIO

from course.grading.reading.untrusted_files import MOST_BYTES, UnreadableError

_MOST_MEMBERS = 100_000
_MOST_UNPACKED = 200 * 2**20
_BLOCK = 512
_MOST_NAME = 64 * 2**10  # bytes of a header that only holds a name
_EMPTY = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE)
_FILES = (tarfile.REGTYPE, tarfile.AREGTYPE)


@dataclass(frozen=True)
class _Entry:
    kind: bytes
    start: int
    size: int
    time: tuple[int, ...]


class TarArchive:
    """An open tar archive."""

    is_encrypted = False

    def __init__(self, file: BinaryIO, name: str, size: int) -> None:
        """Args: the archive, its name, and how many bytes it has.

        Raises:
            UnreadableError: it is no tar archive, a damaged one, or made to do harm.
        """
        self._name = name
        self._file, self._size = _unpacked(file, name, size)
        self.unpacked = self._size if self._file is not file else 0
        try:
            self._entries = self._read_entries()
        except (tarfile.HeaderError, ValueError, OverflowError, OSError) as error:
            if isinstance(error, UnreadableError):
                raise
            raise UnreadableError(f"{name} is damaged, or no tar archive.") from None

    def names(self) -> dict[str, tuple[tuple[int, ...], bool]]:
        """Return when each member was changed, and whether it is a folder, by its name."""
        return {
            name: (entry.time, entry.kind == tarfile.DIRTYPE)
            for name, entry in self._entries.items()
        }

    def read(self, name: str) -> bytes:
        """Return what a member holds.

        Raises:
            UnreadableError: it is no file but a link or a device, or larger than a notebook may be.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise UnreadableError(f"{name} is no longer in {self._name}.")
        if entry.kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
            raise UnreadableError(f"{name} is a link, and links are not followed.")
        if entry.kind not in _FILES:
            raise UnreadableError(f"{name} is not a regular file.")
        if entry.size > MOST_BYTES:
            raise UnreadableError(f"{name} is larger than {MOST_BYTES // 2**20} MB.")
        self._file.seek(entry.start)
        content = self._file.read(entry.size)
        if len(content) < entry.size:
            raise UnreadableError(f"{self._name} is damaged, or no tar archive.")
        return content

    def _read_entries(self) -> dict[str, _Entry]:
        found: dict[str, _Entry] = {}
        place, told, headers = 0, "", 0
        while place + _BLOCK <= self._size:
            self._file.seek(place)
            header = self._file.read(_BLOCK)
            if not header.strip(b"\0"):
                break
            headers += 1
            if headers > _MOST_MEMBERS:
                raise UnreadableError(f"{self._name} holds more than {_MOST_MEMBERS} files.")
            info = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
            place += _BLOCK
            if info.size < 0:
                raise ValueError("a size below 0")
            # What has no content says a size all the same, in some archives.
            size = (
                0 if info.type in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE) else info.size
            )
            if info.type in (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME):
                if size > _MOST_NAME:
                    raise UnreadableError(f"{self._name} has a name that is too long.")
                content = self._file.read(size)
                is_long = info.type == tarfile.GNUTYPE_LONGNAME
                name = content.rstrip(b"\0") if is_long else _pax_path(content)
                told = name.decode("utf-8", "surrogateescape") or told
            elif info.type not in (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK):
                moment = time.localtime(min(max(info.mtime, 0), 2**33))[:6]
                found[told or info.name] = _Entry(info.type, place, size, moment)
                told = ""
            place += -(-size // _BLOCK) * _BLOCK
        if not found and self._size:
            raise ValueError("nothing in it")
        return found


def _pax_path(content: bytes) -> bytes:
    """Return the path that an extended header tells; empty if it tells none."""
    path, place = b"", 0
    while place < len(content):
        length, _, _ = content[place : place + 10].partition(b" ")
        if not length.isdigit() or int(length) < len(length) + 2:
            break
        record = content[place + len(length) + 1 : place + int(length)].rstrip(b"\n")
        key, _, value = record.partition(b"=")
        path = value if key == b"path" else path
        place += int(length)
    return path


def _unpacked(file: BinaryIO, name: str, size: int) -> tuple[BinaryIO, int]:
    start = file.read(2)
    file.seek(0)
    if start != b"\x1f\x8b":
        return file, size
    try:
        with gzip.GzipFile(fileobj=file) as packed:
            content = packed.read(_MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error):
        raise UnreadableError(f"{name} is damaged, or no tar archive.") from None
    if len(content) > _MOST_UNPACKED:
        raise UnreadableError(f"{name} would be far too large unpacked.")
    return io.BytesIO(content), len(content)
