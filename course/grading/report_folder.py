"""The folder that a grading run writes to: its lock, its seed, its results."""

import fcntl
import json
import os
from pathlib import Path
from typing import Any

from course.grading.books.page import slug
from course.grading.storage import write_text


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

    def about(self) -> dict[str, Any]:
        """Return what the last run noted of itself; empty if there was none."""
        try:
            found = json.loads((self.path / "run.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def note(self, about: dict[str, Any]) -> None:
        """Note what a run is made with.

        Raises:
            ReportError: it cannot be written.
        """
        self.write("run.json", json.dumps(about, indent=1) + "\n")

    def write(self, name: str, text: str) -> None:
        """Write a file in it, whole or not at all.

        Raises:
            ReportError: it cannot be written.
        """
        try:
            write_text(self.path / name, text)
        except OSError as error:
            raise ReportError(unwritable(self.path, error)) from None


def unwritable(path: Path, error: OSError | str) -> str:
    """Say that a report cannot be written, and what to do."""
    reason = error if isinstance(error, str) else error.strerror or os.strerror(error.errno or 0)
    return (
        f"{path} cannot be written ({reason}): make room, or mend its rights, and run the same "
        "command again. What was graded so far is kept."
    )
