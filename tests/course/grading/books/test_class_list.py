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
WAITS = Pending("Ada", "05_square", "Ada/a.py", "It is a script.", "week 1", "hash")
KNOWN = ClassList((ADA, BO), ("05_square",), frozenset({"Ada"}), (WAITS,))


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


# To whom a file of week 1 belongs, what is other about one that comes now, and whether both stay.
AGAIN = """\
Ada student=Bo both
    student=Bo
Ada work=other both
Ada
Ada work=other,download=week 1"""


@pytest.mark.parametrize("row", AGAIN.splitlines())
def test_what_waits_is_left_until_it_comes_again(row):
    changes = dict(one.split("=") for one in row[4:].removesuffix(" both").split(",") if one)
    old, new = replace(WAITS, student=row[:4].strip()), replace(WAITS, download="week 2")
    new = replace(new, **changes)
    after = replace(KNOWN, pending=(old,)).after(Found({}, (), (new,)), new.download, (), {"Ada"})
    assert after.pending == ((old, new) if row.endswith(" both") else (new,))


def test_a_result_that_became_a_file_waits_until_its_download_is_read_again():
    old = replace(WAITS, download="")
    for files, left in (((), (old,)), ((old.file,), ())):
        found = Found({}, (), (), files)
        assert replace(KNOWN, pending=(old,)).after(found, "week 2", (), {"Ada"}).pending == left


@pytest.mark.parametrize(
    ("changes", "asked"),
    [({"exercise": "06_exp"}, ()), ({}, ("05_square",)), ({"student": ""}, ("05_square",))],
)
def test_what_more_than_half_handed_in_is_asked_of_all(changes, asked):
    found = dict.fromkeys([result("Bo")])
    assert asked_of_all(Found(found, (), (replace(WAITS, **changes),))) == asked
