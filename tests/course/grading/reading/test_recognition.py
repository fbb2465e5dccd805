"""An exercise is known by its cells, whatever its file is called and whoever saved it."""

import json

import pytest

from course.grading.reading.answers import read_answers
from course.grading.reading.recognition import recognise
from course.grading.reading.sheet import read_sheet
from tests.course.grading.reading.layouts import (
    ROOT,
    known,
    lay,
    notebook,
    read,
    worked,
)

NAMES = sorted(path.stem for path in (ROOT / "solutions").glob("*.ipynb"))
SHEETS = [read_sheet(ROOT, name) for name in NAMES]

# By who saved a notebook: the id that a cell has then, and its metadata.
SAVED = {
    "JupyterLab": lambda _, name: (name, {}),
    "Colab": lambda _, name: ("", {"id": name}),
    "a program without ids": lambda *_: ("", {}),
    "a program with ids of its own": lambda number, _: (f"{number:08x}", {}),
}


def saved(content, by):
    """Return a notebook as somebody saves it."""
    found = json.loads(content)
    for number, cell in enumerate(found["cells"]):
        cell["id"], cell["metadata"] = by(number, cell["id"])
    return json.dumps(found).encode()


def nameless(content):
    """Return a notebook whose cells have lost their ids, and all that programs note."""
    return saved(content, SAVED["a program without ids"])


@pytest.mark.parametrize("program", SAVED)
def test_right_work_is_found_whoever_saved_it(program):
    content = saved(worked(), SAVED[program])
    (one,) = recognise(content, known()).exercises
    assert (one.exercise, one.doubts) == ("05_square", ())
    assert read_answers(content, known()[0]) == read_answers(worked(), known()[0])


@pytest.mark.parametrize("name", NAMES)
def test_every_exercise_is_known_without_names_of_cells(name):
    (one,) = recognise(nameless(worked(name)), SHEETS).exercises
    assert (one.exercise, one.doubts) == (name, ())


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_a_lesson_is_no_exercise(path):
    assert recognise(path.read_bytes(), SHEETS).exercises == ()


def test_an_exercise_pasted_into_the_cells_of_another_is_known_by_its_checks():
    ids = {number: cell["id"] for number, cell in enumerate(notebook("05_square")["cells"])}
    pasted = saved(worked("06_exp"), lambda number, _: (ids.get(number, ""), {}))
    (one,) = recognise(pasted, known()).exercises
    assert one.exercise == "06_exp"


def test_two_exercises_in_one_notebook_are_both_found():
    both = json.loads(worked("05_square"))
    both["cells"] += json.loads(worked("06_exp"))["cells"]
    main, other = recognise(json.dumps(both).encode(), known()).exercises
    assert {main.exercise, other.exercise} == {"05_square", "06_exp"}
    assert (main.is_main, other.is_main) == (True, False)


def test_an_answer_that_cannot_be_placed_by_its_text_asks_for_a_person():
    content = json.loads(nameless(worked()))
    content["cells"] = [c for c in content["cells"] if "third_power =" not in "".join(c["source"])]
    (one,) = recognise(json.dumps(content).encode(), known()).exercises
    assert "answer-5-3 is missing" in one.doubts[0]


OWN = {"cell_type": "code", "source": "class Square: pass\nclass WeightedSquare: pass"}


def test_answers_in_another_notebook_are_told_with_their_exercise():
    found = recognise(json.dumps({"cells": [OWN]}).encode(), known())
    assert (found.exercises, found.seems) == ((), "05_square")
    assert "It seems to hold answers to 05_square" in found.reason
    other = recognise(b'{"cells": [{"cell_type": "code", "source": ""}]}', known())
    assert (other.seems, "it is another notebook" in other.reason) == ("", True)


def test_the_cells_win_over_the_name_which_is_told(tmp_path):
    found = read(lay(tmp_path, {"lea/05_square.ipynb": worked("06_exp")}))
    assert [one.found.exercise for one in found.candidates] == ["06_exp"]
    (left,) = found.leftovers
    assert left.exercise == "05_square"
    assert "its cells are another exercise's" in left.reason
