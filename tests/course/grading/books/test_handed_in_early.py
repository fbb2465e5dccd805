"""Work that came with another exercise's download is never a silent zero."""

import pytest

from course.grading.reading.for_later import ForLater
from tests.course.grading.books.reports import TASKS, Report, work

FIVE = {"exercises": ("05_square",), "named": True}
SIX = {"exercises": ("06_exp",), "named": True}
EARLY = ForLater("Hannah", "06_exp", "Hannah_12/06_exp.ipynb", "week 1.zip", "w")
TODO = (
    "Hannah_12/06_exp.ipynb was handed in with another exercise's work, and is not graded yet. "
    "It is in week 1.zip: make a copy that holds only what is this student's, and grade that with "
    "--exercise 06; or set the points in overrides.csv."
)


@pytest.fixture
def report(tmp_path):
    """Return a report of a week in which Hannah handed in the next week's exercise, too."""
    one = Report(tmp_path / "report")
    assert one.run(work("Hannah"), work("Bo"), later=[EARLY], **FIVE) == 0
    return one


def test_it_asks_a_person_once_she_would_be_missing(report, capsys):
    assert report.run(work("Bo", "06_exp"), **SIX) == 1
    assert report.grades()["Hannah", "6.1"] == ("not-gradable", "")
    assert report.totals()["Hannah"][0] == ""
    assert TODO in report.index.replace("&#39;", "'")
    assert TODO in capsys.readouterr().err
    page = (report.path / "feedback/Hannah/06_exp.html").read_text()
    assert "is not graded yet" in page
    assert "week 1.zip" not in page


def test_it_asks_in_every_later_week_until_it_is_graded(report):
    report.run(work("Bo", "06_exp"), **SIX)
    assert report.run(work("Bo"), work("Hannah"), **FIVE) == 1
    assert report.run(work("Hannah", "06_exp"), **SIX) == 0
    assert report.grades()["Hannah", "6.1"][0] == "passed"
    assert report.run(work("Bo"), later=[EARLY], **FIVE) == 0


def test_points_set_by_hand_settle_it(report):
    report.run(work("Bo", "06_exp"), **SIX)
    report.override(*(f"Hannah,{task.id},1,seen" for task in TASKS["06_exp"]))
    assert report.run(work("Bo", "06_exp"), **SIX) == 0
    assert report.grades()["Hannah", "6.1"][1] == "1"


def test_who_hands_it_in_when_it_is_due_needs_nobody(report):
    assert report.run(work("Bo", "06_exp"), work("Hannah", "06_exp"), **SIX) == 0


def test_a_class_list_of_an_older_report_is_read(report):
    path = report.path / "class.json"
    path.write_text(path.read_text().replace('"later"', '"other"'))
    assert report.run(work("Bo", "06_exp"), work("Hannah", "06_exp"), **SIX) == 0
