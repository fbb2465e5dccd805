"""Points set by hand win, for the work that they were set for."""

import math
import re

import pytest

from course.grading.books.by_hand import apply_overrides, set_aside
from course.grading.books.overrides import Override, read_overrides
from tests.course.grading.books.samples import result, task

HEAD = "student,task,points,reason\n"


def applied(results, overrides, marks=None):
    """Return the results with points set by hand."""
    return apply_overrides(results, overrides, marks or {})[0]


def test_points_are_set_and_the_status_is_kept():
    before = [result("Ada", "05_square", task("5.1", 0, "not-gradable", message="It uses gc."))]
    (after,) = applied(before, [Override("Ada", "5.1", 2, "shown in class.")])
    assert (after.tasks[0].points, after.tasks[0].status) == (2, "not-gradable")
    assert after.tasks[0].message == "It uses gc."
    assert (after.tasks[0].by_hand, after.tasks[0].reason) == (True, "shown in class.")
    assert before[0].tasks[0].points == 0


def test_other_tasks_and_other_students_keep_their_points():
    before = [result("Ada", "05_square", task("5.1"), task("5.2")), result("Bo")]
    after = applied(before, [Override("Ada", "5.1", 0, "copied")])
    assert [[t.points for t in one.tasks] for one in after] == [[0, 3], [3]]


@pytest.mark.parametrize(
    ("student", "written"),
    [
        ("=cmd()", "'=cmd()"),
        ("=cmd()", "=cmd()"),
        ("Zoë", "Zoe\u0308"),
        ("Ada Lovelace", " Ada  Lovelace "),
        ("a\0b", "a\ufffdb"),
        ("c\udc80d", "c\ufffdd"),
    ],
)
def test_a_name_as_the_gradebook_or_a_spreadsheet_writes_it_is_found(student, written):
    (after, _) = applied([result(student), result("other")], [Override(written, "5.1", 1, "")])
    assert after.tasks[0].points == 1
    assert after.tasks[0].by_hand


def test_two_names_that_differ_in_an_apostrophe_only_are_told_apart():
    before = [result("=x"), result("'=x")]
    for written, points in (("'=x", [0, 3]), ("''=x", [3, 0])):
        after = applied(before, [Override(written, "5.1", 0, "")])
        assert [one.tasks[0].points for one in after] == points


def test_a_name_that_could_be_two_students_is_an_error():
    _, _, (said,) = apply_overrides(
        [result("a\0"), result("a\1")], [Override("a\ufffd", "5.1", 1, "")], {}
    )
    assert "2 students are called 'a\ufffd': write which one" in said


def test_an_exercise_gets_0_points_but_for_tasks_with_a_line_of_their_own():
    before = [result("Omar", "05_square", *(task(f"5.{n}", 0, "missing") for n in (1, 2, 3)))]
    zero = Override("Omar", "05", 0, "not handed in")
    for lines in ([zero], [zero, Override("Omar", "5.2", 2, "shown")]):
        for ordered in (lines, lines[::-1]):
            (after,) = applied(before, ordered)
            assert all(one.by_hand for one in after.tasks)
            assert [one.points for one in after.tasks] == [0, 2 if len(lines) > 1 else 0, 0]
    assert {one.reason for one in applied(before, [zero])[0].tasks} == {"not handed in"}


@pytest.mark.parametrize(
    ("override", "said"),
    [
        (Override("Nobody", "5.1", 1, ""), "no student is called 'Nobody'"),
        (Override("ada", "5.1", 1, ""), "no student is called 'ada'"),
        (Override("Ada", "9.9", 1, ""), "no task '9.9'"),
        (Override("Ada", "5.1", 3.5, ""), "cannot get 3.5 points: write a number from 0 to 3"),
        (Override("Ada", "5.1", -1, ""), "cannot get -1 points"),
        (Override("Ada", "5.1", math.nan, ""), "cannot get nan points"),
        (Override("Ada", "5.1", math.inf, ""), "cannot get inf points"),
    ],
)
def test_what_cannot_be_set_is_an_error(override, said):
    right = Override("Ada", "5.1", 1, "")
    (after,), _, wrong = apply_overrides([result("Ada")], [override, right, override], {})
    assert after.tasks[0].points == 1  # what is right holds all the same
    assert [said in one for one in wrong] == [True, True]


def test_a_task_that_is_set_twice_names_both_lines(tmp_path):
    path = tmp_path / "overrides.csv"
    path.write_text(HEAD + "Ada,5.1,1,a\n\n'Ada,5.1,2,b\n", encoding="utf-8")
    (after,), _, (said,) = apply_overrides([result("Ada")], read_overrides(path)[0], {})
    assert re.search(r"line 4.*already in overrides.csv, line 2", said)
    assert after.tasks[0].points == 1


def test_what_is_not_in_the_report_is_set_aside_and_what_is_misspelt_is_not():
    used = Override("Ada", "5.1", 1, "")
    misspelt = [Override("Adda", "5.1", 1, ""), Override("Ada", "5.9", 1, "")]
    other = Override("Ada", "6.1", 1, "")
    assert set_aside([used, *misspelt, other], [result("Ada")]) == [other]
