"""Of two notebooks whose order cannot be told, the one that a person graded alone counts."""

import pytest

from course.grading.chosen_alone import as_chosen
from course.grading.report_folder import ReportFolder
from course.grading.results import write_result
from tests.course.grading.books.reports import work
from tests.course.grading.reading.layouts import find, put, worked

ONE, TWO = "José_12_assignsubmission_file/a.ipynb", "José_12_assignsubmission_file/b.ipynb"
THREE = "José_12_assignsubmission_file/c.ipynb"
OTHERS = "Ada_13_assignsubmission_file/a.ipynb"


@pytest.fixture
def graded(tmp_path):
    """Return a function that grades files in a folder of their own, and returns the result."""
    report = ReportFolder(tmp_path / "report")
    runs = iter(range(100))

    def _graded(*files: str):
        root = tmp_path / f"download {next(runs)}"
        for file in files:
            put(root / file, worked(mark=file))
        there = as_chosen(find(root), report).submissions
        (one,) = [one for one in there if one.student == "José"]
        facts = ("person", "file", "doubts", "remarks", "choice", "is_chosen")
        result = work(one.student, **{name: getattr(one, name) for name in facts})
        write_result(report.result(one.student, one.exercise), result)
        return result

    yield _graded
    report.close()


@pytest.mark.parametrize("wanted", [ONE, TWO])
def test_it_stays_when_the_whole_download_is_graded_again(graded, wanted):
    (doubt,) = graded(ONE, TWO).doubts
    assert "grade that one alone" in doubt
    assert graded(wanted).doubts == ()
    for _ in range(2):
        again = graded(ONE, TWO)
        assert again.file == wanted
        assert again.doubts == ()
        assert f"{wanted} was graded alone, and counts" in again.remarks[-1]


def test_nobody_chose_in_the_run_of_a_class(graded):
    graded(ONE, OTHERS)
    graded(TWO, OTHERS)
    result = graded(ONE, TWO, OTHERS)
    assert result.doubts
    assert not any("graded alone" in remark for remark in result.remarks)


def test_a_choice_holds_when_a_class_is_graded_with_it(graded):
    graded(ONE, TWO, OTHERS)
    graded(TWO)
    graded(TWO, OTHERS)
    assert graded(ONE, TWO, OTHERS).file == TWO


def test_a_newer_notebook_asks_again(graded):
    graded(ONE, TWO)
    graded(TWO)
    assert graded(ONE, TWO, THREE).doubts
    assert graded(ONE, TWO, THREE).doubts
    graded(THREE)
    assert graded(ONE, TWO, THREE).file == THREE


def test_one_that_came_after_the_choice_asks(graded):
    graded(TWO)
    assert graded(ONE, TWO).doubts


def test_another_choice_takes_the_place_of_the_first(graded):
    graded(ONE, TWO)
    graded(ONE)
    graded(TWO)
    assert graded(ONE, TWO).file == TWO
