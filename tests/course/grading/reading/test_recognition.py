"""An exercise is known by its cells, whatever its file is called and whoever saved it."""

import json

import pytest

from course.grading.reading.answers import read_answers
from course.grading.reading.known_exercises import known_exercises
from course.grading.reading.recognition import recognise
from tests.course.grading.reading.layouts import (
    ROOT,
    find,
    known,
    nameless,
    notebook,
    put,
    worked,
)

NAMES = sorted(path.stem for path in (ROOT / "solutions").glob("*.ipynb"))


def colab(content: bytes) -> bytes:
    found = json.loads(content)
    for cell in found["cells"]:
        cell["metadata"] = {"id": cell.pop("id")}
    return json.dumps({**found, "nbformat_minor": 0}).encode()


def renamed_cells(content: bytes) -> bytes:
    """Return a notebook as a program leaves it that gives ids of its own."""
    found = json.loads(content)
    for number, cell in enumerate(found["cells"]):
        cell["id"] = f"{number:08x}"
        cell["metadata"] = {}
    return json.dumps(found).encode()


@pytest.mark.parametrize(
    "name", ["Hausaufgabe 5.ipynb", "Square.ipynb", "05_square (2).ipynb", "05_square", "5.json"]
)
@pytest.mark.parametrize("save", [bytes, colab, nameless, renamed_cells])
def test_right_work_is_found_whatever_it_is_called(tmp_path, name, save):
    put(tmp_path / "eva" / name, save(worked()))
    (one,) = find(tmp_path).submissions
    assert (one.student, one.exercise, one.file) == ("eva", "05_square", f"eva/{name}")
    assert one.doubts == ()
    sheet = known()[0].sheet
    assert read_answers(one.read(), sheet) == read_answers(worked(), sheet)
    assert find(tmp_path).passed_over == ()


@pytest.mark.parametrize("name", NAMES)
def test_every_exercise_is_known_without_names_of_cells(name):
    exercises = known_exercises(ROOT, NAMES, NAMES)
    (one,) = recognise(nameless(worked(name)), exercises).exercises
    assert (one.exercise, one.doubts) == (name, ())
    assert one.remarks == ("Its cells have lost their names; their text says which they are.",)


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_a_lesson_is_no_exercise(path):
    assert recognise(path.read_bytes(), known_exercises(ROOT, NAMES, NAMES)).exercises == ()


def test_the_cells_win_over_the_name(tmp_path):
    put(tmp_path / "lea" / "05_square.ipynb", worked("06_exp"))
    (one,) = find(tmp_path).submissions
    assert one.exercise == "06_exp"
    assert one.remarks == ("It is named after 05_square, but its cells are those of 06_exp.",)


def test_an_exercise_pasted_into_the_cells_of_another_is_known_by_its_checks():
    ours = json.loads(worked("06_exp"))
    ids = [cell["id"] for cell in notebook("05_square")["cells"]]
    for cell, name in zip(ours["cells"], ids, strict=False):
        cell["id"], cell["metadata"] = name, {}
    reading = recognise(json.dumps(ours).encode(), known())
    assert [one.exercise for one in reading.exercises] == ["06_exp"]


def test_two_exercises_in_one_notebook_are_both_found(tmp_path):
    both = json.loads(worked("05_square"))
    both["cells"] += json.loads(worked("06_exp"))["cells"]
    put(tmp_path / "lea" / "work.ipynb", json.dumps(both))
    several = find(tmp_path).submissions
    assert [one.exercise for one in several] == ["05_square", "06_exp"]
    said = [remark for one in several for remark in one.remarks if "more of another" in remark]
    (other,) = recognise(json.dumps(both).encode(), known()).exercises[1:]
    assert said == [f"{other.exercise} stands in a notebook that is more of another exercise."]


def test_an_answer_that_cannot_be_placed_by_its_text_asks_for_a_person():
    content = json.loads(nameless(worked()))
    content["cells"] = [c for c in content["cells"] if "third_power =" not in "".join(c["source"])]
    (one,) = recognise(json.dumps(content).encode(), known()).exercises
    assert "answer-5-3 is missing" in one.doubts[0]


def test_answers_without_their_exercise_ask_for_a_person(tmp_path):
    source = "class Square: pass\nclass WeightedSquare: pass"
    cells = [{"cell_type": "code", "source": source, "metadata": {}}]
    put(tmp_path / "max" / "own.ipynb", json.dumps({"nbformat": 4, "cells": cells}))
    put(tmp_path / "eva" / "05_square.ipynb", worked())
    (passed,) = find(tmp_path).passed_over
    assert (passed.student, passed.exercise) == ("max", "05_square")
    assert "It seems to hold answers to 05_square" in passed.reason


def test_another_notebook_asks_for_a_person_only_where_work_is_missing(tmp_path):
    lesson = json.dumps(notebook("05_square", "notebooks"))
    put(tmp_path / "eva" / "05_square.ipynb", worked())
    put(tmp_path / "eva" / "reading.ipynb", lesson)
    put(tmp_path / "max" / "reading.ipynb", lesson)
    put(tmp_path / "tim" / "05_square.ipynb", lesson)
    found = find(tmp_path)
    assert [one.student for one in found.passed_over] == ["max"]
    assert [one.student for one in found.submissions] == ["eva", "tim"]


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 10**5, b'{"cells": [1]}', b"\0" * 99])
def test_nothing_that_is_no_notebook_is_lost(tmp_path, content):
    put(tmp_path / "eva" / "05_square.ipynb", content)
    put(tmp_path / "max" / "mine.ipynb", content)
    found = find(tmp_path)
    assert [one.student for one in found.submissions] == ["eva"]
    assert [one.student for one in found.passed_over] == ["max"]


def test_another_exercise_under_the_name_of_one_that_is_missing_asks_for_a_person(tmp_path):
    put(tmp_path / "lea" / "05_square.ipynb", worked("06_exp"))
    put(tmp_path / "eva" / "05_square.ipynb", worked())
    (passed,) = find(tmp_path, "05_square").passed_over
    assert (passed.student, passed.exercise) == ("lea", "05_square")
    assert "its cells are another exercise's" in passed.reason
    put(tmp_path / "lea" / "right.ipynb", worked())
    assert find(tmp_path, "05_square").passed_over == ()
