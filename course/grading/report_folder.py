"""The folder that a grading run writes to: its lock, its seed, the names of its files."""

import os
import re
import unicodedata
from pathlib import Path

from course.grading.settings import text_hash
from course.notebooks.write import write_whole

_MOST = 100  # bytes of UTF-8; some encrypted disks take no more than 143 with an ending
_FORBIDDEN = re.compile(r'[/\\:*?"<>|]')
_MARKED = re.compile(r".*-[0-9a-f]{8}", re.I | re.DOTALL)


class ReportError(ValueError):
    """The report folder cannot be used; the message says why, and what to do."""


class ReportFolder:
    """A report folder that is ours until `close`.

    Args:
        path: made if it is not there.

    Raises:
        ReportError: it cannot be written, or another run writes to it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = (path / ".lock").open("a+")
        except OSError as error:
            raise ReportError(
                f"{path} cannot be written ({error.strerror}): choose another folder with -o."
            ) from None
        import fcntl  # which Windows has not, where only grading stops

        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise ReportError(
                f"Another run is writing to {path}: wait until it has ended, or choose another "
                "folder with -o."
            ) from None

    def close(self) -> None:
        """Give it back."""
        self._lock.close()

    def result(self, student: str, exercise: str) -> Path:
        """Return where the result of a submission is kept."""
        return self.path / "results" / slug(student) / f"{slug(exercise)}.json"

    def kept(self) -> list[Path]:
        """Return where the results of all runs are kept, in order."""
        return sorted((self.path / "results").glob("*/*.json"))

    def write(self, name: str, text: str) -> None:
        """Write a file in it, whole or not at all.

        Raises:
            OSError: it cannot be written.
        """
        write_whole(self.path / name, text.encode(errors="replace"))


def unwritable(path: Path, error: OSError) -> str:
    """Say that a report cannot be written, and what to do."""
    reason = error.strerror or os.strerror(error.errno or 0)
    return (
        f"{path} cannot be written ({reason}): make room, or mend its rights, and run the same "
        "command again. What was graded so far is kept."
    )


def slug(name: str) -> str:
    """Return a file name for a name: the name itself where disks take its letters.

    Any other name gets a mark made of all of it, so that two names never share a file. A name
    that looks as if it had such a mark gets one too.

    >>> slug("Ольга Zoë"), slug("../etc")
    ('Ольга Zoë', '_etc-f7f9121f')
    """
    if name == _cleaned(name, _MOST) and not _MARKED.fullmatch(name):
        return name
    mark = text_hash(name)[:8]
    return f"{_cleaned(name, _MOST - len(mark) - 1)}-{mark}"


def feedback_file(student: str, exercise: str) -> str:
    """Return the place of a feedback page in a report folder."""
    return f"feedback/{slug(student)}/{slug(exercise)}.html"


def _cleaned(name: str, most: int) -> str:
    letters = (letter if letter.isprintable() else "_" for letter in name)
    text = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", "".join(letters))).strip(". ")
    cut = text.encode()[:most].decode(errors="ignore").rstrip(". ")
    return cut or "unnamed"
