"""Of several notebooks for an exercise the newest counts, and what is not certain is said."""

import json
import os

import pytest

from tests.course.grading.reading.layouts import find, notebook, put, worked


def at(path, moment):
    os.utime(path, (moment, moment))
    return path


def test_the_platforms_own_mark_counts_more_than_times(tmp_path):
    at(put(tmp_path / "doejohn_12348_681_05_square.ipynb", worked(mark="old")), 2e9)
    at(put(tmp_path / "doejohn_12348_690_05_square-1.ipynb", worked(mark="new")), 1e9)
    (one,) = find(tmp_path).submissions
    assert b"# new" in one.read()
    assert one.doubts == ()
    assert one.remarks == (
        "doejohn_12348_681_05_square.ipynb is older than doejohn_12348_690_05_square-1.ipynb, "
        "which counts.",
    )


def test_nbgraders_timestamp_counts_more_than_times(tmp_path):
    root = tmp_path / "submitted"
    for name, moment, changed in (
        ("ps1", "2026-11-20 23:59:00.5 UTC", 2e9),
        ("ps2", "2026-11-21 00:01:00 UTC", 1e9),
    ):
        at(put(root / "anna" / name / "05_square.ipynb", worked(mark=name)), changed)
        put(root / "anna" / name / "timestamp.txt", moment)
    (one,) = find(tmp_path).submissions
    assert b"# ps2" in one.read()
    assert one.doubts == ()
    assert one.handed_in[:4] == "2026"


def test_a_timestamp_of_a_students_own_says_nothing(tmp_path):
    at(put(tmp_path / "anna" / "05_square.ipynb", worked()), 1e9)
    put(tmp_path / "anna" / "timestamp.txt", "2026-11-20 23:59:00 UTC")
    (one,) = find(tmp_path).submissions
    assert one.handed_in[:4] == "2001"


def test_then_the_time_of_the_file_counts(tmp_path):
    at(put(tmp_path / "anna" / "05_square.ipynb", worked(mark="old")), 1e9)
    at(put(tmp_path / "anna" / "05_square (1).ipynb", worked(mark="new")), 1e9 + 100)
    (one,) = find(tmp_path).submissions
    assert b"# new" in one.read()
    assert one.doubts == ()


@pytest.mark.parametrize("later", [0, 2, 59])
def test_what_nothing_orders_asks_for_a_person(tmp_path, later):
    at(put(tmp_path / "anna" / "05_square.ipynb", worked(mark="one")), 1e9)
    at(put(tmp_path / "anna" / "05_square (1).ipynb", worked(mark="other")), 1e9 + later)
    (one,) = find(tmp_path).submissions
    (doubt,) = one.doubts
    assert "05_square (1).ipynb holds other answers than anna/05_square.ipynb" in doubt


def test_equal_answers_ask_nobody(tmp_path):
    at(put(tmp_path / "anna" / "05_square.ipynb", worked()), 1e9)
    at(put(tmp_path / "anna" / "more" / "05_square.ipynb", worked()), 1e9)
    (one,) = find(tmp_path).submissions
    assert one.doubts == ()
    assert one.remarks == ("anna/05_square.ipynb holds the same answers.",)


@pytest.mark.parametrize("later", [-100, 0, 100])
def test_an_untouched_copy_never_beats_work(tmp_path, later):
    at(put(tmp_path / "anna" / "b.ipynb", worked()), 1e9)
    at(put(tmp_path / "anna" / "05_square.ipynb", json.dumps(notebook())), 1e9 + later)
    (one,) = find(tmp_path).submissions
    assert one.file == "anna/b.ipynb"
    assert one.doubts == ()


def test_a_newer_file_that_cannot_be_read_asks_for_a_person(tmp_path):
    at(put(tmp_path / "anna" / "05_square.ipynb", worked()), 1e9)
    at(put(tmp_path / "anna" / "05_square (1).ipynb", "{"), 1e9 + 100)
    (one,) = find(tmp_path).submissions
    assert one.file == "anna/05_square.ipynb"
    assert one.doubts[0].startswith("anna/05_square (1).ipynb is not graded")
    at(tmp_path / "anna" / "05_square (1).ipynb", 1e9 - 100)
    assert find(tmp_path).submissions[0].doubts == ()
