"""The progress file: nothing is lost, nothing breaks a check, nothing is written unasked."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.checks import progress, progress_store
from helpers.checks.progress import hint_taken, read, record


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Keep the progress in a file of this test."""
    path = tmp_path / "progress.json"
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    progress._store.cache_clear()
    progress_store._say_once.cache_clear()
    return path


def saved(path):
    return json.loads(path.read_text())["tasks"]


def test_a_try_counts_and_names_the_last_diagnosis(file):
    record("5.1", False, "wrong-sign")
    record("5.1", False, "wrong-factor")
    assert read() == {"5.1": {"tries": 2, "solved": False, "last": "wrong-factor", "hints": 0}}
    assert saved(file) == read()


def test_a_solved_task_stays_solved(file):
    record("5.1", True, "ok")
    record("5.1", False, "wrong-sign")
    assert read()["5.1"] == {"tries": 2, "solved": True, "last": "wrong-sign", "hints": 0}


def test_an_untouched_stub_is_no_try_and_makes_no_file(file):
    record("5.1", False, "not-started")
    assert read() == {}
    assert list(file.parent.iterdir()) == []


def test_hints_are_counted_apart_from_tries(file):
    assert [hint_taken("5.1"), hint_taken("5.1"), hint_taken("5.2")] == [1, 2, 1]
    assert (read()["5.1"]["hints"], read()["5.1"]["tries"]) == (2, 0)


def test_the_file_lies_in_the_course_folder_unless_another_is_named(monkeypatch, tmp_path):
    root = Path(__file__).parents[3]
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    assert progress.location() == root / ".progress.json"
    monkeypatch.setenv("COURSE_PROGRESS", "")
    assert progress.location() == root / ".progress.json"
    monkeypatch.setenv("COURSE_PROGRESS", "mine.json")
    assert progress.location() == root / "mine.json"
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "p.json"))
    assert progress.location() == tmp_path / "p.json"


def test_switched_off_it_writes_nothing_and_forgets_with_the_process(monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", "off")
    progress._store.cache_clear()
    assert progress.location() is None
    assert [hint_taken("5.1"), hint_taken("5.1")] == [1, 2]
    assert read()["5.1"]["hints"] == 2


WRITER = """
import sys
from helpers.checks.progress import record
for number in range(20):
    record(sys.argv[1], False, "raises")
    record("shared", False, "raises")
"""


def test_four_notebooks_at_the_same_time_lose_nothing(file):
    start = [
        subprocess.Popen([sys.executable, "-c", WRITER, f"5.{number}"]) for number in range(1, 5)
    ]
    assert [process.wait() for process in start] == [0, 0, 0, 0]
    tries = {task: entry["tries"] for task, entry in read().items()}
    assert tries == {"5.1": 20, "5.2": 20, "5.3": 20, "5.4": 20, "shared": 80}


KILLED = """
import os
from pathlib import Path
from helpers.checks.progress import record
record("5.1", True, "ok")
Path.replace = lambda *args: os._exit(9)
record("5.2", True, "ok")
"""


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_file(file):
    assert subprocess.run([sys.executable, "-c", KILLED]).returncode == 9
    assert set(saved(file)) == {"5.1"}
    record("5.3", True, "ok")  # the lock went with the process
    assert set(saved(file)) == {"5.1", "5.3"}


DAMAGES = {
    "cut": b'{"version": 1, "tasks": {"5.1": {"tr',
    "empty": b"",
    "no text": b"\xff\xfe\x00",
    "a list": b"[1, 2]",
    "wrong types": b'{"tasks": {"5.1": {"tries": "3", "solved": 0, "last": 1, "hints": 0}}}',
    "too deep": b"[" * 100_000,
}


@pytest.mark.parametrize("content", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_kept_and_a_fresh_one_started(file, capsys, content):
    file.write_bytes(content)
    record("5.2", True, "ok")
    record("5.3", True, "ok")
    assert set(saved(file)) == {"5.2", "5.3"}
    assert (file.parent / "progress.damaged.json").read_bytes() == content
    sentence = f"{file} was damaged: it is kept as progress.damaged.json, and progress starts"
    assert capsys.readouterr().err == f"{sentence} afresh.\n"


def test_looking_at_a_damaged_file_sets_it_aside_too(file, capsys):
    file.write_text("damaged")
    assert read() == {}
    assert (file.parent / "progress.damaged.json").read_text() == "damaged"
    assert saved(file) == {}
    capsys.readouterr()


def test_a_second_damaged_file_does_not_replace_the_first(file, capsys):
    for content in ("one", "two"):
        file.write_text(content)
        record("5.1", True, "ok")
    assert (file.parent / "progress.damaged.json").read_text() == "one"
    assert (file.parent / "progress.damaged-2.json").read_text() == "two"
    capsys.readouterr()


def test_a_folder_that_is_missing_costs_one_sentence_and_no_check(tmp_path, monkeypatch, capsys):
    path = tmp_path / "missing" / "progress.json"
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    progress._store.cache_clear()
    record("5.1", False, "wrong-sign")
    record("5.1", True, "ok")
    assert hint_taken("5.1") == 1
    assert hint_taken("5.1") == 2
    assert read()["5.1"] == {"tries": 2, "solved": True, "last": "ok", "hints": 2}
    assert capsys.readouterr().err == (
        f"Progress cannot be kept in {path} (No such file or directory): "
        "the checks work without it.\n"
    )


def test_a_full_disk_leaves_the_old_file_and_no_draft(file, monkeypatch, capsys):
    record("5.1", True, "ok")

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    record("5.2", True, "ok")
    assert set(saved(file)) == {"5.1"}
    assert set(read()) == {"5.1", "5.2"}
    assert [path.name for path in file.parent.glob("*.tmp")] == []
    assert "No space left on device" in capsys.readouterr().err
    monkeypatch.undo()


def test_what_could_not_be_saved_is_saved_with_the_next_note(file, monkeypatch, capsys):
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError("busy")))
        record("5.1", False, "wrong-sign")
    record("5.2", True, "ok")
    assert set(saved(file)) == {"5.1", "5.2"}
    capsys.readouterr()


def test_a_file_that_cannot_be_read_is_never_replaced(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path))  # a folder
    progress._store.cache_clear()
    record("5.1", True, "ok")
    assert read()["5.1"]["solved"]
    assert tmp_path.is_dir()
    assert "cannot be kept" in capsys.readouterr().err


def test_another_process_that_holds_the_lock_for_good_costs_a_sentence(file, monkeypatch, capsys):
    from helpers.checks import locked_file

    monkeypatch.setattr(locked_file, "_PATIENCE", 0.05)
    with locked_file.locked(file):
        record("5.1", True, "ok")
    assert not file.exists()
    assert "another process has held progress.json for 0.05 s" in capsys.readouterr().err


def test_noting_progress_loads_neither_torch_nor_numpy():
    code = (
        "import sys; from helpers.checks import hints, progress_view;"
        "progress_view.progress(); print({'torch', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
