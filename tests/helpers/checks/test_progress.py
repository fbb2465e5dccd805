"""The progress file: nothing is lost, nothing breaks a check, nothing is written unasked."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from helpers.checks import progress
from helpers.checks.progress import hint_taken, read, record


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Keep the progress in a file of this test."""
    path = tmp_path / "progress.db"
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    progress._store.cache_clear()
    progress._say_once.cache_clear()
    return path


def saved(path):
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        rows = [dict(row) for row in database.execute("SELECT * FROM tasks")]
    return {row.pop("id"): {**row, "solved": bool(row["solved"])} for row in rows}


def failing_with(error):
    """Make a connection that has no success in writing, until it is closed."""

    class Failing(sqlite3.Connection):
        def execute(self, command, *values):
            if command == "COMMIT":
                raise error
            return super().execute(command, *values)

    return partial(sqlite3.connect, factory=Failing)


def entry(tries, solved, last, hints):
    return {"tries": tries, "solved": solved, "last": last, "hints": hints, "answer": ""}


def test_a_try_counts_and_names_the_last_diagnosis(file):
    record("5.1", False, "wrong-sign")
    record("5.1", False, "wrong-factor")
    assert read() == {"5.1": entry(2, False, "wrong-factor", 0)}
    assert saved(file) == read()


def test_the_last_check_says_whether_a_task_is_solved(file):
    record("5.1", True, "ok")
    record("5.1", False, "wrong-sign")
    assert read()["5.1"] == {
        "tries": 2,
        "solved": False,
        "last": "wrong-sign",
        "hints": 0,
        "answer": "",
    }


def test_an_answer_that_is_checked_again_as_it_was_is_no_further_try(file):
    record("5.1", False, "wrong-sign", "return -x")
    record("5.1", False, "wrong-sign", "return -x")
    record("5.1", False, "wrong-sign", "\nreturn -x\n")
    record("5.2", False, "wrong-sign", "return -x")
    assert {task: known["tries"] for task, known in read().items()} == {"5.1": 1, "5.2": 1}
    record("5.1", False, "wrong-sign", "return -2 * x")
    record("5.1", False, "wrong-sign", "return -x")
    assert read()["5.1"]["tries"] == 3
    record("5.1", False, "not-started")
    record("5.1", True, "ok", "return -x")
    assert (read()["5.1"]["tries"], read()["5.1"]["last"]) == (3, "ok")


def test_after_it_was_taken_back_the_same_answer_is_a_first_try(file):
    record("5.1", False, "wrong-sign", "return -x")
    progress.forget(["5.1"])
    record("5.1", False, "wrong-sign", "return -x")
    assert read()["5.1"]["tries"] == 1


def test_an_answer_is_kept_as_a_fingerprint_whatever_it_holds(file):
    record("5.1", False, "wrong-sign", "secret \ud800")
    assert len(saved(file)["5.1"]["answer"]) == 64
    assert b"secret" not in file.read_bytes()


FIRST = """\
CREATE TABLE tasks (id TEXT PRIMARY KEY, tries, solved, last, hints);
INSERT INTO tasks VALUES ('5.1', 3, 1, 'wrong-sign', 1);
PRAGMA user_version = 1;
"""


def test_a_file_from_before_there_were_fingerprints_goes_on(file, capsys):
    with closing(sqlite3.connect(file)) as database:
        database.executescript(FIRST)
    content = file.read_bytes()
    assert read() == {"5.1": CARRIED["5.1"]}
    assert file.read_bytes() == content  # looking at it changes nothing
    record("5.1", False, "wrong-factor", "return x")
    record("5.1", False, "wrong-factor", "return x")
    assert saved(file) == read()
    assert (read()["5.1"]["tries"], read()["5.1"]["hints"]) == (4, 1)
    assert [path.name for path in file.parent.iterdir()] == ["progress.db"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["not-started", "not-checked"])
def test_where_nothing_is_left_to_judge_nothing_is_solved_and_no_try_is_counted(file, name):
    record("5.1", True, "ok")
    record("5.1", False, name)
    assert read()["5.1"] == entry(1, False, "", 0)


def test_what_is_taken_back_is_neither_solved_nor_tried_and_its_hints_stay_taken(file):
    record("5.1", True, "ok")
    hint_taken("5.1")
    record("6.1", True, "ok")
    progress.forget(["5.1", "5.2"])
    assert read()["5.1"] == entry(0, False, "", 1)
    assert read()["6.1"]["solved"]
    assert "5.2" not in read()


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
    assert progress.location() == root / ".progress.db"
    monkeypatch.setenv("COURSE_PROGRESS", "")
    assert progress.location() == root / ".progress.db"
    monkeypatch.setenv("COURSE_PROGRESS", "mine.db")
    assert progress.location() == root / "mine.db"
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "p"))
    assert progress.location() == tmp_path / "p"


@pytest.fixture
def read_only(monkeypatch, tmp_path):
    """Let the course's folder be one that can only be read, and give a home."""
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    monkeypatch.setattr(os, "access", lambda path, mode: path != progress.ROOT)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    progress._store.cache_clear()
    return tmp_path


def test_where_the_course_folder_can_only_be_read_the_file_lies_in_the_home(read_only):
    record("5.1", True, "ok")
    assert [path.name for path in read_only.iterdir()] == [".autograd-progress.db"]
    assert saved(read_only / ".autograd-progress.db") == read()


def test_a_home_that_nobody_knows_costs_one_sentence_and_no_check(read_only, monkeypatch, capsys):
    def lost(path):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", lost)
    progress._say_once.cache_clear()
    record("5.1", True, "ok")
    assert read()["5.1"]["solved"]
    assert capsys.readouterr().err.startswith("Progress cannot be kept in ")


def test_a_file_named_as_it_was_before_means_the_one_beside_it(monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "p.json"))
    progress._store.cache_clear()
    assert progress.location() == tmp_path / "p.db"
    record("5.1", True, "ok")
    assert [path.name for path in tmp_path.iterdir()] == ["p.db"]


OLDER = {
    "5.1": {"tries": 3, "solved": True, "last": "wrong-sign", "hints": 1},
    "5.2": {"tries": 0, "solved": False, "last": "", "hints": 2},
}
CARRIED = {task_id: entry(**known) for task_id, known in OLDER.items()}


@pytest.fixture
def older(file):
    """A file from when progress was kept as JSON."""
    path = file.with_suffix(".json")
    path.write_text(json.dumps({"version": 1, "tasks": OLDER}))
    return path


@pytest.mark.parametrize("named", ["progress.db", "progress.json"])
def test_an_older_file_is_carried_over_once_and_stays(file, older, named, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(file.with_name(named)))
    content = older.read_bytes()
    assert read() == CARRIED == saved(file)
    record("5.2", True, "ok")
    hint_taken("5.1")
    progress._store.cache_clear()  # another notebook
    after = {"5.1": {**CARRIED["5.1"], "hints": 2}, "5.2": {**CARRIED["5.2"], "tries": 1}}
    after["5.2"].update(solved=True, last="ok")
    assert read() == after
    assert older.read_bytes() == content


def test_a_note_before_any_look_at_an_older_file_is_added_to_it(file, older):
    assert hint_taken("5.2") == 3
    assert saved(file)["5.1"] == CARRIED["5.1"]


def test_an_older_file_where_nothing_can_be_written_is_read_all_the_same(
    file, older, monkeypatch, capsys
):
    full = sqlite3.OperationalError("attempt to write a readonly database")
    monkeypatch.setattr(sqlite3, "connect", failing_with(full))
    assert read() == CARRIED
    assert hint_taken("5.2") == 3
    assert capsys.readouterr().err.count("attempt to write a readonly database") == 1


@pytest.mark.parametrize(
    "content",
    [
        b'{"version": 1, "tasks": {"5.1": {"tr',
        b"\xff\xfe\x00",
        b"[1, 2]",
        b'{"tasks": [1]}',
        b'{"tasks": {"5.1": {"tries": "3", "solved": 0, "last": 1, "hints": 0, "answer": ""}}}',
        b'{"tasks": {"5.1": {"tries": 3}}}',
        b"[" * 100_000,
    ],
)
def test_an_older_file_that_is_damaged_costs_one_sentence(file, older, capsys, content):
    older.write_bytes(content)
    record("5.2", True, "ok")
    record("5.3", True, "ok")
    assert set(saved(file)) == {"5.2", "5.3"}
    assert older.read_bytes() == content
    sentence = "cannot be read, so progress starts afresh; the file stays as it is.\n"
    assert capsys.readouterr().err == f"{older} {sentence}"


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
    tries = {task: known["tries"] for task, known in read().items()}
    assert tries == {"5.1": 20, "5.2": 20, "5.3": 20, "5.4": 20, "shared": 80}


KILLED = """
import os, sqlite3
from functools import partial
from helpers.checks.progress import record
record("5.1", True, "ok")
class Killed(sqlite3.Connection):
    def execute(self, command, *values):
        if command == "COMMIT":
            os._exit(9)
        return super().execute(command, *values)
sqlite3.connect = partial(sqlite3.connect, factory=Killed)
record("5.2", True, "ok")
"""


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_file(file):
    assert subprocess.run([sys.executable, "-c", KILLED]).returncode == 9
    assert set(saved(file)) == {"5.1"}
    record("5.3", True, "ok")  # the lock went with the process
    assert set(saved(file)) == {"5.1", "5.3"}


def a_database(*commands):
    with closing(sqlite3.connect(":memory:")) as database:
        for command in commands:
            database.execute(command)
        database.commit()
        return database.serialize()


DAMAGES = {
    "cut": a_database("CREATE TABLE tasks (id)", "PRAGMA user_version = 1")[:5000],
    "no database": b"damaged" * 1000,
    "no text": b"\xff\xfe\x00",
    "nothing in it": a_database("PRAGMA user_version = 1"),
    "other columns": a_database("CREATE TABLE tasks (id, name)", "PRAGMA user_version = 1"),
}


@pytest.mark.parametrize("content", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_kept_and_a_fresh_one_started(file, capsys, content):
    file.write_bytes(content)
    record("5.2", True, "ok")
    record("5.3", True, "ok")
    assert set(saved(file)) == {"5.2", "5.3"}
    assert (file.parent / "progress.damaged.db").read_bytes() == content
    sentence = f"{file} was damaged: it is kept as progress.damaged.db, and progress starts"
    assert capsys.readouterr().err == f"{sentence} afresh.\n"


def test_an_empty_file_is_no_damage(file, capsys):
    file.touch()
    record("5.2", True, "ok")
    assert set(saved(file)) == {"5.2"}
    assert capsys.readouterr().err == ""


def test_a_damaged_file_that_another_notebook_has_mended_is_left_alone(file, monkeypatch, capsys):
    file.write_bytes(DAMAGES["no database"])
    is_damage = progress._is_damage

    def meanwhile(error):
        monkeypatch.setattr(progress, "_is_damage", is_damage)
        progress._Store(file).note("5.1", lambda entry: entry.update(hints=1))
        return True

    monkeypatch.setattr(progress, "_is_damage", meanwhile)
    record("5.2", True, "ok")
    assert set(saved(file)) == {"5.1", "5.2"}
    assert len(list(file.parent.iterdir())) == 2
    capsys.readouterr()


def test_looking_at_a_damaged_file_sets_it_aside_too(file, capsys):
    file.write_text("damaged")
    assert read() == {}
    assert (file.parent / "progress.damaged.db").read_text() == "damaged"
    assert saved(file) == {}
    capsys.readouterr()


def test_a_second_damaged_file_does_not_replace_the_first(file, capsys):
    for content in ("one", "two"):
        file.write_text(content)
        record("5.1", True, "ok")
    assert (file.parent / "progress.damaged.db").read_text() == "one"
    assert (file.parent / "progress.damaged-2.db").read_text() == "two"
    capsys.readouterr()


def test_a_folder_that_is_missing_costs_one_sentence_and_no_check(tmp_path, monkeypatch, capsys):
    path = tmp_path / "missing" / "progress.db"
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    progress._store.cache_clear()
    record("5.1", False, "wrong-sign")
    record("5.1", True, "ok")
    assert hint_taken("5.1") == 1
    assert hint_taken("5.1") == 2
    assert read()["5.1"] == entry(2, True, "ok", 2)
    assert capsys.readouterr().err == (
        f"Progress cannot be kept in {path} (unable to open database file): "
        "the checks work without it.\n"
    )


FULL = sqlite3.OperationalError("database or disk is full")


def test_a_full_disk_leaves_the_old_file_and_no_draft(file, monkeypatch, capsys):
    record("5.1", True, "ok")
    monkeypatch.setattr(sqlite3, "connect", failing_with(FULL))
    record("5.2", True, "ok")
    assert set(read()) == {"5.1", "5.2"}
    monkeypatch.undo()
    assert set(saved(file)) == {"5.1"}
    assert [path.name for path in file.parent.iterdir()] == ["progress.db"]
    assert "disk is full" in capsys.readouterr().err


def test_what_could_not_be_saved_is_saved_with_the_next_note(file, monkeypatch, capsys):
    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", failing_with(FULL))
        record("5.1", False, "wrong-sign")
    record("5.2", True, "ok")
    assert set(saved(file)) == {"5.1", "5.2"}
    capsys.readouterr()


def test_what_another_notebook_saved_in_between_is_not_overwritten(file, monkeypatch, capsys):
    def solve(entry):
        entry.update(tries=entry["tries"] + 1, solved=True, last="ok")

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", failing_with(FULL))
        record("5.1", False, "wrong-sign")
    progress._Store(file).note("5.1", solve)
    assert read()["5.1"] == {
        "tries": 2,
        "solved": False,
        "last": "wrong-sign",
        "hints": 0,
        "answer": "",
    }
    capsys.readouterr()


def test_a_folder_that_can_only_be_read_is_read(file, monkeypatch, capsys):
    record("5.1", True, "ok")
    file.chmod(0o444)
    readonly = sqlite3.OperationalError("attempt to write a readonly database")
    monkeypatch.setattr(sqlite3, "connect", failing_with(readonly))
    assert read()["5.1"]["solved"]
    assert capsys.readouterr().err == ""
    assert hint_taken("5.1") == 1
    assert read()["5.1"] == entry(1, True, "ok", 1)
    assert "readonly" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_never_replaced(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path))  # a folder
    progress._store.cache_clear()
    record("5.1", True, "ok")
    assert read()["5.1"]["solved"]
    assert tmp_path.is_dir()
    assert "cannot be kept" in capsys.readouterr().err


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_another_process_that_holds_the_lock_for_good_costs_a_sentence(
    file, monkeypatch, capsys, lock
):
    monkeypatch.setattr(progress, "_PATIENCE", 0.05)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute(f"BEGIN {lock}")
        record("5.1", True, "ok")
        assert read()["5.1"]["solved"]
    assert file.stat().st_size == 0
    assert f"{file} (database is locked)" in capsys.readouterr().err
    assert read()["5.1"]["solved"]
    assert saved(file)["5.1"]["solved"]


def test_noting_progress_loads_neither_torch_nor_numpy():
    code = (
        "import sys; from helpers.checks import progress_view;"
        "progress_view.progress(); print({'torch', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
