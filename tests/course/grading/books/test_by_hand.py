"""What a person decides wins, for the work that it was decided for."""

from datetime import datetime

import pytest

from course.grading.books.by_hand import decided, decisions
from course.grading.books.course_file import CourseFile
from course.grading.books.identity import Directory, name_keys
from course.grading.books.overrides import read_overrides
from tests.course.grading.books.samples import result, task
from tests.course.grading.classes import put

NAMES = ("Ada Lovelace", "Bo", "=cmd()", "'=cmd()", "Kim (1)", "Kim (2)")
IDS = {"Ada Lovelace": "ada17", "Kim (1)": "kim", "Kim (2)": "kim"}
EVERYBODY = Directory({name: name_keys(name) | {IDS.get(name, name)} for name in NAMES})
COURSE = CourseFile(due={"05_square": datetime(2026, 11, 20)}, points_per_day=1)
TASKS = task("5.1"), task("5.2", 0, "missing")


@pytest.fixture
def applied(tmp_path, folder):
    """Return a function of lines: the work of Bo with them, what they say, what is wrong."""

    def _applied(*lines, tasks=TASKS):
        text = "\n".join(["student,task,decision,reason", *lines, ""])
        path = put(tmp_path / "overrides.csv", text)
        said = decisions(read_overrides(path)[0], EVERYBODY, ["05_square", "06_exp"])
        bo = result("Bo", "05_square", *tasks, handed_in="2026-11-19T10:00:00")
        (after,), wrong = decided(folder, [bo], said, COURSE)
        return after, said, [*said.wrong, *wrong]

    return _applied


WRITTEN = """\
Ada Lovelace -> Ada Lovelace
 lovelace  ADA -> Ada Lovelace
ada17 -> Ada Lovelace
'=cmd() -> =cmd()
''=cmd() -> '=cmd()
Kim (2) -> Kim (2)"""


@pytest.mark.parametrize("row", WRITTEN.splitlines())
def test_a_line_is_about_the_student_whose_key_is_written(applied, row):
    written, _, student = row.partition(" -> ")
    _, said, wrong = applied(f"{written},05,late 1 h,")
    assert (*said.lines, *wrong) == ((student, "05_square"),)


# Lines, and the points of both tasks, which have 3 and 0.
DECIDED = """\
Bo,5.1,1, -> 1 0
Bo,05,0,; Bo,5.2,2, -> 0 2
Bo,5.2,2,; Bo,05,0, -> 0 2
Bo,05,late 24 h, -> 2 0
Bo,05,due 2026-11-17, -> 1 0
Bo,05,comment,Neat; Bo,5.1,comment,Neat -> 3 0
Bo,05,accept, -> 3 0"""


@pytest.mark.parametrize("row", DECIDED.splitlines())
def test_lines_decide_points_in_any_order_and_those_of_one_task_go_first(applied, row):
    lines, _, points = row.partition(" -> ")
    after, _, wrong = applied(*lines.split("; "))
    assert [f"{one.points:g}" for one in after.tasks] + wrong == points.split()


def test_reasons_and_comments_are_told(applied):
    comments = "Bo,05,comment,All neat", "Bo,5.1,comment,Neat"
    after, *_ = applied("Bo,05,0,nothing", "Bo,5.2,2,shown", *comments)
    said = [(one.by_hand, one.reason, one.comment) for one in after.tasks]
    assert said == [(True, "nothing", "Neat"), (True, "shown", "")]
    assert after.comment == "All neat"
    assert applied("Bo,05,accept,Seen")[0].comment == "Seen"


WRONG = """\
Nobody,5.1,1,
Kim,5.1,1,
Bo,06,0,
Bo,6.1,comment,Neat
Bo,5.2,2,again
Bo,05,take x,
Kim,05,late 1 h,
Bo,05_other,late 1 h,"""


@pytest.mark.parametrize("line", WRONG.splitlines())
def test_a_line_for_nobody_or_nothing_or_a_second_one_is_wrong_and_changes_nothing(applied, line):
    after, _, (said,) = applied("Bo,5.2,1,first", line)
    assert "overrides.csv, line 3" in said
    assert [one.points for one in after.tasks] == [3, 1]


def test_accepting_sets_the_points_that_the_grader_proposes_and_no_quiet_0(applied):
    odd = (task(f"5.{n}", 0, "not-gradable", proposed=half) for n, half in ((1, 2.5), (2, None)))
    after, *_ = applied("Bo,05,accept,", tasks=odd)
    assert [(one.points, one.is_open) for one in after.tasks] == [(2.5, False), (0, True)]
