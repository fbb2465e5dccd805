"""Read archives that somebody else made, and archives in them: nothing is unpacked to the disk."""

import atexit
import io
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from course.grading.reading.untrusted_files import (
    Members,
    UnreadableError,
    at_most,
    open_regular,
    tar_members,
    zip_members,
)

_READ = (".zip", ".tar", ".tar.gz", ".tgz")
_ENDINGS = (
    *(".tar.bz2", ".tar.xz", ".tar.zst", *_READ),
    *(".7z", ".rar", ".gz", ".bz2", ".xz", ".tbz2", ".txz", ".zst"),
)
_MOST_PARTS = 40
_DEEPEST = 4  # archives in each other
_MOST_OPEN = 6  # at a time, the last ones

_open: dict[tuple, tuple[Members, BinaryIO]] = {}


def is_archive(name: str) -> bool:
    """Return whether a file is meant to be an archive, of a kind that is read or not."""
    return name.lower().endswith(_ENDINGS)


def stem(name: str) -> str:
    """Return the name of an archive without its ending."""
    ending = next((one for one in _ENDINGS if name.lower().endswith(one)), "")
    return name[: len(name) - len(ending)]


def members(path: Path, inside: Sequence[str] = ()) -> list[tuple[str, tuple[str, ...], bool]]:
    """Return the files and folders of an archive, in its order; the last of a name counts.

    Args:
        path: the file.
        inside: the name of the archive in it that is meant, and of the one in that, and so on.

    Returns:
        Of each its name, which `read_member` takes; the folders it is in and its own name, without
        "", "." and ".."; and whether it is a folder.

    Raises:
        UnreadableError: it is no zip or tar archive, damaged, encrypted, or made to do harm.
    """
    found = _opened(path, inside)
    return [(name, parts, one.is_folder) for name, one in found.items() if (parts := _parts(name))]


def read_member(path: Path, inside: Sequence[str]) -> bytes:
    """Return what a file in an archive holds.

    Args:
        path: the outermost archive.
        inside: the names of the archives in it, each in the one before, and that of the file.

    Raises:
        UnreadableError: it is damaged, a link, or larger than a notebook may be.
    """
    *above, name = inside
    member = _opened(path, above).get(name)
    if member is None:
        raise UnreadableError(f"{name} is no longer in {path.name}.")
    if member.trouble:
        raise UnreadableError(f"{name} {member.trouble}.")
    try:
        return at_most(member.open(), name)
    except UnreadableError:
        raise
    except Exception:  # a damaged archive makes zipfile raise nearly anything
        raise UnreadableError(f"{name} is in a damaged archive.") from None


def _opened(path: Path, inside: Sequence[str]) -> Members:
    """Return what is in an archive, kept open as before: to list a large one takes long."""
    if len(inside) > _DEEPEST:
        raise UnreadableError(f"{inside[-1]} is in too many archives.")
    there = path.stat() if path.exists() else None
    key = path, there and (there.st_ino, there.st_mtime_ns, there.st_size), *inside
    if key not in _open:
        file = io.BytesIO(read_member(path, inside)) if inside else open_regular(path)
        try:
            found = _listed(file, inside[-1].rpartition("/")[2] if inside else path.name)
        except UnreadableError:
            file.close()
            raise
        while len(_open) >= _MOST_OPEN:
            _open.pop(next(iter(_open)))[1].close()
    else:
        found, file = _open.pop(key)
    _open[key] = found, file  # the last used
    return found


@atexit.register
def _close() -> None:
    for _, file in _open.values():
        file.close()


def _listed(file: BinaryIO, name: str) -> Members:
    if name.lower().endswith(_ENDINGS) and not name.lower().endswith(_READ):
        raise UnreadableError(f"{name} is an archive of a kind that is not read.")
    start = file.read(512)
    file.seek(0)
    is_tar = start[:2] == b"\x1f\x8b" or start[257:262] == b"ustar"
    try:
        return tar_members(file, name) if is_tar else zip_members(file, name)
    except UnreadableError:
        raise
    except Exception:  # zipfile and tarfile raise nearly anything
        raise UnreadableError(f"{name} is damaged, or no zip or tar archive.") from None


def _parts(name: str) -> tuple[str, ...]:
    """Return the parts of a name, the last ones of very many; none of them leads elsewhere."""
    parts = name.replace("\\", "/").split("/")
    return tuple(part for part in parts if part not in ("", ".", ".."))[-_MOST_PARTS:]
