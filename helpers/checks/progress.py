"""Remember which tasks were tried and solved and how many hints were taken, in one small file.

The file is `.progress.json` in the course's folder. COURSE_PROGRESS names another file (a relative
name starts at the course's folder), or is `off`. It holds counts and names of diagnoses, and
nothing sends it anywhere.
"""

import os
from functools import cache
from pathlib import Path

from helpers.checks.progress_store import Store, Tasks, new_entry

ROOT = Path(__file__).resolve().parents[2]
FILE = ".progress.json"
VARIABLE = "COURSE_PROGRESS"

_store = cache(Store)


def record(task_id: str, solved: bool, name: str) -> None:
    """Note a try; a check of an untouched stub is none.

    Args:
        task_id: number of the exercise and of the task, such as "5.1".
        solved: whether the answer passed; a task once solved stays so.
        name: of the diagnosis: "ok", or a mistake's.
    """
    if name == "not-started":
        return

    def change(tasks: Tasks) -> None:
        entry = tasks.setdefault(task_id, new_entry())
        entry.update(tries=entry["tries"] + 1, last=name, solved=entry["solved"] or bool(solved))

    _store(location()).update(change)


def hint_taken(task_id: str) -> int:
    """Note that a hint was shown; return how many were, with this one."""

    def change(tasks: Tasks) -> int:
        entry = tasks.setdefault(task_id, new_entry())
        entry["hints"] += 1
        return entry["hints"]

    return _store(location()).update(change)


def read() -> Tasks:
    """Return what is known of every task that was tried or had a hint taken, by its id."""
    return _store(location()).read()


def location() -> Path | None:
    """Return the file that progress is kept in; None if it is switched off."""
    named = os.environ.get(VARIABLE, "").strip()
    if named.lower() == "off":
        return None
    return ROOT / (Path(named).expanduser() if named else FILE)
