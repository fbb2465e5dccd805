"""Read files that somebody else made: no link is followed."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 50 * 2**20  # of a notebook


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
