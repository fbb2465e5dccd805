"""A report remembers who handed in, what all were asked for, and what waits."""

import json
from dataclasses import replace

import pytest

from course.grading.books.assign import Found, Pending, Submission
from course.grading.books.class_list import (
    ClassList,
    asked_of_all,
    read_class_list,
    write_class_list,
)
from course.grading.reading.files import File
from course.grading.reading.people import Person
from course.grading.report_folder import ReportError, ReportFolder

ADA, BO = Person("Ada", "canvas", "5", ids=("a@x.org",)), Person("Bo")
WAITS = Pending("Ada", "05_square", "Ada/a.py", "It is a script.", "week 1", "hash")
KNOWN = ClassList((ADA, BO), ("05_square",), frozenset({"Ada"}), (WAITS,))


@pytest.fixture
def folder(tmp_path):
    """Return a report that nothing was graded into yet."""
    report = ReportFolder(tmp_path / "report")
    yield report
    report.close()


def test_it_is_kept_as_it_is(folder):
    assert read_class_list(folder) == ClassList()
    write_class_list(folder, KNOWN)
    assert read_class_list(folder) == KNOWN


@pytest.mark.parametrize("text", ["", "{", "[]", '{"people": 1}', '{"people": [{}], "asked": []}'])
def test_a_damaged_one_is_told(folder, text):
    (folder.path / "class.json").write_text(text)
    with pytest.raises(ReportError, match=r"class\.json is damaged: mend it, or delete it"):
        read_class_list(folder)


def test_that_of_an_earlier_version_is_read(folder):
    later = {"student": "Bo", "exercise": "06_exp", "file": "b", "download": "week 1", "work": "w"}
    data = {"asked": [], "people": [{"name": "Bo", "work": True}], "later": [later]}
    (folder.path / "class.json").write_text(json.dumps(data))
    (one,) = read_class_list(folder).pending
    assert (one.student, one.exercise, one.file, one.is_gradable) == ("Bo", "06_exp", "b", True)


@pytest.mark.parametrize(
    ("changes", "is_left"),
    [
        ({"student": "Bo"}, True),
        ({"work": "other"}, True),
        ({"work": ""}, True),
        ({}, False),
        ({"download": "week 1", "student": "Bo"}, False),
    ],
)
@pytest.mark.parametrize("student", ["Ada", ""])
def test_what_waits_is_left_until_it_comes_again(changes, is_left, student):
    new = replace(WAITS, **{"download": "week 2", **changes})
    known = replace(KNOWN, pending=(replace(WAITS, student=student),))
    after = known.after(Found((), (), (new,)), new.download, (), {"Ada"})
    is_left = is_left and not (student == "" and changes == {"student": "Bo"})
    assert len(after.pending) == 1 + is_left
    assert after.pending[-1] == new


def test_whose_results_were_taken_out_is_gone_and_others_stay():
    after = KNOWN.after(Found((), (Person("Cy"),)), "week 2", ["06_exp"], {"Cy"})
    assert [one.name for one in after.people] == ["Bo", "Cy"]
    assert (after.asked, after.workers) == (("05_square", "06_exp"), {"Cy"})


def test_what_more_than_half_handed_in_is_asked_of_all():
    one = Submission("Ada", "05_square", File(("a",), None))
    waits = replace(WAITS, student="Bo", exercise="06_exp")
    assert asked_of_all(Found((one,), (), (waits,))) == ()
    assert asked_of_all(Found((one,), (), (replace(waits, exercise="05_square"),))) == (
        "05_square",
    )
    assert asked_of_all(Found((one,), (), (replace(waits, student=""),))) == ("05_square",)
