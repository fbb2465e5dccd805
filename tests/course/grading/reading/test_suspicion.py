"""A file that is no notebook and may be work is known for what it is, and asks for a person."""

import json
import os

import nbformat
import pytest
from nbconvert import HTMLExporter, PythonExporter

from tests.course.grading.reading.layouts import find, put, worked


def exported(kind: type) -> str:
    """Return a student's exercise as Jupyter exports it."""
    return kind().from_notebook_node(nbformat.reads(worked().decode(), as_version=4))[0]


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        (
            "work.html",
            HTMLExporter,
            "is a web page, such as a printed notebook.",
        ),
        ("work.py", PythonExporter, "is a Python script, not a notebook."),
    ],
)
def test_an_export_is_told_with_its_exercise(tmp_path, name, kind, words):
    put(tmp_path / "eva" / name, exported(kind))
    put(tmp_path / "bob" / "05_square.ipynb", worked())
    (passed,) = find(tmp_path).passed_over
    assert (passed.student, passed.exercise, passed.file) == ("eva", "05_square", f"eva/{name}")
    assert words in passed.reason


@pytest.mark.parametrize("name", ["05_square.pdf", "Square.docx", "answers.py", "notes.md"])
def test_what_may_be_work_asks_for_a_person_only_where_there_is_no_other(tmp_path, name):
    put(tmp_path / "eva" / name, b"%PDF")
    put(tmp_path / "bob" / "05_square.ipynb", worked())
    (passed,) = find(tmp_path).passed_over
    assert passed.student == "eva"
    assert passed.exercise in ("", "05_square")
    put(tmp_path / "eva" / "work.ipynb", worked())
    assert [one.file for one in find(tmp_path).passed_over] in ([], [f"eva/{name}"])


@pytest.mark.parametrize("name", ["a.png", "b.csv", "notes.txt", "data.json"])
def test_what_cannot_be_work_is_listed_only_if_it_is_all(tmp_path, name):
    put(tmp_path / "eva" / name, b"1")
    put(tmp_path / "bob" / "05_square.ipynb", worked())
    put(tmp_path / "bob" / name, b"1")
    (passed,) = find(tmp_path).passed_over
    assert passed.reason.startswith(f"Nothing was handed in that can be graded, only {name}.")
    assert passed.student == "eva"


def test_a_notebook_under_another_ending_is_graded(tmp_path):
    put(tmp_path / "eva" / "homework.txt", worked())
    assert [one.student for one in find(tmp_path).submissions] == ["eva"]


def test_a_web_page_of_hostile_brackets_is_read_in_time(tmp_path):
    put(tmp_path / "eva" / "a.html", b"<" * 2**22 + b"check(" * 10**5)
    put(tmp_path / "bob" / "05_square.ipynb", worked())
    assert [one.student for one in find(tmp_path).passed_over] == ["eva"]


def test_many_strange_files_of_one_student_do_not_hide_the_work(tmp_path):
    for number in range(50):
        put(tmp_path / "eva" / f"{number}.ipynb", json.dumps({"cells": [{}], "n": number}))
    put(tmp_path / "eva" / "z.ipynb", worked())
    assert [one.file for one in find(tmp_path).submissions] == ["eva/z.ipynb"]


def test_a_folder_that_cannot_be_read_asks_for_a_person(tmp_path, monkeypatch):
    put(tmp_path / "eva" / "05_square.ipynb", worked())
    put(tmp_path / "bob" / "05_square.ipynb", worked())
    real = os.scandir

    def scandir(folder):
        if str(folder).endswith("eva"):
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    found = find(tmp_path)
    assert [one.student for one in found.submissions] == ["bob"]
    (passed,) = found.passed_over
    assert passed.student == "eva"
    assert passed.reason.startswith("eva cannot be read (Permission denied).")


def test_the_notebook_of_another_week_asks_for_a_person_unless_most_have_one(tmp_path):
    for name in ("ada", "bob", "eva"):
        put(tmp_path / name / "05_square.ipynb", worked())
    put(tmp_path / "abe" / "work.ipynb", worked("06_exp"))
    (passed,) = find(tmp_path, "05_square").passed_over
    assert (passed.student, passed.file, passed.exercise) == ("abe", "abe/work.ipynb", "")
    assert passed.reason.startswith("It is 06_exp, which is not graded now.")
    for name in ("ada", "bob"):
        put(tmp_path / name / "06_exp.ipynb", worked("06_exp"))
    assert find(tmp_path, "05_square").passed_over == ()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("doejohn_123_456_text.html", "text.html is text that was typed into Canvas"),
        ("doejohn_123_text.html", "text.html is text that was typed into Canvas"),
        ("doejohn_LATE_123_link.html", "link.html is a link that was typed into Canvas"),
        (
            "Ada_12_assignsubmission_onlinetext_/onlinetext.html",
            "onlinetext.html is text that was typed into Moodle",
        ),
        ("eva/text.html", "text.html is a web page, such as a printed notebook."),
    ],
)
def test_what_was_typed_into_a_platform_is_no_printed_notebook(tmp_path, name, words):
    put(tmp_path / name, "<p>Here it is</p>")
    (passed,) = find(tmp_path).passed_over
    assert passed.reason.startswith(words)
