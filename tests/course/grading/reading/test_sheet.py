"""The instructor's notebook is read, and told from one that was not built."""

import json

import pytest

from course.grading.reading.answers import read_answers
from course.grading.reading.sheet import SheetCell, SheetError, arguments, read_sheet
from tests.course.grading.reading.layouts import ROOT, put

EXERCISES = sorted(path.stem for path in (ROOT / "exercises").glob("*.ipynb"))
CELLS = {"set-up": "import torch", "answer-5-1": "x = ...", "check-5-1": 'check("5.1", x)'}
SOLVED = {"answer-5-1": "### BEGIN SOLUTION\nx = 1"}


def write(path, cells):
    """Write a notebook with these code cells, by id, and some text."""
    made = [{"id": name, "cell_type": "code", "source": [code]} for name, code in cells.items()]
    text = {"id": "text", "cell_type": "markdown", "source": "# Title"}
    put(path, json.dumps({"nbformat": 4, "cells": [text, *made]}))


@pytest.fixture
def course(tmp_path):
    """Write a course of one exercise; return its folder."""
    write(tmp_path / "solutions" / "a.ipynb", CELLS | SOLVED)
    write(tmp_path / "exercises" / "a.ipynb", CELLS)
    return tmp_path


def test_an_answer_is_the_stub_and_the_rest_is_as_in_the_solution(course):
    sheet = read_sheet(course, "a")
    kinds = [("given", ""), ("answer", "5.1"), ("check", "5.1")]
    assert [(cell.kind, cell.task) for cell in sheet.cells] == kinds
    assert {cell.id: cell.source for cell in sheet.cells} == CELLS
    assert (sheet.tasks, sheet.prose) == (("5.1",), {"text", "# Title"})
    assert sheet.solved == SOLVED


@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.parametrize("folder", ["exercises", "solutions"])
def test_every_notebook_of_the_course_is_read_without_a_note(exercise, folder):
    sheet = read_sheet(ROOT, exercise)
    for cell in sheet.cells:
        assert "BEGIN SOLUTION" not in cell.source
        assert cell.kind != "check" or ("check.hidden" in cell.source and arguments(cell))
    answers = read_answers((ROOT / folder / f"{exercise}.ipynb").read_bytes(), sheet)
    assert answers.sources == (sheet.stubs if folder == "exercises" else sheet.solved)
    assert (answers.extra, answers.notes) == ((), ())


@pytest.mark.parametrize("folder", ["exercises", "solutions"])
def test_a_missing_or_damaged_notebook_is_told(course, folder):
    (course / folder / "a.ipynb").unlink()
    with pytest.raises(SheetError, match=rf"{folder}.a\.ipynb is missing or damaged: run `make"):
        read_sheet(course, "a")


@pytest.mark.parametrize(
    "names",
    [
        *([name] for name in CELLS),
        ("answer-5-1", "check-5-1", "check-5-2"),
        ("answer-5-2", "check-5-2"),
    ],
)
def test_a_solution_that_does_not_fit_is_told(course, names):
    write(course / "solutions" / "a.ipynb", dict.fromkeys(names, ""))
    with pytest.raises(SheetError, match=r"^a\.ipynb lacks answers, stubs or checks"):
        read_sheet(course, "a")


def handed(source):
    """Return the arguments of a check cell."""
    return arguments(SheetCell("check-5-1", "check", "5.1", source))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('check("5.1", Square, Other)', "Square, Other"),
        ('x = 1\ncheck("5.1",\n  f(a, "b"),  # one\n  [1,\n 2]\n)', 'f(a, "b"), [1,\n 2]'),
        ('check("5.1", é, *b)\ncheck.hidden("5.1", c)', "é, *b"),
    ],
)
def test_the_arguments_are_as_the_check_cell_has_them(source, expected):
    assert handed(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        *('check("5.2", a)', 'check("5.1")', 'check("5.1", a, b=1)', 'check.hidden("5.1", a)'),
        *('y = check("5.1", a)', "check(", "\0"),
    ],
)
def test_a_cell_without_its_check_is_told(source):
    with pytest.raises(SheetError, match=r"check-5-1 has no line like `check\(\"5\.1\", Name\)`"):
        handed(source)
