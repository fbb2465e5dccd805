"""Keep what is known of each task in one file; no trouble with the file ever stops a check."""

import sys
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from helpers.checks.locked_file import DamagedFileError, load, locked, save, set_aside

Result = TypeVar("Result")


class Entry(TypedDict):
    """What is known of one task.

    Attributes:
        tries: how often its check ran on an answer; an untouched stub is none.
        solved: whether an answer has passed, now or before.
        last: name of the last diagnosis, such as "wrong-sign"; "" before the first try.
        hints: how many hints were taken.
    """

    tries: int
    solved: bool
    last: str
    hints: int


Tasks = dict[str, Entry]


def new_entry() -> Entry:
    """Return what is known of a task that nobody has looked at."""
    return {"tries": 0, "solved": False, "last": "", "hints": 0}


class Store:
    """The entries of all tasks; what the file does not take is remembered in this process.

    Args:
        path: of the file; None keeps nothing after the process.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._unsaved: Tasks = {}

    def read(self) -> Tasks:
        """Return the entries of the tasks that have one."""
        try:
            return self._known()
        except DamagedFileError:
            # Looked at again under the lock: another notebook may have mended it by now.
            return self.update(deepcopy)
        except OSError as error:
            _complain(self._path, error)
            return deepcopy(self._unsaved)

    def update(self, change: Callable[[Tasks], Result]) -> Result:
        """Change the entries with nobody else in between; return what `change` returns."""
        if self._path is not None:
            try:
                with locked(self._path):
                    _set_aside_if_damaged(self._path)
                    tasks = self._known()
                    result = change(tasks)
                    save(self._path, {"version": 1, "tasks": tasks})
            except OSError as error:
                _complain(self._path, error)
            else:
                self._unsaved = {}
                return result
        with suppress(OSError, DamagedFileError):  # said above
            self._unsaved = self._known()
        return change(self._unsaved)

    def _known(self) -> Tasks:
        saved = _load(self._path) if self._path else {}
        return {**saved, **deepcopy(self._unsaved)}


def _load(path: Path) -> Tasks:
    return load(path, _is_valid).get("tasks", {})


def _set_aside_if_damaged(path: Path) -> None:
    try:
        _load(path)
    except DamagedFileError:
        kept = set_aside(path)
        _say_once(f"{path} was damaged: it is kept as {kept.name}, and progress starts afresh.")


def _is_valid(data: Any) -> bool:
    tasks = data.get("tasks") if isinstance(data, dict) else None
    return isinstance(tasks, dict) and all(map(_is_entry, tasks.values()))


def _is_entry(entry: Any) -> bool:
    new = new_entry()
    return isinstance(entry, dict) and all(type(entry.get(key)) is type(new[key]) for key in new)


def _complain(path: Path, error: OSError) -> None:
    reason = error.strerror or str(error)
    _say_once(f"Progress cannot be kept in {path} ({reason}): the checks work without it.")


@cache
def _say_once(sentence: str) -> None:
    print(sentence, file=sys.stderr)
