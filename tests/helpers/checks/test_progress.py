"""The progress file: nothing is lost, nothing breaks a check, nothing is written unasked."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from helpers.checks import progress
from helpers.checks.progress import Entry, hint_taken, read, record


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Keep the progress in a file of this test."""
    path = tmp_path / "progress.db"
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    progress._store.cache_clear()
    progress._say_once.cache_clear()
    return path


def saved():
    """Return what another notebook reads."""
    progress._store.cache_clear()
    return read()


def test_the_last_check_says_whether_a_task_is_solved(file):
    record("5.1", True, "ok")
    record("5.1", False, "wrong-sign")
    assert read() == saved() == {"5.1": Entry(2, False, "wrong-sign", 0)}


def test_an_answer_that_is_checked_again_as_it_was_is_not_a_further_try(file):
    for answer in ("return -x", "return -x", "\nreturn -x\n", "return -2 * x", "return -x"):
        record("5.1", False, "wrong-sign", answer)
    record("5.1", False, "not-started")
    record("5.1", True, "ok", "return -x")
    assert (read()["5.1"].tries, read()["5.1"].last) == (3, "ok")


def test_an_answer_is_kept_as_a_fingerprint_whatever_it_holds(file):
    record("5.1", False, "wrong-sign", "secret \ud800")
    assert len(saved()["5.1"].answer) == 64
    assert b"secret" not in file.read_bytes()


@pytest.mark.parametrize("name", ["not-started", "not-checked"])
def test_if_there_is_nothing_to_judge_nothing_is_solved_and_no_try_is_counted(file, name):
    record("5.1", False, name)
    assert not file.exists()
    record("5.1", True, "ok")
    record("5.1", False, name)
    assert read()["5.1"] == Entry(1, False, "", 0)


def test_an_answer_that_is_taken_back_is_neither_solved_nor_tried_and_its_hints_stay_taken(file):
    record("5.1", True, "ok", "return -x")
    assert [hint_taken("5.1"), hint_taken("5.1")] == [1, 2]
    record("6.1", True, "ok")
    progress.forget(["5.1", "5.2"])
    assert read() == {"5.1": Entry(0, False, "", 2), "6.1": Entry(1, True, "ok", 0)}
    record("5.1", False, "wrong-sign", "return -x")
    assert read()["5.1"].tries == 1


@pytest.mark.parametrize(
    ("named", "can_write", "place"),
    [
        (None, True, progress.ROOT / ".progress.db"),
        ("", True, progress.ROOT / ".progress.db"),
        ("mine.db", True, progress.ROOT / "mine.db"),
        (str(Path("p").resolve()), True, Path("p").resolve()),
        (None, False, Path.home() / ".autograd-progress.db"),
        (" Off", True, None),
    ],
)
def test_the_file_is_in_the_course_folder_or_the_home_unless_a_different_one_is_named(
    monkeypatch, named, can_write, place
):
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    if named is not None:
        monkeypatch.setenv("COURSE_PROGRESS", named)
    monkeypatch.setattr(os, "access", lambda path, mode: can_write)
    assert progress.location() == place


def test_switched_off_it_counts_in_this_process_alone(file, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", "off")
    assert [hint_taken("5.1"), hint_taken("5.1")] == [1, 2]
    assert saved() == {}


WRITER = """
import sys
from helpers.checks.progress import record
for number in range(20):
    record(sys.argv[1], False, "raises")
    record("shared", False, "raises")
"""


def test_four_notebooks_at_the_same_time_lose_nothing(file):
    start = [subprocess.Popen([sys.executable, "-c", WRITER, str(number)]) for number in range(4)]
    assert [process.wait() for process in start] == [0, 0, 0, 0]
    tries = {task: known.tries for task, known in read().items()}
    assert tries == {"0": 20, "1": 20, "2": 20, "3": 20, "shared": 80}


def a_database(command):
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(command)
        return database.serialize()


DAMAGES = {
    "cut": a_database("CREATE TABLE tasks (id)")[:5000],
    "not a database": b"damaged" * 1000,
    "other columns": a_database("CREATE TABLE tasks (id, name)"),
}


@pytest.mark.parametrize("content", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_kept_and_a_fresh_one_started(file, capsys, content):
    file.write_bytes(content)
    assert read() == {}
    record("5.2", True, "ok")
    assert set(saved()) == {"5.2"}
    assert file.with_name("progress.damaged.db").read_bytes() == content
    assert capsys.readouterr().err.count("it is kept as progress.damaged.db, and progress") == 1


class Full(sqlite3.Connection):
    """A connection that cannot write."""

    def execute(self, command, *values):
        if command == "COMMIT":
            raise sqlite3.OperationalError("database or disk is full")
        return super().execute(command, *values)


def test_what_cannot_be_saved_costs_a_sentence_and_is_saved_with_the_next_note(
    file, monkeypatch, capsys
):
    record("5.1", True, "ok")
    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Full))
        assert read()["5.1"].solved
        assert capsys.readouterr().err == ""
        for _ in range(2):
            record("5.1", False, "wrong-sign")
        assert read()["5.1"] == Entry(3, False, "wrong-sign", 0)
        assert capsys.readouterr().err.count("(database or disk is full)") == 1
    another = progress._Store(file)
    assert another.read()["5.1"] == Entry(1, True, "ok", 0)
    another.note("5.1", lambda entry: replace(entry, tries=5, hints=1))
    record("5.2", True, "ok")
    assert saved()["5.1"] == Entry(7, False, "wrong-sign", 1)


@pytest.mark.parametrize("place", ["missing/progress.db", "."])
def test_a_place_that_cannot_hold_a_file_costs_a_sentence_and_no_check(
    file, monkeypatch, capsys, place
):
    monkeypatch.setenv("COURSE_PROGRESS", str(file.parent / place))
    record("5.1", True, "ok")
    assert read()["5.1"].solved
    assert "(unable to open database file)" in capsys.readouterr().err
    assert [*file.parent.iterdir()] == []


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_process_that_holds_the_lock_for_good_costs_a_sentence(file, monkeypatch, capsys, lock):
    monkeypatch.setattr(progress, "_PATIENCE", 0.05)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute(f"BEGIN {lock}")
        record("5.1", True, "ok")
        assert read()["5.1"].solved
    assert file.read_bytes() == b""
    assert read() == saved() == {"5.1": Entry(1, True, "ok", 0)}
    assert capsys.readouterr().err == (  # and an empty file is not damaged
        f"Progress cannot be kept in {file} (database is locked): the checks work without it.\n"
    )
