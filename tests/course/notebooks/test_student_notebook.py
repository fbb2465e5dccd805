"""A student's notebook is read as it is, and gets the course's own check cells."""

import json

import pytest

from course.notebooks import student_notebook
from course.notebooks.exercise_name import Exercise
from course.notebooks.student_notebook import (
    CheckCell,
    UnreadableNotebookError,
    assemble,
    read_cells,
    read_checks,
)
from helpers.checks.answer_check import EVIDENCE
from helpers.checks.judge_answer import judge
from helpers.checks.known import expected
from tests import ours
from tests.answers import ROOT
from tests.course.solved import RIGHT, answers, cell, solution, write

ONE = CheckCell("check-5-1", "check one", "5.1", {})
TWO = CheckCell("check-5-2", "check two", "5.2", {})


def exercise(path):
    """Return the exercise whose solution this is."""
    return Exercise(path.stem, path, path, path.parent / "no stub.ipynb")


def test_the_evidence_has_the_mime_type_that_the_check_gives_it():
    assert student_notebook.EVIDENCE == EVIDENCE


def test_the_checks_of_a_solution_are_their_visible_part_and_its_evidence(tmp_path):
    checks = read_checks(exercise(write(tmp_path / "solutions" / "a.ipynb", solution())))
    assert [check.task for check in checks] == list(RIGHT)
    assert [check.measured.value for check in checks] == list(RIGHT.values())
    for check in checks:
        assert check.source.startswith("from IPython.display import display\n")
        assert check.source.endswith("raw=True)")


@pytest.mark.parametrize("name", ours.NAMES)
def test_what_a_solution_of_the_course_shows_is_right(name):
    solved = ROOT / "solutions" / f"{name}.ipynb"
    for check in read_checks(exercise(solved)):
        assert judge(check.measured, check.measured).ok, check.task


def test_the_first_evidence_counts_as_the_hidden_check_shows_its_own(tmp_path):
    cells = solution()
    hidden = json.loads(json.dumps(cells[2]["outputs"][0]).replace("1.0", "9.0"))
    cells[2]["outputs"].append(hidden)
    checks = read_checks(exercise(write(tmp_path / "solutions" / "a.ipynb", cells)))
    assert checks[0].measured.value == 1.0


def test_a_solution_that_was_not_run_is_told(tmp_path):
    cells = solution()
    cells[4]["outputs"] = []
    path = write(tmp_path / "solutions" / "a.ipynb", cells)
    with pytest.raises(UnreadableNotebookError, match=r"a\.ipynb shows no evidence for 5\.2"):
        read_checks(exercise(path))


def test_a_stub_of_a_release_is_judged_by_what_is_known_of_the_right_answers(tmp_path):
    cells = [cell("check-5-3", "check('5.3', a3)")]
    stub = write(tmp_path / "stubs" / "a.ipynb", cells)
    (check,) = read_checks(Exercise("a", stub, tmp_path / "no solution.ipynb", stub))
    assert (check.source, check.measured) == ("check('5.3', a3)", expected("5.3"))


def test_check_cells_are_the_courses_own_at_the_students_places():
    cells = answers("a = 1", "b = 2")
    sources = [each.source for each in assemble(cells, [ONE, TWO])]
    assert sources == ["import math", "a = 1", "check one", "b = 2", "check two"]


def test_a_deleted_check_cell_follows_the_last_answer_to_its_task():
    cells = [
        cell("answer-5-1", "a = 1"),
        cell("answer-5-1-b", "b = 1"),
        cell("mine", "c = 1"),
        cell("answer-5-2", "a = 2"),
    ]
    sources = [each.source for each in assemble(cells, [ONE, TWO])]
    assert sources == ["a = 1", "b = 1", "check one", "c = 1", "a = 2", "check two"]


def test_without_its_answer_a_deleted_check_cell_comes_last():
    assert [each.id for each in assemble([cell("mine", "x")], [ONE])] == ["mine", "check-5-1"]
    assert [each.id for each in assemble([], [ONE, TWO])] == ["check-5-1", "check-5-2"]


def test_a_second_check_cell_of_the_same_id_is_left_out():
    cells = [cell("check-5-1", "x"), cell("check-5-1", "y"), cell("check-9-9", "z")]
    assert assemble(cells, [ONE]) == [ONE]


def test_a_check_cell_made_text_is_run_all_the_same_and_other_text_is_not():
    cells = [cell("check-5-1", "x", cell_type="markdown"), cell("y", "z", cell_type="raw")]
    assert assemble(cells, [ONE]) == [ONE]


def test_cells_without_an_id_and_with_text_line_by_line_are_read(tmp_path):
    old = cell("", ["a = 1\n", "b = 2"])
    del old["id"]
    (found,) = assemble(read_cells(write(tmp_path / "a.ipynb", [old])), [])
    assert (found.id, found.source) == ("", "a = 1\nb = 2")


BROKEN = {
    "empty": "",
    "cut": '{"cells": [',
    "a list": "[]",
    "no cells": "{}",
    "an old format": '{"nbformat": 3, "worksheets": []}',
    "cells of text": '{"cells": ["a"]}',
    "a number for a source": '{"cells": [{"cell_type": "code", "source": 1}]}',
    "a number for an id": '{"cells": [{"cell_type": "code", "source": "", "id": 1}]}',
    "half a character": '{"cells": [{"cell_type": "code", "source": "\\ud800"}]}',
    "too deep": "[" * 100_000,
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_what_is_no_notebook_is_told_in_a_sentence(tmp_path, text):
    path = tmp_path / "a.ipynb"
    path.write_text(text)
    with pytest.raises(UnreadableNotebookError, match="is not a notebook, or a damaged one"):
        read_cells(path)


def test_a_missing_file_is_told_in_a_sentence(tmp_path):
    with pytest.raises(UnreadableNotebookError, match=r"\(No such file or directory\)"):
        read_cells(tmp_path / "a.ipynb")
