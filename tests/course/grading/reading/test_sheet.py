"""The instructor's notebook is read, and told from one that was not built."""

import json
from pathlib import Path

import pytest

from course.grading.reading.answers import read_answers
from course.grading.reading.sheet import Sheet, SheetCell, SheetError, arguments, read_sheet

ROOT = Path(__file__).parents[4]
EXERCISES = sorted(path.stem for path in (ROOT / "exercises").glob("*.ipynb"))


def write(path: Path, cells: dict[str, str]) -> None:
    """Write a notebook with these code cells, by id, and some text."""
    path.parent.mkdir(exist_ok=True)
    made = [{"id": name, "cell_type": "code", "source": [code]} for name, code in cells.items()]
    text = {"id": "text", "cell_type": "markdown", "source": "# Title"}
    path.write_text(json.dumps({"nbformat": 4, "cells": [text, *made]}))


def course(root: Path) -> Path:
    """Write a course of one exercise."""
    cells = {"set-up": "import torch", "answer-5-1": "x = 1", "check-5-1": 'check("5.1", x)'}
    write(root / "solutions" / "a.ipynb", cells | {"answer-5-1": "### BEGIN SOLUTION\nx = 1"})
    write(root / "exercises" / "a.ipynb", cells | {"answer-5-1": "x = ..."})
    return root


def test_an_answer_is_the_stub_and_the_rest_is_as_in_the_solution(tmp_path):
    assert read_sheet(course(tmp_path), "a") == Sheet(
        "a",
        ("5.1",),
        (
            SheetCell("set-up", "given", "", "import torch"),
            SheetCell("answer-5-1", "answer", "5.1", "x = ..."),
            SheetCell("check-5-1", "check", "5.1", 'check("5.1", x)'),
        ),
        frozenset({"text", "# Title"}),
    )


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_exercise_of_the_course_is_a_sheet(exercise):
    sheet = read_sheet(ROOT, exercise)
    assert sheet.tasks
    assert {cell.kind for cell in sheet.cells} == {"given", "answer", "check"}
    for cell in sheet.cells:
        assert "BEGIN SOLUTION" not in cell.source
        if cell.kind == "check":
            assert "check.hidden" in cell.source
            assert arguments(cell)


@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.parametrize("folder", ["exercises", "solutions"])
def test_the_courses_own_notebooks_are_read_without_a_note(exercise, folder):
    sheet = read_sheet(ROOT, exercise)
    answers = read_answers((ROOT / folder / f"{exercise}.ipynb").read_bytes(), sheet)
    stubs = {cell.id: cell.source for cell in sheet.cells if cell.kind == "answer"}
    assert answers.sources.keys() == stubs.keys()
    assert (answers.sources == stubs) == (folder == "exercises")
    assert (answers.extra, answers.notes) == ((), ())


@pytest.mark.parametrize("folder", ["exercises", "solutions"])
def test_a_missing_or_damaged_notebook_is_told(tmp_path, folder):
    path = course(tmp_path) / folder / "a.ipynb"
    for content in (b"{}", b"", b"\xff"):
        path.write_bytes(content)
        with pytest.raises(SheetError, match=r"a\.ipynb is missing or damaged: run `make build`"):
            read_sheet(tmp_path, "a")
    path.unlink()
    with pytest.raises(SheetError, match=rf"{folder}.a\.ipynb is missing or damaged"):
        read_sheet(tmp_path, "a")


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"set-up": ""}, "lacks answers or checks"),
        ({"answer-5-1": ""}, "lacks answers or checks"),
        ({"check-5-1": ""}, "lacks answers or checks"),
        ({"answer-5-1": "", "check-5-1": "", "check-5-2": ""}, "lacks answers or checks"),
        ({"answer-5-2": "", "check-5-2": ""}, r"exercises/a\.ipynb has no cell answer-5-2"),
        ({"": "x"}, "cells without an id of their own"),
    ],
)
def test_a_solution_that_does_not_fit_is_told(tmp_path, cells, message):
    write(course(tmp_path) / "solutions" / "a.ipynb", cells)
    with pytest.raises(SheetError, match=message):
        read_sheet(tmp_path, "a")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('check("5.1", Square, Other)', "Square, Other"),
        ('x = 1\ncheck("5.1",\n  f(a, "b"),  # one\n  [1,\n 2]\n)', 'f(a, "b"), [1,\n 2]'),
        ('check("5.1", é, *b)\ncheck.hidden("5.1", c)', "é, *b"),
    ],
)
def test_the_arguments_are_as_the_check_cell_has_them(source, expected):
    assert arguments(SheetCell("check-5-1", "check", "5.1", source)) == expected


@pytest.mark.parametrize(
    "source",
    [
        'check("5.2", a)',
        'check("5.1")',
        'check("5.1", a, b=1)',
        'check.hidden("5.1", a)',
        'y = check("5.1", a)',
        'if 1:\n    check("5.1", a)',
        "check(",
        "",
        "\0",
    ],
)
def test_a_cell_without_its_check_is_told(source):
    with pytest.raises(SheetError, match=r"check-5-1 has no line like `check\(\"5\.1\", Name\)`"):
        arguments(SheetCell("check-5-1", "check", "5.1", source))
