"""Points set by hand are read as spreadsheets save them, and win."""

import math
import re

import pytest

from course.grading.books.overrides import (
    Override,
    OverrideError,
    apply_overrides,
    read_overrides,
    set_aside,
)
from tests.course.grading.books.samples import result, task

HEAD = "student,task,points,reason\n"


@pytest.fixture
def read(tmp_path):
    """Return a function that reads overrides.csv from text or bytes."""

    def _read(content):
        path = tmp_path / "overrides.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return [(o.student, o.task, o.points, o.reason) for o in read_overrides(path)]

    return _read


@pytest.mark.parametrize(
    "content",
    [
        HEAD + 'Ada,5.1,2.5,"late, but right"\n',
        "\ufeff" + HEAD + 'Ada,5.1,2.5,"late, but right"\r\n',
        'student;task;points;reason\nAda;5.1;2,5;"late, but right"\n',
        "sep=;\nstudent;task;points;reason\n\n;;;\nAda;5,1;2,5;late, but right\n",
        'student\ttask\tpoints\treason\nAda\t5.1\t2.5\t"late, but right"\n',
        '"Points"," Task ","student","reason","who"\n2.5,5.1,Ada,"late, but right",me\n',
        HEAD + "\n , ,,\nAda,'5.1,'2.5,\"late, but right\"\n\n",
    ],
)
def test_every_way_a_spreadsheet_saves_it_is_read(read, content):
    assert read(content) == [("Ada", "5.1", 2.5, "late, but right")]


@pytest.mark.parametrize("content", ["", "\n\n", HEAD, "\ufeff" + HEAD])
def test_a_file_without_lines_sets_nothing(read, content):
    assert read(content) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name,task,points,reason\n", "line 1: let it be the headings"),
        (HEAD + "\nAda,5.1,two,why\n", "line 3: the points are 'two'"),
        (HEAD + "Ada,5.1,2\n", "line 2: 3 cells stand under 4 headings"),
        (HEAD + "Ada,5.1,2,late, but right\n", "line 2: 5 cells"),
        (HEAD + ",5.1,2,why\n", "line 2 has no student"),
        (HEAD + "Ada,,2,why\n", "line 2 has no task"),
        (HEAD + "Ada,5.1,,why\n", "line 2 has no points"),
        (HEAD + 'Ada,5.1,2,"why\n', "quotation marks"),
        ((HEAD + "Zoë,5.1,2,why\n").encode("cp1252"), "save it as “CSV UTF-8”"),
        ((HEAD + "Zoë,5.1,2,why\n").encode("utf-16"), "save it as “CSV UTF-8”"),
    ],
)
def test_a_malformed_line_is_named_and_what_to_do_is_said(read, content, said):
    with pytest.raises(OverrideError, match=re.escape(said)) as error:
        read(content)
    assert "overrides.csv" in str(error.value)
    assert "\n" not in str(error.value)


def test_points_are_set_and_the_status_is_kept():
    before = [result("Ada", "05_square", task("5.1", 0, "not-gradable", message="It uses gc."))]
    (after,) = apply_overrides(before, [Override("Ada", "5.1", 2, "shown in class.")])
    assert (after.tasks[0].points, after.tasks[0].status) == (2, "not-gradable")
    assert after.tasks[0].message == "It uses gc. Points set by hand: shown in class."
    assert before[0].tasks[0].points == 0


def test_other_tasks_and_other_students_keep_their_points():
    before = [result("Ada", "05_square", task("5.1"), task("5.2")), result("Bo")]
    after = apply_overrides(before, [Override("Ada", "5.1", 0, "copied")])
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
    (after, _) = apply_overrides(
        [result(student), result("other")], [Override(written, "5.1", 1, "")]
    )
    assert after.tasks[0].points == 1
    assert after.tasks[0].message == "Points set by hand."


def test_two_names_that_differ_in_an_apostrophe_only_are_told_apart():
    before = [result("=x"), result("'=x")]
    for written, points in (("'=x", [0, 3]), ("''=x", [3, 0])):
        after = apply_overrides(before, [Override(written, "5.1", 0, "")])
        assert [one.tasks[0].points for one in after] == points


def test_a_name_that_could_be_two_students_is_an_error():
    with pytest.raises(OverrideError, match="more than one student"):
        apply_overrides([result("a\0"), result("a\1")], [Override("a\ufffd", "5.1", 1, "")])


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
    with pytest.raises(OverrideError, match=re.escape(said)):
        apply_overrides([result("Ada")], [override])


def test_a_task_that_is_set_twice_names_both_lines(tmp_path):
    path = tmp_path / "overrides.csv"
    path.write_text(HEAD + "Ada,5.1,1,a\n\n'Ada,5.1,2,b\n", encoding="utf-8")
    with pytest.raises(OverrideError, match=r"line 4.*already in overrides.csv, line 2"):
        apply_overrides([result("Ada")], read_overrides(path))


def test_what_is_no_part_of_a_run_is_set_aside_and_what_is_misspelt_is_not():
    used = Override("Ada", "5.1", 1, "")
    misspelt = [Override("Adda", "5.1", 1, ""), Override("Ada", "5.9", 1, "")]
    other = [Override("Ada", "6.1", 1, ""), Override("Bo ", "5.1", 1, "")]
    aside = set_aside([used, *misspelt, *other], [result("Ada")], left_out=["Bo"])
    assert aside == other
