"""The tables hold the right points, under the right names, in every spreadsheet."""

import csv

import pytest

from course.grading.books.gradebook import GRADES, cell, write_gradebook
from course.grading.books.tally import by_student
from tests.course.grading.books.samples import result, task
from tests.course.grading.classes import ROOT

BY_HAND = task("5.1", 2, "grader-error", by_hand=True, reason="=seen", lost=0.3)
CLASS = [
    result("=zoe", "05_square", task("5.1"), task("5.10", 2.5, "failed", diagnosis="wrong-sign")),
    result("Ada", "06_exp", task("6.1", 0, "timeout")),
    result("Ada", "05_square", BY_HAND, handed_in="2026-11-20T23:59:00", file="a/b.ipynb"),
    result("Bo", "06_exp", task("6.1", 0, "missing")),
    result("Cy", "06_exp", task("6.1", 0, "missing"), is_asked=True),
    result("Cy", "05_square", task("5.1", 0, "not-gradable"), task("5.2")),
    result("Cy", "07_x"),
]
GRADES_CSV = """\
'=zoe,05_square,5.1,3,3,,passed,ok,,,,,
'=zoe,05_square,5.10,2.5,3,,failed,wrong-sign,,,,,
Ada,05_square,5.1,2,3,,grader-error,,yes,'=seen,2026-11-20T23:59:00,0.3,a/b.ipynb
Ada,06_exp,6.1,0,3,,timeout,,,,,,
Bo,06_exp,6.1,0,3,,missing,,,,,,
Cy,05_square,5.1,,3,yes,not-gradable,,,,,,
Cy,05_square,5.2,,3,yes,passed,ok,,,,,
Cy,06_exp,6.1,,3,yes,missing,,,,,,
Cy,07_x,5.1,3,3,,passed,ok,,,,,"""
SUMMARY_CSV = """\
student,05_square,06_exp,07_x,total,max
'=zoe,5.5,,,5.5,10.5
Ada,2,0,,2,10.5
Bo,,0,,0,10.5
Cy,,,3,,10.5"""


def rows(path):
    """Return the rows of a table."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_each_task_and_each_student_has_a_row_and_what_is_open_an_empty_cell(tmp_path):
    write_gradebook(tmp_path, by_student(CLASS), {"05_square": 6.0, "06_exp": 0.0, "08_y": 4.5})
    assert (tmp_path / "grades.csv").read_bytes().startswith(b'\xef\xbb\xbf"student"')
    heading, *found = rows(tmp_path / "grades.csv")
    assert heading == [name for name, _ in GRADES]
    assert [",".join(row) for row in found] == GRADES_CSV.splitlines()
    assert [",".join(row) for row in rows(tmp_path / "summary.csv")] == SUMMARY_CSV.splitlines()


def test_the_guide_names_the_columns():
    guide = (ROOT / "docs" / "grading_reference.md").read_text(encoding="utf-8")
    assert f"| `grades.csv` | {', '.join(heading for heading, _ in GRADES)} |" in guide


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        *((f"{first}cmd()", f"'{first}cmd()") for first in "=+-@\t\r\n＝＋－＠"),
        *(("a\0b", "a�b"), ("c\udc80d", "c�d"), ("Ольга", "Ольга"), ('q"', 'q"')),
    ],
)
def test_no_name_is_a_formula_and_every_name_can_be_written(name, shown):
    assert cell(name) == shown
