"""What a person decides wins, for the work that it was decided for."""

from datetime import datetime

import pytest

from course.grading.books.by_hand import apply_overrides, sayings
from course.grading.books.due import Lateness
from course.grading.books.identity import Directory, name_keys
from course.grading.books.overrides import Override, read_overrides
from tests.course.grading.books.samples import result, task

NAMES = ("Ada Lovelace", "Bo", "=cmd()", "'=cmd()", "Kim (1)", "Kim (2)")
KEYS = {name: name_keys(name) for name in NAMES}
KEYS["Ada Lovelace"] |= {"ada17"}
KEYS |= {name: KEYS[name] | {"kim"} for name in NAMES[4:]}
EVERYBODY = Directory(KEYS)
BEFORE = [result(name, "05_square", task("5.1"), task("5.2", 0, "missing")) for name in NAMES]


@pytest.fixture
def decided(tmp_path):
    """Return a function that applies lines to results: the results, and what is wrong."""

    def _decided(*lines, results=BEFORE):
        path = tmp_path / "overrides.csv"
        path.write_text("\n".join(["student,task,decision,reason", *lines, ""]), encoding="utf-8")
        overrides, wrong = read_overrides(path)
        assert not wrong
        results, _, wrong = apply_overrides(results, overrides, {}, EVERYBODY)
        return results, wrong

    return _decided


@pytest.mark.parametrize(
    ("written", "student"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        (" lovelace  ADA", "Ada Lovelace"),
        ("ada17", "Ada Lovelace"),
        ("'=cmd()", "=cmd()"),
        ("''=cmd()", "'=cmd()"),
        ("Kim (2)", "Kim (2)"),
    ],
)
def test_points_are_set_of_the_student_whose_key_is_written(decided, written, student):
    after, wrong = decided(f"{written},5.1,1,seen")
    assert not wrong
    assert [one.student for one in after if one.tasks[0].by_hand] == [student]
    changed = next(one for one in after if one.student == student)
    assert [(one.points, one.reason) for one in changed.tasks] == [(1, "seen"), (0, "")]
    assert changed.tasks[0].status == "passed"


@pytest.mark.parametrize(
    "line", ["Nobody,5.1,1,", "Kim,5.1,1,", "Bo,6.1,1,", "Bo,06,0,", "Bo,5.2,2,again"]
)
def test_a_line_that_is_for_nobody_or_nothing_or_said_before_is_wrong_and_changes_nothing(
    decided, line
):
    after, (said,) = decided("Bo,5.2,1,first", line)
    assert "overrides.csv, line 3" in said
    assert [task.points for one in after for task in one.tasks] == [3, 0, 3, 1, *[3, 0] * 4]


@pytest.mark.parametrize("turned", [1, -1])
def test_an_exercise_gets_0_points_but_for_tasks_with_a_line_of_their_own(decided, turned):
    after, _ = decided(*["Bo,05,0,nothing there", "Bo,5.2,2,shown"][::turned])
    assert [(one.points, one.reason) for one in after[1].tasks] == [
        (0, "nothing there"),
        (2, "shown"),
    ]


def test_accepting_sets_the_points_that_the_grader_proposes_and_no_quiet_0(decided):
    odd = [task(f"5.{n}", 0, "not-gradable", proposed=p) for n, p in ((1, 2.5), (2, None))]
    (after,), (said,) = decided("Bo,05,accept,", results=[result("Bo", "05_square", *odd)])
    assert [(one.points, one.by_hand) for one in after.tasks] == [(2.5, True), (0, False)]
    assert "5.2" in said
    assert "5.1" not in said


def test_a_comment_changes_no_points(decided):
    after, _ = decided("Bo,5.1,comment,Neat", "Bo,05,comment,All neat", "Bo,5.1,2,")
    assert (after[1].comment, after[1].tasks[0].comment) == ("All neat", "Neat")
    assert after[1].tasks[0].points == 2


def test_what_is_said_of_files_and_times_is_read_by_student_and_exercise():
    lines = [
        ("ada17", "5", "take", "a/b.ipynb"),
        ("ada17", "05_square", "late", 27.0),
        ("Ada Lovelace", "05", "due", datetime(2026, 11, 27)),
        ("Bo", "05", "is", "lost.ipynb"),
        ("Nobody", "05", "is", "photo.zip"),
        *(("Kim", "05", "late", 1.0), ("Bo", "05_other", "late", 1.0), ("Bo", "", "is", "bo17")),
    ]
    said = sayings([Override(*line, "") for line in lines], EVERYBODY, ["05_square", "06_exp"])
    ada = "Ada Lovelace", "05_square"
    assert said.taken == {ada: "a/b.ipynb"}
    assert said.late == {ada: Lateness(27.0, datetime(2026, 11, 27))}
    assert said.files == {("05_square", "lost.ipynb"): "Bo", ("05_square", "photo.zip"): ""}
    assert len(said.wrong) == 2
