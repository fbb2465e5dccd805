"""What a person decides wins, for the work that it was decided for."""

import pytest

from course.grading.books.by_hand import apply_overrides, sayings
from course.grading.books.due import Lateness
from course.grading.books.identity import Directory, name_keys
from course.grading.books.overrides import read_overrides
from tests.course.grading.books.samples import result, task

NAMES = ("Ada Lovelace", "Bo", "=cmd()", "'=cmd()", "Kim (1)", "Kim (2)")
IDS = {"Ada Lovelace": "ada17", "Kim (1)": "kim", "Kim (2)": "kim"}
EVERYBODY = Directory({name: name_keys(name) | {IDS.get(name, name)} for name in NAMES})
BEFORE = [result(name, "05_square", task("5.1"), task("5.2", 0, "missing")) for name in NAMES]
ODD = [task(f"5.{n}", 0, "not-gradable", proposed=points) for n, points in ((1, 2.5), (2, None))]
ODD = [result("Bo", "05_square", *ODD)]


@pytest.fixture
def read(tmp_path):
    """Return a function that reads lines of overrides.csv."""

    def _read(*lines):
        path = tmp_path / "overrides.csv"
        path.write_text("\n".join(["student,task,decision,reason", *lines, ""]), encoding="utf-8")
        return read_overrides(path)[0]

    return _read


def applied(overrides, results=BEFORE):
    """Return what became of Bo, or of the one who is given points, and what is wrong."""
    after, _, wrong = apply_overrides(results, overrides, {}, EVERYBODY)
    changed = [one for one, old in zip(after, results, strict=True) if one != old]
    return {one.student: [task.points for task in one.tasks] for one in changed}, after, wrong


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
def test_points_are_set_of_the_student_whose_key_is_written(read, written, student):
    points, _, wrong = applied(read(f"{written},5.1,1,seen"))
    assert (points, wrong) == ({student: [1, 0]}, [])


@pytest.mark.parametrize("line", ["Nobody,5.1,1,", "Kim,5.1,1,", "Bo,06,0,", "Bo,5.2,2,again"])
def test_a_line_for_nobody_or_nothing_or_a_second_one_is_wrong_and_changes_nothing(read, line):
    points, _, (said,) = applied(read("Bo,5.2,1,first", line))
    assert points == {"Bo": [3, 1]}
    assert "overrides.csv, line 3" in said


@pytest.mark.parametrize("turned", [1, -1])
def test_an_exercise_gets_0_points_but_for_tasks_with_a_line_of_their_own(read, turned):
    _, after, _ = applied(read(*["Bo,05,0,nothing", "Bo,5.2,2,shown"][::turned]))
    said = [(one.points, one.by_hand, one.reason) for one in after[1].tasks]
    assert said == [(0, True, "nothing"), (2, True, "shown")]


def test_accepting_sets_the_points_that_the_grader_proposes_and_no_quiet_0(read):
    points, (after,), (said,) = applied(read("Bo,05,accept,"), ODD)
    assert points == {"Bo": [2.5, 0]}
    assert [one.is_open for one in after.tasks] == [False, True]
    assert "5.2" in said.partition(" of ")[0]


def test_a_comment_changes_no_points(read):
    lines = read("Bo,5.1,comment,Neat", "Bo,05,comment,All neat", "Bo,5.1,2,")
    points, after, _ = applied(lines)
    assert points == {"Bo": [2, 0]}
    assert (after[1].comment, after[1].tasks[0].comment) == ("All neat", "Neat")


def test_what_is_said_of_files_and_times_is_read_by_student_and_exercise(read):
    ours = ["ada17,5,take a/b.ipynb,", "Bo,05,is lost.ipynb,", "Nobody,05,is photo.zip,"]
    times = ["ada17,05,late 27 h,", "Ada Lovelace,05_square,due 2026-11-27,"]
    wrong = ["Kim,05,late 1 h,", "Bo,05_other,late 1 h,", "Bo,,is bo17,"]
    lines = read(*ours, *times, *wrong)
    said = sayings(lines, EVERYBODY, ["05_square", "06_exp"])
    ada = "Ada Lovelace", "05_square"
    assert said.taken == {ada: "a/b.ipynb"}
    assert said.late == {ada: Lateness(27.0, lines[4].value)}
    assert said.files == {("05_square", "lost.ipynb"): "Bo", ("05_square", "photo.zip"): ""}
    assert len(said.wrong) == 2
