"""The tables hold the right points, under the right names, in every spreadsheet."""

import csv
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.grading.books import gradebook
from course.grading.books.gradebook import cell, uncell, write_gradebook
from tests.course.grading.books.samples import result, task


def rows(path):
    """Return the rows of a table."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def cells(path, columns):
    """What stands below some headings, whatever other columns there are."""
    heading, *rest = rows(path)
    return [[row[heading.index(column)] for column in columns] for row in rest]


CLASS = [
    result("zoe", "05_square", task("5.1"), task("5.2", 2.5, "failed", diagnosis="wrong-sign")),
    result("Ada", "06_exp", task("6.1", 0, "timeout")),
    result("Ada", "05_square", task("5.1", 0, "died"), task("5.2")),
]


def test_grades_have_a_row_a_task_sorted_by_student_then_exercise_then_task(tmp_path):
    write_gradebook(tmp_path, CLASS)
    columns = ["student", "exercise", "task", "points", "max_points", "status", "diagnosis"]
    assert cells(tmp_path / "grades.csv", columns) == [
        ["Ada", "05_square", "5.1", "0", "3", "died", ""],
        ["Ada", "05_square", "5.2", "3", "3", "passed", "ok"],
        ["Ada", "06_exp", "6.1", "0", "3", "timeout", ""],
        ["zoe", "05_square", "5.1", "3", "3", "passed", "ok"],
        ["zoe", "05_square", "5.2", "2.5", "3", "failed", "wrong-sign"],
    ]


def test_a_column_is_a_heading_with_a_value_and_nothing_more(tmp_path, monkeypatch):
    seed = ("seed", lambda result, task: result.seed)
    monkeypatch.setattr(gradebook, "GRADES", (*gradebook.GRADES, seed))
    write_gradebook(tmp_path, CLASS)
    assert [row[-1] for row in rows(tmp_path / "grades.csv")] == ["seed", *["5"] * 5]


def test_the_guide_names_the_columns():
    guide = Path(__file__).parents[4] / "docs" / "grading.md"
    headings = ", ".join(heading for heading, _ in gradebook.GRADES)
    assert f"| `grades.csv` | {headings} |" in guide.read_text(encoding="utf-8")


def test_summary_has_a_row_a_student_and_0_for_what_is_missing_only(tmp_path):
    gone = result("Bo", "06_exp", task("6.1", 0, "missing"))
    write_gradebook(tmp_path, [*CLASS, gone])
    assert rows(tmp_path / "summary.csv") == [
        ["student", "05_square", "06_exp", "total", "max"],
        ["Ada", "3", "0", "3", "9"],
        ["Bo", "", "0", "0", "9"],
        ["zoe", "5.5", "", "5.5", "9"],
    ]


def test_what_does_not_count_has_a_column_and_is_no_part_of_total_and_maximum(tmp_path):
    write_gradebook(tmp_path, [*CLASS, result("Ada", "07_x")], {"05_square": 6.0, "08_y": 4.5})
    assert rows(tmp_path / "summary.csv") == [
        ["student", "05_square", "06_exp", "07_x", "total", "max"],
        ["Ada", "3", "0", "3", "3", "10.5"],
        ["zoe", "5.5", "", "", "5.5", "10.5"],
    ]


def test_points_by_hand_lateness_and_the_file_are_columns(tmp_path):
    one = task("5.1", 2, by_hand=True, reason="=seen", lost=0.3)
    whole = result("Ada", "05_square", one, handed_in="2026-11-20T23:59:00", file="a/b.ipynb")
    write_gradebook(tmp_path, [whole, result("Bo")])
    columns = ["by_hand", "reason", "handed_in", "late", "file"]
    assert cells(tmp_path / "grades.csv", columns) == [
        ["yes", "'=seen", "2026-11-20T23:59:00", "0.3", "a/b.ipynb"],
        ["", "", "", "", ""],
    ]


@pytest.mark.parametrize("status", ["grader-error", "not-gradable"])
def test_what_is_open_is_an_empty_cell_and_no_zero(tmp_path, status):
    broken = result("Ada", "05_square", task("5.1", 0, status), task("5.2"))
    write_gradebook(tmp_path, [broken, result("Ada", "06_exp", task("6.1"))])
    assert cells(tmp_path / "grades.csv", ["points"]) == [[""], ["3"], ["3"]]
    assert rows(tmp_path / "summary.csv")[1] == ["Ada", "", "3", "", "9"]


def test_the_points_of_doubted_work_are_open_until_somebody_has_seen_to_it(tmp_path):
    for seen, points in ((False, ""), (True, "3")):
        write_gradebook(tmp_path, [result("Ada", doubts=("It may be a copy.",), seen=seen)])
        assert rows(tmp_path / "summary.csv")[1] == ["Ada", points, points, "3"]


def test_points_that_a_person_gave_in_spite_of_a_grader_error_count(tmp_path):
    write_gradebook(
        tmp_path, [result("Ada", "05_square", task("5.1", 2, "grader-error", by_hand=True))]
    )
    assert rows(tmp_path / "summary.csv")[1] == ["Ada", "2", "2", "3"]


def test_the_order_of_results_changes_no_byte(tmp_path):
    for number in range(5):
        random.Random(number).shuffle(CLASS)
        write_gradebook(tmp_path / str(number), CLASS)
    for name in ("grades.csv", "summary.csv"):
        assert len({(tmp_path / str(number) / name).read_bytes() for number in range(5)}) == 1


def test_an_empty_class_has_headings_only(tmp_path):
    write_gradebook(tmp_path, [])
    assert len(rows(tmp_path / "grades.csv")) == 1
    assert rows(tmp_path / "summary.csv") == [["student", "total", "max"]]


@pytest.mark.parametrize("first", "=+-@\t\r\n＝＋－＠")
def test_no_name_is_a_formula(tmp_path, first):
    write_gradebook(tmp_path, [result(f"{first}cmd()")])
    for name in ("grades.csv", "summary.csv"):
        assert rows(tmp_path / name)[1][0] == f"'{first}cmd()"


def test_a_name_is_not_cut_where_the_delimiter_is_a_semicolon(tmp_path):
    write_gradebook(tmp_path, [result("x;=1+1")])
    text = (tmp_path / "grades.csv").read_text(encoding="utf-8-sig")
    assert next(csv.reader(text.splitlines()[1:], delimiter=";"))[0].startswith("x;=1+1")


def test_names_that_no_file_can_hold_are_written_with_a_sign_in_their_place(tmp_path):
    write_gradebook(tmp_path, [result("a\0b"), result("c\udc80d"), result("Ольга"), result('q"')])
    assert [row[0] for row in rows(tmp_path / "summary.csv")[1:]] == ["a�b", "c�d", 'q"', "Ольга"]


def test_files_begin_with_the_mark_by_which_spreadsheets_know_utf_8(tmp_path):
    write_gradebook(tmp_path, CLASS)
    assert (tmp_path / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_a_disk_that_is_full_leaves_the_old_table(tmp_path, monkeypatch):
    write_gradebook(tmp_path, CLASS)
    before = (tmp_path / "grades.csv").read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_gradebook(tmp_path, [])
    assert (tmp_path / "grades.csv").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["grades.csv", "summary.csv"]


@given(st.text("'=a＝ ", max_size=6))
def test_a_cell_can_be_read_back(text):
    assert uncell(cell(text)) == text
