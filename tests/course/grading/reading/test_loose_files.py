"""What lies loose in the folder of submissions is found, or asks whose it is."""

import json
import os
import zipfile

import pytest

from tests.course.grading.reading.layouts import find, notebook, put, worked

CLASS = ("Ada Lovelace", "Müller, Jürg", "Bo Li", "Bo Li", "Ann Lee", "Ann Lee Fox", "Zed")
_TEXT = {"cell_type": "markdown", "source": "Hello", "metadata": {}}
OTHER = json.dumps({"cells": [_TEXT], "metadata": {}, "nbformat": 4, "nbformat_minor": 4})


def laid(root, form: str, *names: str):
    """Lay notebooks with answers beside each other, or pack them."""
    if form == "folder":
        for name in names:
            put(root / "class" / name, worked(mark=name))
        return root / "class"
    with zipfile.ZipFile(root / "class.zip", "w") as archive:
        for name in names:
            archive.writestr(name, worked(mark=name))
    return root / "class.zip"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("zed_05_square.py", "zed_05_square.py is a Python script, not a notebook."),
        ("zed.py", "zed.py is a Python script, not a notebook."),
        ("ada.eml", "ada.eml is an e-mail, and what is attached to it is not looked at."),
        ("Re_ exercise 5.eml", "Re_ exercise 5.eml is an e-mail"),
        ("photo.jpg", "photo.jpg is not a notebook."),
        ("answers.txt", "answers.txt is not a notebook."),
        ("other.ipynb", "No cell of it is one of an exercise"),
    ],
)
@pytest.mark.parametrize("asked", [(), ("05_square",)])
def test_a_loose_file_asks_whose_it_is(tmp_path, name, reason, asked):
    put(tmp_path / name, OTHER if name == "other.ipynb" else "words")
    put(tmp_path / "05_square.ipynb", worked())
    put(tmp_path / "Ada" / "05_square.ipynb", worked())
    (passed,) = [one for one in find(tmp_path, *asked).passed_over if one.file == name]
    assert passed.student == ""
    assert passed.reason.startswith(reason)
    assert f"Nothing says whose {name} is: " in passed.reason
    do = "save what is attached to it" if name.endswith("eml") else "put it"
    assert f"{do} into a folder of the student's name" in passed.reason


def test_many_loose_files_are_all_told(tmp_path):
    root = laid(tmp_path, "folder", *(f"n{number}_05_square.ipynb" for number in range(30)))
    assert len(find(root).passed_over) == 30


def test_a_loose_file_of_an_exercise_that_is_not_graded_is_noted(tmp_path):
    put(tmp_path / "zed_06_exp.py", "x")
    put(tmp_path / "any.ipynb", worked("06_exp"))
    put(tmp_path / "Ada" / "05_square.ipynb", worked())
    assert find(tmp_path, "05_square").notes == (
        "any.ipynb, nobody's, is of 06_exp, none of the exercises to grade.",
        "zed_06_exp.py, nobody's, is of 06_exp, none of the exercises to grade.",
    )


def test_lists_beside_the_submissions_are_nobodys_work(tmp_path):
    for name in ("README.md", "Ada Lovelace.csv"):
        put(tmp_path / name, "x")
    put(tmp_path / "Bob" / "05_square.ipynb", worked())
    found = find(tmp_path, listed=CLASS)
    assert (found.students, found.passed_over) == (("Bob",), ())
    assert found.notes == ("Ada Lovelace.csv, README.md beside the submissions are nobody's work.",)


@pytest.mark.parametrize("form", ["folder", "archive"])
@pytest.mark.parametrize(
    ("name", "whose"),
    [
        ("ada_lovelace_00.ipynb", "Ada Lovelace"),
        ("Lovelace, Ada - Exercise5.ipynb", "Ada Lovelace"),
        ("ADA.LOVELACE05.ipynb", "Ada Lovelace"),
        ("Müller_Jürg_exercise0.ipynb", "Müller, Jürg"),
        ("jurg muller.ipynb", "Müller, Jürg"),
        ("mueller_juerg_05_square.ipynb", "Müller, Jürg"),
    ],
)
def test_a_loose_notebook_with_one_whole_name_is_theirs(tmp_path, form, name, whose):
    root = laid(tmp_path, form, name)
    (one,) = find(root, listed=CLASS).submissions
    assert (one.student, one.person.name, one.person.platform) == (whose, whose, "")
    assert f"{name} counts as theirs: the list of the class has that name." in one.remarks
    (passed,) = find(root).passed_over
    assert "let the file's name hold their whole name" in passed.reason


@pytest.mark.parametrize(
    "name",
    [
        "ada_05_square.ipynb",
        "adam_lovelace.ipynb",
        "bo_li_05.ipynb",
        "ann_lee_fox.ipynb",
        "zed_05.ipynb",
        "ada_lovelace_and_jurg_muller.ipynb",
    ],
)
def test_a_loose_notebook_without_one_whole_name_is_nobodys(tmp_path, name):
    found = find(laid(tmp_path, "folder", name), listed=CLASS)
    assert found.students == ()
    assert [one.student for one in found.passed_over] == [""]


def test_no_name_of_a_students_own_beats_a_folder_or_a_platform(tmp_path):
    for name in ("Bob/ada_lovelace.ipynb", "mal_101_5001_ada_lovelace.ipynb"):
        put(tmp_path / name, worked(mark=name))
    assert find(tmp_path, listed=CLASS).students == ("Bob", "mal")


def test_a_loose_script_with_a_whole_name_is_theirs(tmp_path):
    put(tmp_path / "ada_lovelace.py", "x")
    (passed,) = find(tmp_path, "05_square", listed=CLASS).passed_over
    assert passed.student == "Ada Lovelace"


@pytest.mark.parametrize("is_newer", [False, True])
def test_a_file_that_is_known_by_its_name_alone_beats_no_other_work(tmp_path, is_newer):
    copied = notebook(folder="solutions")
    for cell in copied["cells"]:
        cell["source"] = [line for line in cell["source"] if "### " not in line]
    for content in (json.dumps(copied), worked(mark="own"), json.dumps(notebook())):
        own = put(tmp_path / "Ada Lovelace" / "05_square.ipynb", content)
        loose = put(tmp_path / "ada lovelace 05.ipynb", worked())
        for path, time in ((own, 1e9), (loose, 2e9 if is_newer else 1e8)):
            os.utime(path, (time, time))
        (one,) = find(tmp_path, listed=CLASS).submissions
        assert one.file == "Ada Lovelace/05_square.ipynb"
        assert "ada lovelace 05.ipynb holds other answers than" in one.doubts[-1]
