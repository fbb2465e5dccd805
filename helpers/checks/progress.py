"""Remember which tasks were tried and solved and how many hints were taken, in one small file.

The file is `.progress.db` in the course's folder; if that can only be read, as on a hub that many
share, `.autograd-progress.db` in the home. COURSE_PROGRESS names a different file (a relative name
starts at the course's folder), or is `off`. It holds counts, names of diagnoses and fingerprints
of answers, and nothing sends it anywhere. No trouble with the file ever stops a check: what cannot
be written is remembered in this process and written with the next note.
"""

import hashlib
import os
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE = ".progress.db"
IN_HOME = "~/.autograd-progress.db"
VARIABLE = "COURSE_PROGRESS"
_NO_TRY = ("not-started", "not-checked")
_TABLE = "tasks (id TEXT PRIMARY KEY, tries, solved, last, hints, answer)"
_PATIENCE = 10.0  # seconds to wait for another notebook, which writes for milliseconds
# SQLite's names of errors; the last is a table that has other columns.
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR")
_here: list[str] = []  # the tasks that were tried in this process


@dataclass(frozen=True)
class Entry:
    """What is known about one task.

    Attributes:
        tries: how many answers were checked; an untouched stub does not count, nor does an answer
            that is checked again unchanged.
        solved: whether the answer passed when its check ran last.
        last: name of the last diagnosis, such as "wrong-sign"; "" before the first try.
        hints: how many hints were taken.
        answer: fingerprint of the answer that was checked last; "" if unknown.
    """

    tries: int = 0
    solved: bool = False
    last: str = ""
    hints: int = 0
    answer: str = ""


Tasks = defaultdict[str, Entry]
Change = Callable[[Entry], Entry]


def record(task_id: str, solved: bool, name: str, answer: str = "") -> None:
    """Note what a check said; if there was nothing to judge, that is not a try, and not solved.

    Args:
        task_id: such as "5.1".
        solved: whether the answer passed.
        name: of the diagnosis.
        answer: the code that was checked, or anything else that tells answers apart. If it is the
            same as the last time, it is not a further try.
    """
    found = _fingerprint(answer)

    def tried(entry: Entry) -> Entry:
        is_new = not found or found != entry.answer
        return Entry(entry.tries + is_new, bool(solved), name, entry.hints, found)

    store = _store(location())
    if name not in _NO_TRY:
        _here.append(task_id)
        store.note(task_id, tried)
    elif task_id in store.read():
        store.note(task_id, lambda entry: replace(entry, last="", solved=False))


def forget(task_ids: Iterable[str]) -> None:
    """Note that answers were taken back: nothing is solved or tried. The hints stay taken."""
    store = _store(location())
    for task_id in store.read().keys() & {*task_ids}:
        store.note(task_id, lambda entry: Entry(hints=entry.hints))


def _fingerprint(answer: str) -> str:
    code = answer.strip().encode(errors="replace")
    return hashlib.sha256(code).hexdigest() if code else ""


def latest() -> str:
    """Return the task whose answer was checked last in this process; "" if none was."""
    return _here[-1] if _here else ""


def hint_taken(task_id: str) -> int:
    """Note that a hint was shown; return how many were, including this one."""
    store = _store(location())
    tasks = store.note(task_id, lambda entry: replace(entry, hints=entry.hints + 1))
    return tasks[task_id].hints


def read() -> Tasks:
    """Return by its id every task that was tried or had a hint taken; any other is a new entry."""
    return _store(location()).read()


def location() -> Path | None:
    """Return the file that progress is kept in; None if it is switched off."""
    named = os.environ.get(VARIABLE, "").strip()
    if named.lower() == "off":
        return None
    path = named or (FILE if os.access(ROOT, os.W_OK) else IN_HOME)
    return ROOT / os.path.expanduser(path)  # noqa: PTH111 - Path's raises if nobody knows the home


class _Store:
    """The entries of all tasks in one file, or only in this process if `path` is None."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._saved = Tasks(Entry)
        self._unsaved: list[tuple[str, Change]] = []

    def note(self, task_id: str, change: Change) -> Tasks:
        """Change the entry of a task; return all entries."""
        self._unsaved.append((task_id, change))
        return self.read()

    def read(self) -> Tasks:
        """Save what is not saved yet; return the entries of the tasks that have one."""
        path = self._path
        try:
            if path and (self._unsaved or path.exists()):
                self._exchange_or_start_afresh(path)
        except (OSError, sqlite3.Error) as error:
            _say_once(f"Progress cannot be kept in {path} ({error}): the checks work without it.")
        return self._known()

    def _exchange_or_start_afresh(self, path: Path) -> None:
        try:
            self._exchange(path)
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorname", "") not in _DAMAGE:
                raise
            kept = path.replace(path.with_suffix(".damaged.db"))
            _say_once(f"{path} was damaged: it is kept as {kept.name}, and progress starts afresh.")
            self._exchange(path)

    def _exchange(self, path: Path) -> None:
        # If it is closed without COMMIT, for whatever reason, the file is as it was before.
        with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as file:
            if self._unsaved:
                file.execute("BEGIN IMMEDIATE")
            file.execute(f"CREATE TABLE IF NOT EXISTS {_TABLE}")
            rows = file.execute("SELECT id, tries, solved, last, hints, answer FROM tasks")
            self._saved = Tasks(Entry, {task_id: Entry(*row) for task_id, *row in rows})
            if self._unsaved:
                known = self._known()
                rows = [(task_id, *astuple(entry)) for task_id, entry in known.items()]
                file.executemany("REPLACE INTO tasks VALUES (?, ?, ?, ?, ?, ?)", rows)
                file.execute("COMMIT")
                self._saved, self._unsaved = known, []

    def _known(self) -> Tasks:
        tasks = self._saved.copy()
        for task_id, change in self._unsaved:
            tasks[task_id] = change(tasks[task_id])
        return tasks


_store = cache(_Store)


@cache
def _say_once(sentence: str) -> None:
    print(sentence, file=sys.stderr)
