"""What a person decides wins, for the work that it was decided for."""

from datetime import datetime

import pytest

from course.grading.books.by_hand import decided, decisions
from course.grading.books.course_file import CourseFile
from course.grading.books.identity import Directory, name_keys
from course.grading.books.overrides import read_overrides
from tests.course.grading.books.samples import result, task

NAMES = ("Ada Lovelace", "Bo", "=cmd()", "'=cmd()", "Kim (1)", "Kim (2)")
IDS = {"Ada Lovelace": "ada17", "Kim (1)": "kim", "Kim (2)": "kim"}
EVERYBODY = Directory({name: name_keys(name) | {IDS.get(name, name)} for name in NAMES})
BEFORE = [result(name, "05_square", task("5.1"), task("5.2", 0, "missing")) for name in NAMES]
ODD = [task(f"5.{n}", 0, "not-gradable", proposed=points) for n, points in ((1, 2.5), (2, None))]
ODD = [result("Bo", "05_square", *ODD)]
COURSE = CourseFile(due={"05_square": datetime(2026, 11, 20)}, points_per_day=1)


WRITTEN = """\
Ada Lovelace -> Ada Lovelace
 lovelace  ADA -> Ada Lovelace
ada17 -> Ada Lovelace
'=cmd() -> =cmd()
''=cmd() -> '=cmd()
Kim (2) -> Kim (2)"""


@pytest.fixture
def read(tmp_path):
    """Return a function that reads what lines of overrides.csv decide."""

    def _read(*lines):
        path = tmp_path / "overrides.csv"
        path.write_text("\n".join(["student,task,decision,reason", *lines, ""]), encoding="utf-8")
        return decisions(read_overrides(path)[0], EVERYBODY, ["05_square", "06_exp"])

    return _read


@pytest.fixture
def applied(read, folder):
    """Return a function of lines: who has which points by them, all results, and what is wrong."""

    def _applied(*lines, results=BEFORE):
        said = read(*lines)
        after, wrong = decided(folder, results, said, COURSE)
        changed = [one for one, old in zip(after, results, strict=True) if one != old]
        points = {one.student: [task.points for task in one.tasks] for one in changed}
        return points, after, [*said.wrong, *wrong]

    return _applied


@pytest.mark.parametrize("row", WRITTEN.splitlines())
def test_points_are_set_of_the_student_whose_key_is_written(applied, row):
    written, _, student = row.partition(" -> ")
    points, _, wrong = applied(f"{written},5.1,1,seen")
    assert (points, wrong) == ({student: [1, 0]}, [])


@pytest.mark.parametrize(
    "line", ["Nobody,5.1,1,", "Kim,5.1,1,", "Bo,06,0,", "Bo,6.1,comment,Neat", "Bo,5.2,2,again"]
)
def test_a_line_for_nobody_or_nothing_or_a_second_one_is_wrong_and_changes_nothing(applied, line):
    points, _, (said,) = applied("Bo,5.2,1,first", line)
    assert points == {"Bo": [3, 1]}
    assert "overrides.csv, line 3" in said


@pytest.mark.parametrize("turned", [1, -1])
def test_an_exercise_gets_0_points_but_for_tasks_with_a_line_of_their_own(applied, turned):
    _, after, *_ = applied(*["Bo,05,0,nothing", "Bo,5.2,2,shown"][::turned])
    said = [(one.points, one.by_hand, one.reason) for one in after[1].tasks]
    assert said == [(0, True, "nothing"), (2, True, "shown")]


def test_accepting_sets_the_points_that_the_grader_proposes_and_no_quiet_0(applied):
    points, (after,), *_ = applied("Bo,05,accept,", results=ODD)
    assert points == {"Bo": [2.5, 0]}
    assert [one.is_open for one in after.tasks] == [False, True]


def test_a_comment_changes_no_points(applied):
    points, after, *_ = applied("Bo,5.1,comment,Neat", "Bo,05,comment,All neat", "Bo,5.1,2,")
    assert points == {"Bo": [2, 0]}
    assert (after[1].comment, after[1].tasks[0].comment) == ("All neat", "Neat")


def test_what_is_said_of_files_is_read_by_exercise_and_student(read):
    ours = ["ada17,5,take a/b.ipynb,", "Bo,05,is lost.ipynb,", "Nobody,05,is photo.zip,"]
    said = read(*ours, "Kim,05,late 1 h,", "Bo,05_other,late 1 h,", "Bo,,is bo17,")
    assert said.taken == {("Ada Lovelace", "05_square"): "a/b.ipynb"}
    owners = {place: one.student for place, one in said.owners.items()}
    assert owners == {("05_square", "lost.ipynb"): "Bo", ("05_square", "photo.zip"): ""}
    assert len(said.wrong) == 2
