"""Change a small JSON file so that nothing is lost: one writer at a time, the old or the new."""

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")
_PATIENCE = 10.0  # seconds to wait for another notebook, which holds the lock for milliseconds
_PAUSE = 0.005


class DamagedFileError(ValueError):
    """The file holds something else than what was written to it."""


def load(path: Path, is_valid: Callable[[Any], bool]) -> dict[str, Any]:
    """Return what the file holds; an empty dict if there is none.

    Args:
        path: where the file is.
        is_valid: tells whether the data read is what was once written.

    Raises:
        DamagedFileError: it is no JSON, or not valid.
        OSError: it is there and cannot be read.
    """
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise DamagedFileError(str(error)) from None
    if not is_valid(data):
        raise DamagedFileError("it has another structure")
    return data


def save(path: Path, data: dict[str, Any]) -> None:
    """Put the data into the file in one step: a reader, or a crash, sees the old or the new.

    Raises:
        OSError: the folder or the disk does not take it.
    """
    handle, draft = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(data, stream, indent=1, sort_keys=True)
            stream.flush()
            os.fsync(stream.fileno())
        Path(draft).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(draft).unlink()
        raise


def set_aside(path: Path) -> Path:
    """Move a damaged file beside itself, over no other one; return where it is now."""
    kept = path.with_name(f"{path.stem}.damaged{path.suffix}")
    number = 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
    path.rename(kept)
    return kept


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the only right to change the file; the lock ends with the process that holds it.

    Raises:
        OSError: the folder cannot be written, or another process does not let go.
    """
    # A file of its own: the file itself is replaced, and a lock would stay with the old one.
    with path.with_name(f"{path.name}.lock").open("a+b") as stream:
        deadline = time.monotonic() + _PATIENCE
        while not _take(stream):
            if time.monotonic() > deadline:
                raise TimeoutError(f"another process has held {path.name} for {_PATIENCE:g} s")
            time.sleep(_PAUSE)
        try:
            yield
        finally:
            _release(stream)


try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    def _take(stream: Any) -> bool:
        stream.seek(0)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _release(stream: Any) -> None:
        stream.seek(0)
        msvcrt.locking(stream.fileno(), msvcrt.LK_UNLCK, 1)
else:

    def _take(stream: Any) -> bool:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _release(stream: Any) -> None:
        fcntl.flock(stream, fcntl.LOCK_UN)
