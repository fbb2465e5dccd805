"""Let only one set-up of a folder run at a time. Standard library only, as `course.setup`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from course.pip_packages import SetupError

# SQLite's lock: there is one on every system, and it is gone with the program that holds it.
LOCK = ".build/set-up.lock"
_PATIENCE = 3600  # seconds to wait for another set-up


@contextmanager
def alone(root: Path, patience: float = _PATIENCE) -> Iterator[None]:
    """Wait until no other set-up of `root` runs, and keep others waiting meanwhile.

    Raises:
        SetupError: nothing can be written there, or another one does not end.
    """
    file = root / LOCK
    try:
        file.parent.mkdir(exist_ok=True)
        lock = sqlite3.connect(file, timeout=0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise SetupError(
            f"Nothing can be written in {root} ({error}): clone the course into a folder of your "
            "own, and run this there."
        ) from None
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            print("Another set-up of this folder is running: waiting for it.", flush=True)
            _wait(lock, patience, file)
        yield


def _wait(lock: sqlite3.Connection, patience: float, file: Path) -> None:
    lock.execute(f"PRAGMA busy_timeout = {patience * 1000:.0f}")
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        raise SetupError(
            f"Another set-up of this folder does not end ({error}): stop it, remove {file}, and "
            "run this again."
        ) from None
