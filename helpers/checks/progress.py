"""Remember which tasks were tried and solved and how many hints were taken, in one small file.

The file is `.progress.db` in the course's folder; where that can only be read, as on a hub that
many share, `.autograd-progress.db` in one's home. COURSE_PROGRESS names another file (a relative
name starts at the course's folder), or is `off`. It holds counts, names of diagnoses and
fingerprints of answers, and nothing sends it anywhere. No trouble with the file ever stops a
check: what cannot be written is remembered in this process and written with the next note.

Up to version 0.1 the file was JSON. A file that ends in `.json` is read once, into one beside it
that ends in `.db`, and stays as it is.
"""

import hashlib
import json
import os
import sqlite3
import sys
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[2]
FILE = ".progress.db"
IN_HOME = "~/.autograd-progress.db"
VARIABLE = "COURSE_PROGRESS"
_NO_TRY = ("not-started", "not-checked")
_here: list[str] = []  # the tasks that were tried in this process
_VERSION = 2  # of the file's table: the first had no fingerprints
_PATIENCE = 10.0  # seconds to wait for another notebook, which writes for milliseconds


class Entry(TypedDict):
    """What is known of one task.

    Attributes:
        tries: how many answers were checked; an untouched stub is none, and one that is checked
            again as it was is no further one.
        solved: whether the answer passed when its check ran last.
        last: name of the last diagnosis, such as "wrong-sign"; "" before the first try.
        hints: how many hints were taken.
        answer: fingerprint of the answer that was checked last; "" if unknown.
    """

    tries: int
    solved: bool
    last: str
    hints: int
    answer: str


Tasks = dict[str, Entry]


def new_entry() -> Entry:
    """Return what is known of a task that nobody has looked at."""
    return {"tries": 0, "solved": False, "last": "", "hints": 0, "answer": ""}


def record(task_id: str, solved: bool, name: str, answer: str = "") -> None:
    """Note what a check said; where there was nothing to judge, that is no try, and not solved.

    Args:
        task_id: such as "5.1".
        solved: whether the answer passed.
        name: of the diagnosis.
        answer: the code that was checked, or what else tells answers apart. The same as the last
            time, it is no further try.
    """
    found = _fingerprint(answer)

    def tried(entry: Entry) -> None:
        is_new = not found or found != entry["answer"]
        tries = entry["tries"] + is_new
        entry.update(tries=tries, last=name, solved=bool(solved), answer=found)

    store = _store(location())
    if name not in _NO_TRY:
        _here.append(task_id)
        store.note(task_id, tried)
    elif task_id in store.read():
        store.note(task_id, lambda entry: entry.update(last="", solved=False))


def forget(task_ids: Iterable[str]) -> None:
    """Note that answers were taken back: nothing is solved or tried. The hints stay taken."""
    store = _store(location())
    known = store.read()
    for task_id in task_ids:
        if task_id in known:
            store.note(task_id, lambda entry: entry.update(new_entry(), hints=entry["hints"]))


def _fingerprint(answer: str) -> str:
    code = answer.strip().encode(errors="replace")
    return hashlib.sha256(code).hexdigest() if code else ""


def latest() -> str:
    """Return the task whose answer was checked last in this process; "" if none was."""
    return _here[-1] if _here else ""


def hint_taken(task_id: str) -> int:
    """Note that a hint was shown; return how many were, with this one."""
    tasks = _store(location()).note(task_id, lambda entry: entry.update(hints=entry["hints"] + 1))
    return tasks[task_id]["hints"]


def read() -> Tasks:
    """Return what is known of every task that was tried or had a hint taken, by its id."""
    return _store(location()).read()


def location() -> Path | None:
    """Return the file that progress is kept in; None if it is switched off."""
    named = os.environ.get(VARIABLE, "").strip()
    if named.lower() == "off":
        return None
    path = Path(named or (FILE if os.access(ROOT, os.W_OK) else IN_HOME))
    with suppress(RuntimeError):  # nobody knows where the home is
        path = path.expanduser()
    path = ROOT / path
    return path.with_suffix(".db") if path.suffix == ".json" else path


class _Store:
    """The entries of all tasks in one file, or in this process alone where `path` is None."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._saved: Tasks = {}
        self._unsaved: list[tuple[str, Callable[[Entry], None]]] = []

    def note(self, task_id: str, change: Callable[[Entry], None]) -> Tasks:
        """Change the entry of a task; return all entries."""
        self._unsaved.append((task_id, change))
        return self.read()

    def read(self) -> Tasks:
        """Save what is not saved yet; return the entries of the tasks that have one."""
        path = self._path
        try:
            if path and (self._unsaved or path.exists() or _older(path).exists()):
                self._exchange_or_start_afresh(path)
        except (OSError, OverflowError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            _say_once(f"Progress cannot be kept in {path} ({reason}): the checks work without it.")
        return self._known()

    def _exchange_or_start_afresh(self, path: Path) -> None:
        number = path.stat().st_ino if path.exists() else 0
        try:
            self._exchange(path)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            if path.stat().st_ino == number:  # else another notebook has mended it by now
                _set_aside(path)
            self._exchange(path)

    def _exchange(self, path: Path) -> None:
        # Closed without COMMIT, whatever came in between, the file is as it was before.
        with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as file:
            self._saved = _load(file, path)
            if self._unsaved or _version(file) == 0:
                file.execute("BEGIN IMMEDIATE")
                self._saved = _load(file, path)
                known = self._known()
                _save(file, known)
                file.execute("COMMIT")
                self._saved, self._unsaved = known, []

    def _known(self) -> Tasks:
        tasks = deepcopy(self._saved)
        for task_id, change in self._unsaved:
            change(tasks.setdefault(task_id, new_entry()))
        return tasks


_store = cache(_Store)


def _version(file: sqlite3.Connection) -> int:
    return file.execute("PRAGMA user_version").fetchone()[0]


def _load(file: sqlite3.Connection, path: Path) -> Tasks:
    version = _version(file)
    if version == 0:
        return _carried_over(_older(path))
    answer = "answer" if version > 1 else "''"  # the first files had no column for it
    rows = file.execute(f"SELECT id, tries, solved, last, hints, {answer} FROM tasks")
    return {
        task_id: {**dict(zip(new_entry(), known, strict=True)), "solved": bool(known[1])}
        for task_id, *known in rows
    }


def _save(file: sqlite3.Connection, tasks: Tasks) -> None:
    version = _version(file)
    if version == 0:
        file.execute("CREATE TABLE tasks (id TEXT PRIMARY KEY, tries, solved, last, hints)")
    if version < _VERSION:
        file.execute("ALTER TABLE tasks ADD COLUMN answer DEFAULT ''")
        file.execute(f"PRAGMA user_version = {_VERSION}")
    rows = [{"id": task_id, **entry} for task_id, entry in tasks.items()]
    values = ":id, :tries, :solved, :last, :hints, :answer"
    file.executemany(f"REPLACE INTO tasks VALUES ({values})", rows)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    # What SQLite calls an error in general is a table that is missing or has other columns.
    general = getattr(error, "sqlite_errorname", "") == "SQLITE_ERROR"
    return general or type(error) is sqlite3.DatabaseError


def _set_aside(path: Path) -> None:
    kept, number = path.with_name(f"{path.stem}.damaged{path.suffix}"), 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
    path.rename(kept)
    _say_once(f"{path} was damaged: it is kept as {kept.name}, and progress starts afresh.")


def _older(path: Path) -> Path:
    return path.with_suffix(".json")


def _carried_over(path: Path) -> Tasks:
    """Return the entries of a file from when progress was kept as JSON; none if it is damaged."""
    try:
        tasks = json.loads(path.read_bytes())["tasks"]
        keys = [key for key in new_entry() if key != "answer"]
        entries = {task_id: {key: tasks[task_id][key] for key in keys} for task_id in tasks}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        entries = {"": {}}
    if all([*map(type, entry.values())] == [int, bool, str, int] for entry in entries.values()):
        return {task_id: {**new_entry(), **entry} for task_id, entry in entries.items()}
    _say_once(f"{path} cannot be read, so progress starts afresh; the file stays as it is.")
    return {}


@cache
def _say_once(sentence: str) -> None:
    print(sentence, file=sys.stderr)
