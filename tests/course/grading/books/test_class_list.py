"""A report remembers who handed in, what all were asked for, and what waits."""

import json
from dataclasses import replace

import pytest

from course.grading.books.assign import Found, Pending
from course.grading.books.class_list import (
    ClassList,
    asked_of_all,
    read_class_list,
    write_class_list,
)
from course.grading.reading.layouts import Person
from course.grading.report_folder import ReportError
from tests.course.grading.books.samples import result

ADA, BO = Person("Ada", "canvas", "5", ids=("a@x.org",)), Person("Bo")
WAITS = Pending("Ada", "05_square", "Ada/a.py", "It is a script.", "1", "hash")
KNOWN = ClassList((ADA, BO), ("05_square",), (WAITS,))


def test_it_is_kept_as_it_is(folder):
    assert read_class_list(folder) == ClassList()
    write_class_list(folder, KNOWN)
    assert read_class_list(folder) == KNOWN


@pytest.mark.parametrize("text", ["{", '{"people": 1}', "[]"])
def test_a_damaged_one_is_told(folder, text):
    (folder.path / "class.json").write_text(text)
    with pytest.raises(ReportError, match=r"class\.json is damaged: mend it, or delete it"):
        read_class_list(folder)


def test_that_of_an_earlier_version_is_read(folder):
    later = dict.fromkeys(("student", "exercise", "file", "download", "work"), "x")
    folder.write("class.json", json.dumps({"asked": [], "people": [], "later": [later]}))
    (found,) = read_class_list(folder).pending
    assert (found.student, found.file, found.is_gradable) == ("x", "x", True)


# What is other about a file that waits, and about one that comes in week 2; and what is left.
AGAIN = """\
         | download=2 student=Bo | both
student= | download=2 student=Bo | new
         | download=2 work=other | both
         | download=2            | new
         | work=other            | new"""


@pytest.mark.parametrize("row", AGAIN.splitlines())
def test_what_waits_is_left_until_it_comes_again(row):
    *changes, left = row.split("|")
    old, new = (replace(WAITS, **dict(one.split("=") for one in each.split())) for each in changes)
    found = Found({}, (), (new,))
    after = replace(KNOWN, pending=(old,)).after(found, new.download, (), {"Ada"})
    assert after.pending == ((old, new) if "both" in left else (new,))


@pytest.mark.parametrize("waits", [WAITS, replace(WAITS, student="")])
def test_what_more_than_half_handed_in_is_asked_of_all(waits):
    found = Found(dict.fromkeys([result("Bo")]), (), (waits,))
    assert asked_of_all(found) == ("05_square",)
    other = replace(WAITS, exercise="06_exp")
    assert asked_of_all(replace(found, pending=(other,))) == ()
