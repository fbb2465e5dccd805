"""Read a zip archive that somebody else made."""

import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from course.grading.reading.untrusted_files import MOST_BYTES, UnreadableError, at_most

_MOST_MEMBERS = 100_000
_MEMBER = b"PK\x01\x02"  # begins the entry of each
_MOST_UNPACKED = 16 * 2**30
_MOST_RATIO = 1100  # deflate gets to 1032; whoever has more counts some bytes twice
_UTF8 = 0x800
_ENCRYPTED = 0x1


class ZipArchive:
    """An open zip archive."""

    def __init__(self, file: BinaryIO, name: str, size: int) -> None:
        """Args: the archive, its name, and how many bytes it has.

        Raises:
            UnreadableError: it is no zip archive, a damaged one, or made to do harm.
        """
        self._name, self.unpacked = name, 0
        # To list the members takes much memory, so these are counted first. Large archives are
        # made by learning platforms.
        if size <= MOST_BYTES and file.read().count(_MEMBER) > _MOST_MEMBERS:
            raise UnreadableError(f"{name} holds more than {_MOST_MEMBERS} files.")
        with self._whole():
            self._archive = zipfile.ZipFile(file)
            infos = self._archive.infolist()
        if len(infos) > _MOST_MEMBERS:
            raise UnreadableError(f"{name} holds more than {_MOST_MEMBERS} files.")
        if sum(info.file_size for info in infos) > min(_MOST_UNPACKED, _MOST_RATIO * size):
            raise UnreadableError(f"{name} would be far too large unpacked.")
        self._infos = {_name(info): info for info in infos}
        files = [info for name, info in self._infos.items() if not name.endswith(("/", "\\"))]
        self.is_encrypted = bool(files) and all(info.flag_bits & _ENCRYPTED for info in files)

    def names(self) -> dict[str, tuple[tuple[int, ...], bool]]:
        """Return when each member was changed, and whether it is a folder, by its name."""
        return {
            name: (info.date_time, name.endswith(("/", "\\"))) for name, info in self._infos.items()
        }

    def read(self, name: str) -> bytes:
        """Return what a member holds.

        Raises:
            UnreadableError: it is damaged, encrypted, a link, or larger than a notebook may be.
        """
        info = self._infos.get(name)
        if info is None:
            raise UnreadableError(f"{name} is no longer in {self._name}.")
        _check(info, name)
        with self._whole(), self._archive.open(info) as file:
            return at_most(file, name)

    @contextmanager
    def _whole(self) -> Iterator[None]:
        try:
            yield
        except UnreadableError:
            raise
        except Exception:  # a damaged archive makes zipfile raise nearly anything
            raise UnreadableError(f"{self._name} is damaged, or no zip archive.") from None


def _check(info: zipfile.ZipInfo, name: str) -> None:
    if info.flag_bits & _ENCRYPTED:
        raise UnreadableError(f"{name} is encrypted.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnreadableError(f"{name} is packed in an unusual way: pack it as a plain zip.")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise UnreadableError(f"{name} is a link, and links are not followed.")
    if info.file_size > MOST_BYTES:
        raise UnreadableError(f"{name} is larger than {MOST_BYTES // 2**20} MB.")


def _name(info: zipfile.ZipInfo) -> str:
    """Return a name as it was meant: many programs write UTF-8 without saying so."""
    if info.flag_bits & _UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename
