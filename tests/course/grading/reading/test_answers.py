"""Only the code of answer cells is taken from a student's notebook, whatever else is in it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.grading.reading.answers import Answers, NotGradableError, read_answers
from course.grading.reading.sheet import Sheet, SheetCell

SHEET = Sheet(
    "05_square",
    ("5.1", "5.2"),
    (
        SheetCell("set-up", "given", "", "import torch"),
        SheetCell("answer-5-1", "answer", "5.1", "x = ..."),
        SheetCell("check-5-1", "check", "5.1", 'check("5.1", x)'),
        SheetCell("answer-5-2", "answer", "5.2", "y = ..."),
        SheetCell("check-5-2", "check", "5.2", 'check("5.2", y)'),
    ),
)
RIGHT = {"answer-5-1": "x = 1", "answer-5-2": "y = 2"}


def cell(name: str, source: Any = "", **more: Any) -> dict[str, Any]:
    return {"id": name, "cell_type": "code", "source": source, **more}


def old(name: str, source: str) -> dict[str, Any]:
    """Return a cell of a notebook whose cells have no ids."""
    metadata = {"nbgrader": {"grade_id": name}}
    return {"cell_type": "code", "source": source, "metadata": metadata}


def usual() -> list[dict[str, Any]]:
    sources = {one.id: one.source for one in SHEET.cells} | RIGHT
    return [cell(name, source) for name, source in sources.items()]


def read(cells: Any, **more: Any) -> Answers:
    return read_answers(json.dumps({"nbformat": 4, "cells": cells, **more}).encode(), SHEET)


def reason(content: bytes) -> str:
    with pytest.raises(NotGradableError) as caught:
        read_answers(content, SHEET)
    message = str(caught.value)
    assert message.endswith(".")
    assert len(message) < 150
    return message


def test_the_answers_are_taken_by_id_and_nothing_else():
    assert read(usual()) == Answers(RIGHT, (), ())


@pytest.mark.parametrize(("place", "task"), [(1, "5.1"), (2, "5.1"), (3, "5.1"), (5, "5.2")])
def test_text_of_the_student_s_own_is_seen_beside_a_task(place, task):
    cells = usual()
    cells.insert(place, {"id": "mine", "cell_type": "markdown", "source": "it is 6"})
    assert task in read(cells).beside


def test_text_of_the_exercise_and_empty_text_are_not_the_student_s():
    sheet = replace(SHEET, prose=frozenset({"statement", "What is x ?"}))
    cells = usual()
    cells.insert(1, {"id": "statement", "cell_type": "markdown", "source": "What is x, then?"})
    cells.insert(1, {"id": "other", "cell_type": "markdown", "source": "What\nis x ?"})
    cells.insert(1, {"id": "empty", "cell_type": "markdown", "source": " "})
    content = json.dumps({"nbformat": 4, "cells": cells}).encode()
    assert read_answers(content, sheet).beside == ()


def test_nothing_but_the_source_counts():
    cells = usual()
    for each in cells:
        each["outputs"] = [{"output_type": "stream", "text": "passed"}]
        each["metadata"] = {"tags": ["raises-exception", "nbval-skip"], "nbgrader": {"points": 99}}
        each["execution_count"] = "7"
    cells[2]["source"] = "# NBVAL_SKIP"
    cells[4]["source"] = 'print("passed")'
    read_again = read(cells, metadata={"kernelspec": {"name": "evil"}}, more=[1])
    assert read_again == Answers(RIGHT, ('print("passed")',), ())


@pytest.mark.parametrize(
    "change",
    [
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace('"id"', '"x": NaN, "y": -Infinity, "id"').encode(),
        lambda text: text.replace('"nbformat": 4', '"nbformat": 4, "nbformat_minor": 0').encode(),
        lambda text: text.replace('"nbformat": 4,', "").encode(),
        lambda text: b"\n\n" + text.encode() + b"\n",
    ],
)
def test_an_unusual_file_is_read(change):
    text = json.dumps({"nbformat": 4, "cells": usual()}, indent=1)
    assert read_answers(change(text), SHEET).sources == RIGHT


def test_a_source_may_be_lines_and_end_them_as_windows_does():
    cells = [cell("answer-5-1", ["a\r\n", "b\n", "c\r"]), cell("answer-5-2", "d\r\ne")]
    assert read(cells).sources == {"answer-5-1": "a\nb\nc\n", "answer-5-2": "d\ne"}


def test_a_cell_without_an_id_is_known_by_what_nbgrader_calls_it():
    assert read([old(name, source) for name, source in RIGHT.items()]) == Answers(RIGHT, (), ())
    cells = [{"id": "x1", **old("answer-5-1", "x = 1")}, cell("answer-5-2", "y = 2")]
    assert read(cells).sources == RIGHT


def test_a_cell_of_colab_is_known_by_the_id_in_its_metadata():
    cells = [cell("x", source, metadata={"id": name}) for name, source in RIGHT.items()]
    assert read(cells).sources == RIGHT


def test_an_id_counts_more_than_what_nbgrader_calls_it():
    found = read([*usual(), {"id": "copy", **old("answer-5-1", "x = 9")}])
    assert found == Answers(RIGHT, ("x = 9",), ())


def test_a_cell_that_was_split_is_put_together():
    first = {"id": "new", **old("answer-5-1", "a = 1")}
    cells = [*usual()[:1], first, cell("answer-5-1", "x = a"), *usual()[2:]]
    found = read(cells)
    assert found.sources["answer-5-1"] == "a = 1\nx = a"
    assert found.notes == ("The answer cell answer-5-1 occurs 2 times: all were run, in order.",)
    assert read([old("answer-5-1", "a"), old("answer-5-1", "b")]).sources == {"answer-5-1": "a\nb"}


def test_a_cell_that_occurs_twice_is_taken_in_order():
    found = read([*usual(), cell("answer-5-1", "x += 1")])
    assert found.sources == RIGHT | {"answer-5-1": "x = 1\nx += 1"}
    assert found.notes == ("The answer cell answer-5-1 occurs 2 times: all were run, in order.",)


def test_a_missing_answer_is_told():
    found = read(usual()[:3])
    assert found.sources == {"answer-5-1": "x = 1"}
    assert found.notes == ("The answer cell answer-5-2 is missing.",)


@pytest.mark.parametrize("kind", ["markdown", "raw", "heading", "Code"])
def test_an_answer_that_is_no_code_counts_as_missing(kind):
    found = read([cell("answer-5-1", "x = 1", cell_type=kind), *usual()[3:]])
    assert found.sources == {"answer-5-2": "y = 2"}
    assert found.notes[0] == "The answer cell answer-5-1 is not a code cell."
    assert found.extra == ("x = 1",)


def test_what_was_added_to_a_check_cell_is_kept_and_what_was_left_out_is_not():
    cells = usual()
    cells[2]["source"] = "# mine\n\n  " + SHEET.cells[2].source
    cells[4]["source"] = "y = 2\n" + SHEET.cells[4].source
    assert read(cells) == Answers(RIGHT, (cells[4]["source"],), ())


def test_other_code_is_kept_and_is_no_answer():
    cells = [cell("own", "def f(): pass\ud800"), cell("", " \n"), *usual()]
    cells[2]["source"] = "import torch, math"
    assert read(cells) == Answers(
        RIGHT,
        ("def f(): pass?", "import torch, math"),
        ("The cell set-up was changed: the course's own stands in its place.",),
    )


def test_a_file_that_is_no_notebook_is_told():
    assert reason(b"") == reason(b" \n") == "The file is empty."
    for content in (b"x", b"\0" * 99, b"\xff\xfe\xfd", b"PK\x03\x04", b"{", b"9" * 5000):
        assert reason(content) == "The file is no notebook, or a damaged one."
    for content in (b"[" * 10**6, b'{"a":' * 10**5):
        assert reason(content) == "The file is nested too deeply to be a notebook."
    for content in (b"[]", b"1", b"null", b'"cells"', b"NaN"):
        assert reason(content).startswith("The file is no notebook: ")


@pytest.mark.parametrize("version", [3, 2, 1, 0, -1, 3.9, -(10**4000)])
def test_an_old_format_is_told(version):
    content = json.dumps({"nbformat": version, "worksheets": [{"cells": usual()}]})
    assert "a format older than 4: open and save it in JupyterLab" in reason(content.encode())


@pytest.mark.parametrize(
    ("notebook", "message"),
    [
        ({"nbformat": "4", "cells": usual()}, "does not say which notebook format"),
        ({"nbformat": True, "cells": usual()}, "does not say which notebook format"),
        ({"nbformat": 4}, "no cells"),
        ({"nbformat": 4, "cells": []}, "no cells"),
        ({"nbformat": 4, "cells": {}}, "no cells"),
        ({"nbformat": 4, "cells": [None]}, "Cell 1 of the notebook is damaged"),
        ({"nbformat": 4, "cells": [*usual(), {"source": ""}]}, "Cell 6 of the notebook is damaged"),
        ({"nbformat": 4, "cells": [cell("answer-5-1", None)]}, "The text of cell 1"),
        ({"nbformat": 4, "cells": [cell("answer-5-1", ["a", 1])]}, "The text of cell 1"),
        ({"nbformat": 4, "cells": [cell("answer-6-1")]}, "answer to 05_square: it is another"),
    ],
)
def test_a_notebook_that_cannot_be_graded_says_why(notebook, message):
    assert message in reason(json.dumps(notebook).encode())


def quietly(content: bytes) -> None:
    """Read it, and let nothing but a refusal be raised."""
    try:
        answers = read_answers(content, SHEET)
    except NotGradableError:
        return
    json.dumps([answers.sources, answers.extra, answers.notes], ensure_ascii=False).encode()
    assert answers.sources.keys() <= RIGHT.keys()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
KEYS = ("id", "cell_type", "source", "metadata", "outputs")
VALUES = ANYTHING | st.sampled_from([*RIGHT, "code", ["a\n"], {"nbgrader": {"grade_id": "set-up"}}])
CELLS = st.lists(st.dictionaries(st.sampled_from(KEYS), VALUES) | ANYTHING, max_size=4)


@given(st.binary())
def test_no_bytes_raise_anything_else(content):
    quietly(content)


@given(ANYTHING)
def test_no_json_raises_anything_else(data):
    quietly(json.dumps(data).encode())


@given(CELLS, st.sampled_from([4, 4.5, 5]) | ANYTHING)
def test_no_cells_raise_anything_else(cells, version):
    quietly(json.dumps({"nbformat": version, "cells": usual() + cells}).encode())


def test_damaged_characters_spoil_only_the_answer_that_holds_them():
    cells = [cell("answer-5-1", "x = '\ud800'"), cell("answer-5-2", "y = 2")]
    notebook = json.dumps({"nbformat": 4, "cells": cells}).encode()
    found = read_answers(notebook, SHEET)
    assert found.sources == {"answer-5-1": "x = '?'", "answer-5-2": "y = 2"}
    assert any("damaged characters" in note for note in found.notes)


def test_a_file_that_is_nearly_all_brackets_is_not_taken_apart():
    assert "too many parts" in reason(b'{"nbformat": 4, "cells": [' + b"{}," * 1_100_000 + b"{}]}")


def test_more_code_than_anybody_writes_is_not_graded():
    cells = [*usual(), cell("mine", "x = 1\n" * 10**6)]
    assert "more code" in reason(json.dumps({"nbformat": 4, "cells": cells}).encode())
    text = {"id": "text", "cell_type": "markdown", "source": "word " * 10**6}
    assert read([*usual(), text]).sources == RIGHT
