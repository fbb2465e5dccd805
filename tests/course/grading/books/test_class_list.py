"""A report remembers who handed in, what all were asked for, and what waits."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from course.grading.books.assign import Found, Pending, Submission
from course.grading.books.class_list import (
    ClassList,
    asked_of_all,
    read_class_list,
    write_class_list,
)
from course.grading.reading.files import File
from course.grading.reading.layouts import Person
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
    later = dict.fromkeys(("student", "exercise", "file", "download", "work"), "x")
    folder.write("class.json", json.dumps({"asked": [], "people": [], "later": [later]}))
    (found,) = read_class_list(folder).pending
    assert (found.student, found.file, found.is_gradable) == ("x", "x", True)


@pytest.mark.parametrize(
    ("owner", "changes", "is_left"),
    [
        ("Ada", {"student": "Bo"}, True),
        ("", {"student": "Bo"}, False),
        ("Ada", {"work": "other"}, True),
        ("Ada", {}, False),
        ("Ada", {"download": "week 1", "work": "other"}, False),
    ],
)
def test_what_waits_is_left_until_it_comes_again(owner, changes, is_left):
    old, new = replace(WAITS, student=owner), replace(WAITS, **{"download": "week 2", **changes})
    after = replace(KNOWN, pending=(old,)).after(Found((), (), (new,)), new.download, (), {"Ada"})
    assert after.pending == ((old, new) if is_left else (new,))


def test_whose_results_were_taken_out_is_gone_and_others_stay():
    after = KNOWN.after(Found((), (Person("Cy"),)), "week 2", ["06_exp"], {"Cy"})
    assert {one.name for one in after.people} == {"Bo", "Cy"}
    assert (after.asked, after.workers) == (("05_square", "06_exp"), {"Cy"})


@pytest.mark.parametrize(
    ("changes", "asked"),
    [({"exercise": "06_exp"}, ()), ({}, ("05_square",)), ({"student": ""}, ("05_square",))],
)
def test_what_more_than_half_handed_in_is_asked_of_all(changes, asked):
    one = Submission("Bo", "05_square", File(("a",), Path("a")))
    assert asked_of_all(Found((one,), (), (replace(WAITS, **changes),))) == asked
