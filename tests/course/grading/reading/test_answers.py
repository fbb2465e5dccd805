"""Only the code of answer cells is taken from a student's notebook, whatever else is in it."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.grading.reading.answers import NotGradableError, read_answers
from course.grading.reading.sheet import Sheet, SheetCell
from tests.course.grading.classes import ANYTHING

RIGHT = {"answer-5-1": "x = 1", "answer-5-2": "y = 2"}
CHECK = 'check("5.1", x)'
SHEET = Sheet(
    "05_square",
    ("5.1", "5.2"),
    (
        SheetCell("set-up", "given", "", "import torch"),
        SheetCell("answer-5-1", "answer", "5.1", "x = ..."),
        SheetCell("check-5-1", "check", "5.1", CHECK),
        SheetCell("answer-5-2", "answer", "5.2", "y = ..."),
        SheetCell("check-5-2", "check", "5.2", 'check("5.2", y)'),
    ),
    frozenset({"statement", "What is x ?"}),
)


def cell(name, source="", kind="code", **more):
    return {"id": name, "cell_type": kind, "source": source, **more}


def old(name, source):
    """Return a cell that only nbgrader's metadata name."""
    return cell("", source, metadata={"nbgrader": {"grade_id": name}})


USUAL = [cell(one.id, RIGHT.get(one.id, one.source)) for one in SHEET.cells]


def changed(place, **more):
    return [{**one, **more} if at == place else one for at, one in enumerate(USUAL)]


def read(cells, **more):
    return read_answers(json.dumps({"nbformat": 4, "cells": cells, **more}).encode(), SHEET)


PRINTED = 'print("passed")'


@pytest.mark.parametrize(
    ("cells", "extra"),
    [
        ([*USUAL, old("answer-5-1", PRINTED)], (PRINTED,)),
        ([old(*one) for one in RIGHT.items()], ()),
        ([cell("x", source, metadata={"id": name}) for name, source in RIGHT.items()], ()),
        ([cell("own", "def f(): pass\ud800"), cell("", " \n"), *USUAL], ("def f(): pass?",)),
        (changed(2, source=f"# mine\n\n  {CHECK}"), ()),
        (changed(2, source=f"y = 2\n{CHECK}"), (f"y = 2\n{CHECK}",)),
        (changed(2, source=PRINTED), (PRINTED,)),
        ([{**one, "outputs": [PRINTED], "metadata": [1]} for one in USUAL], ()),
    ],
)
def test_the_answers_are_taken_by_the_names_of_their_cells_and_nothing_else(cells, extra):
    found = read(cells, metadata={"kernelspec": {"name": "evil"}}, more=[1])
    assert (found.sources, found.extra, found.notes) == (RIGHT, extra, ())


TWICE = "The answer cell answer-5-1 occurs 2 times: all were run, in order."


@pytest.mark.parametrize(
    ("cells", "first", "note"),
    [
        ([USUAL[0], old("answer-5-1", "a = 1"), *USUAL[1:]], "a = 1\nx = 1", TWICE),
        ([*USUAL, cell("answer-5-1", "x += 1")], "x = 1\nx += 1", TWICE),
        ([USUAL[3]], None, "The answer cell answer-5-1 is missing."),
        (changed(1, cell_type="markdown"), None, "answer-5-1 is not a code cell."),
        (changed(1, source="'\ud800'"), "'?'", ""),
        (changed(0, source="import a"), "x = 1", "the course's own stands in its place."),
        (changed(1, source=["a\r\n", "b\n", "c\r"]), "a\nb\nc\n", ""),
    ],
)
def test_what_is_unusual_about_an_answer_is_noted(cells, first, note):
    found = read(cells)
    assert found.sources.get("answer-5-1") == first
    assert found.sources["answer-5-2"] == "y = 2"
    assert (len(found.notes), "".join(found.notes).endswith(note)) == (bool(note), True)


@pytest.mark.parametrize(("place", "task"), [(1, "5.1"), (2, "5.1"), (3, "5.1"), (5, "5.2")])
@pytest.mark.parametrize(
    ("name", "text"), [("mine", "it is 6"), ("statement", "6"), ("a", "What\nis x ?"), ("b", " ")]
)
def test_text_of_the_student_s_own_is_seen_beside_a_task(place, task, name, text):
    found = read([*USUAL[:place], cell(name, text, "markdown"), *USUAL[place:]]).beside
    assert (task in found) == (name == "mine")


@pytest.mark.parametrize("code", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("more", ["\r\n", '"x": NaN, "y": -Infinity,'])
def test_an_unusual_file_is_read(code, more):
    text = json.dumps({"cells": USUAL}).replace("{", "{" + more)
    assert read_answers(text.encode(code), SHEET).sources == RIGHT


DAMAGED = ({}, {"source": ""}, {"cell_type": "code"}, {"cell_type": "code", "source": ["a", 1]})
REASONS = {
    "The file is empty.": [b"", b" \n"],
    "The file is no notebook, or a damaged one.": [
        *(b"\xff\xfe\xfd", b"{", b"9" * 5000, b"[" * 10**6, b'{"a":' * 10**5, b"null"),
    ],
    "no cells": [b"{}", b'{"cells": []}', b'{"cells": {}}'],
    "Cell 1 of the notebook is damaged": [json.dumps({"cells": [one]}).encode() for one in DAMAGED],
    "answer to 05_square: it is another": [b'{"cells": [{"cell_type": "code", "source": ""}]}'],
    "too many parts": [b'{"cells": [' + b"{}," * 1_100_000 + b"{}]}"],
    "more code": [json.dumps({"cells": [*USUAL, cell("mine", "x = 1\n" * 10**6)]}).encode()],
}


@pytest.mark.parametrize("reason", REASONS)
def test_what_cannot_be_graded_says_why(reason):
    for content in REASONS[reason]:
        with pytest.raises(NotGradableError) as caught:
            read_answers(content, SHEET)
        said = str(caught.value)
        assert reason in said
        assert said.endswith(".")


KEYS = ("id", "cell_type", "source", "metadata")
CELL = st.dictionaries(st.sampled_from(KEYS), ANYTHING | st.sampled_from([*RIGHT, "code", ["a\n"]]))
CELLS = st.lists(CELL | ANYTHING, max_size=4).map(lambda cells: {"cells": USUAL + cells})


@given(st.binary() | (ANYTHING | CELLS).map(lambda data: json.dumps(data).encode()))
def test_no_content_raises_anything_else(content):
    with contextlib.suppress(NotGradableError):
        answers = read_answers(content, SHEET)
        json.dumps([answers.sources, answers.extra, answers.notes], ensure_ascii=False).encode()
        assert answers.sources.keys() <= RIGHT.keys()
