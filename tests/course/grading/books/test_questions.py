"""Whatever is asked has a page with a line that answers it, and is open everywhere until then."""

import re
from html import unescape

import pytest

from course.grading.books.assign import Pending, unsure
from course.grading.books.by_hand import EARLIER_WORK
from course.grading.books.overrides import read_overrides
from course.grading.books.questions import KINDS, questions_of, with_pending, with_questions
from course.grading.books.tally import is_open
from course.grading.results import Version
from tests.course.grading.books.reports import Report, work
from tests.course.grading.books.samples import result, task

VERSIONS = Version("Ada/a.ipynb", "", "code of a"), Version('Ada/b  "2", x.ipynb', "", "code of b")
TWO = work("Ada", doubts=(unsure(VERSIONS),), notebooks=VERSIONS)
SCRIPT = Pending("Ada", "05_square", "Ada/a.py", "A script.", shown="print(5)")
LOST = Pending("", "", "lost.7z", "Locked.")
NOTEBOOK = Pending("", "05_square", "05.ipynb", "Whose?", is_gradable=True, shown="x = 1")
ODD = task("5.1", 0, "not-gradable", message="It uses gc.", proposed=2.5, code="import gc")
ELSEWHERE = task("5.1", 0, "not-gradable", message="No.", proposed=2.0, elsewhere="y = 2")


@pytest.fixture
def report(tmp_path):
    """Return an empty report."""
    (tmp_path / "report").mkdir()
    return Report(tmp_path / "report")


@pytest.mark.parametrize(
    ("found", "kind", "shown", "answer", "total"),
    [
        (work("Ada", doubts=("A copy?",)), "accept", "A copy?", "Ada,05_square,accept,", "10"),
        (work("Ada", t5_1=ODD), "accept", "import gc", "Ada,5.1,accept,", "9.5"),
        (work("Ada", t5_1=ELSEWHERE), "place", "y = 2", "Ada,5.1,accept,", "9"),
        (TWO, "which", "code of b", "Ada,05_square,accept,", "10"),
        (SCRIPT, "instead", "print(5)", "Ada,05_square,0,", "0"),
        (LOST, "whose", "lost.7z", "nobody,EXERCISE,is lost.7z,", "0"),
        (NOTEBOOK, "whose", "x = 1", "nobody,05_square,is 05.ipynb,", "0"),
    ],
)
def test_a_question_has_a_page_with_a_line_that_answers_it(
    report, found, kind, shown, answer, total
):
    results, pending = ([], [found]) if isinstance(found, Pending) else ([found], [])
    assert report.run(work("Bo"), *results, people="Ada", pending=pending) == 1
    assert report.totals() == {"Ada": ("", "10"), "Bo": ("10", "10")}
    (name,) = report.pages("questions")
    assert f'href="questions/{name}"' in report.index
    page = (report.path / "questions" / name).read_text(encoding="utf-8")
    text = unescape(re.sub("<[^>]*>", "", page))
    assert [words in text for words in (shown, answer, KINDS[kind])] == [True] * 3
    report.override(answer.replace("EXERCISE", "5"))
    assert report.run(work("Bo"), *results, people="Ada", pending=pending) == 0
    assert report.totals()["Ada"] == (total, "10")
    assert report.pages("questions") == []


def test_a_file_that_a_line_gives_to_somebody_asks_about_them_alone(report):
    report.override("Ada,05,is lost.7z,")
    assert report.run(work("Bo"), people="Ada Cy", pending=[LOST]) == 1
    assert {name: total for name, (total, _) in report.totals().items()} == {
        "Ada": "",
        "Bo": "10",
        "Cy": "0",
    }


@pytest.mark.parametrize("changed", [{"mark": "second"}, {"doubts": ("Another.",)}])
@pytest.mark.parametrize("line", ["Ada,05,,seen", "Ada,5.1,3,seen"])
def test_a_new_doubt_or_newer_work_asks_again(report, changed, line):
    doubtful = {"doubts": ("Odd.",)}
    doubtful |= {f"t5_{n}": task(f"5.{n}", 0, "failed") for n in (2, 3)}
    report.override(line)
    assert report.run(work("Ada", **doubtful)) == 0
    assert report.run(work("Ada", **{**doubtful, **changed})) == 1
    assert report.totals()["Ada"][0] == ""


def test_points_of_one_task_settle_no_doubt_on_another(report):
    report.override("Ada,5.1,3,seen")
    assert report.run(work("Ada", doubts=("Odd.",))) == 1


@pytest.mark.parametrize(
    ("status", "file", "expected"),
    [
        ("missing", {}, True),
        ("missing", {"exercise": ""}, True),
        ("missing", {"exercise": "06_exp"}, False),
        ("missing", {"exercise": "06_exp", "is_gradable": True}, False),
        ("missing", {"exercise": "07_sinh", "is_gradable": True}, True),
        ("missing", {"student": "Bo"}, False),
        ("missing", {"student": ""}, True),
        ("missing", {"student": "", "exercise": "06_exp"}, False),
        ("not-started", {}, True),
        ("not-started", {"exercise": "06_exp", "is_gradable": True}, False),
        ("failed", {}, False),
        ("failed", {"is_newer": True}, True),
        ("failed", {"student": ""}, False),
    ],
)
def test_an_exercise_is_open_where_a_file_may_be_its_answer(status, file, expected):
    one = Pending(**{**vars(SCRIPT), **file})
    before = [result("Ada", "05_square", task("5.1", 0, status))]
    results = with_pending(before, [one], {"05_square", "06_exp"})
    (after,) = with_questions(results, questions_of(results, [one], {}, {}))
    assert is_open(after) == expected


@pytest.mark.parametrize(
    ("one", "kinds"),
    [
        (result("Ada", doubts=("It is late.",)), ["late"]),
        (result("Ada", "05_square", task("5.1", 0, "grader-error")), ["fault"]),
        (
            result("Ada", "05_square", task("5.1", 0, "not-gradable", message=EARLIER_WORK)),
            ["changed"],
        ),
        (
            result("Ada", "05_square", *[task(f"5.{n}", 0, "not-gradable") for n in (1, 2)]),
            ["instead"],
        ),
        (
            result("Ada", "05_square", ODD, ELSEWHERE, doubts=("A copy?",)),
            ["accept", "place", "accept"],
        ),
        (result("Ada", "05_square", task("5.1", 1, by_hand=True), task("5.2", 0, "missing")), []),
    ],
)
def test_each_kind_is_told_by_what_is_open(one, kinds):
    late = {("Ada", "05_square"): "It is late."}
    assert [asked.kind for asked in questions_of([one], [], {}, late)] == kinds


def test_every_line_is_read_as_it_is_written(tmp_path):
    hostile = '=x, "y"'
    asked = questions_of([TWO], [Pending("", "", f"{hostile}  .ipynb", "")], {hostile: "Who?"}, {})
    lines = [text.replace("EXERCISE", "5") for one in asked for text, _ in one.lines]
    path = tmp_path / "overrides.csv"
    path.write_text("\n".join(["student,task,decision,reason", *lines]), encoding="utf-8")
    overrides, wrong = read_overrides(path)
    assert not wrong
    assert {(one.student, one.value) for one in overrides if one.value} == {
        ("STUDENT", hostile),
        (hostile, hostile),
        ("Ada", VERSIONS[1].file),
        ("STUDENT", f"{hostile}  .ipynb"),
        ("nobody", f"{hostile}  .ipynb"),
    }
