"""Only the code of answer cells is taken from a student's notebook, whatever else is in it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.grading.reading.answers import Answers, NotGradableError, read_answers
from course.grading.reading.sheet import Sheet, SheetCell

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


def cell(name: str, source: Any = "", kind: str = "code", **more: Any) -> dict[str, Any]:
    return {"id": name, "cell_type": kind, "source": source, **more}


def old(name: str, source: str) -> dict[str, Any]:
    """Return a cell that only nbgrader's metadata name."""
    return cell("", source, metadata={"nbgrader": {"grade_id": name}})


USUAL = [cell(one.id, RIGHT.get(one.id, one.source)) for one in SHEET.cells]
FIRST, SECOND = USUAL[1], USUAL[3]


def changed(place: int, **more: Any) -> list[dict[str, Any]]:
    return [{**one, **more} if at == place else one for at, one in enumerate(USUAL)]


def read(cells: Any, **more: Any) -> Answers:
    return read_answers(json.dumps({"nbformat": 4, "cells": cells, **more}).encode(), SHEET)


@pytest.mark.parametrize(
    ("cells", "extra"),
    [
        (USUAL, ()),
        ([*USUAL, old("answer-5-1", "x = 9")], ("x = 9",)),
        ([old(*one) for one in RIGHT.items()], ()),
        ([cell("x", source, metadata={"id": name}) for name, source in RIGHT.items()], ()),
        ([{**old("answer-5-1", "x = 1"), "id": "x1"}, SECOND], ()),
        ([cell("own", "def f(): pass\ud800"), cell("", " \n"), *USUAL], ("def f(): pass?",)),
        (changed(2, source=f"# mine\n\n  {CHECK}"), ()),
        (changed(2, source="# NBVAL_SKIP"), ()),
        (changed(2, source=f"y = 2\n{CHECK}"), (f"y = 2\n{CHECK}",)),
        (changed(2, source='print("passed")'), ('print("passed")',)),
        ([{**one, "outputs": [{"text": "passed"}], "execution_count": "7"} for one in USUAL], ()),
        ([{**one, "metadata": {"tags": ["x"], "nbgrader": {"points": 9}}} for one in USUAL], ()),
        ([*USUAL, cell("text", "word " * 10**6, "markdown")], ()),
    ],
)
def test_the_answers_are_taken_by_the_names_of_their_cells_and_nothing_else(cells, extra):
    found = read(cells, metadata={"kernelspec": {"name": "evil"}}, more=[1])
    assert (found.sources, found.extra, found.notes) == (RIGHT, extra, ())


SPLIT = [USUAL[0], old("answer-5-1", "a = 1"), cell("answer-5-1", "x = a"), *USUAL[2:]]
TWICE = "The answer cell answer-5-1 occurs 2 times: all were run, in order."


@pytest.mark.parametrize(
    ("cells", "first", "note"),
    [
        (SPLIT, "a = 1\nx = a", TWICE),
        ([old("answer-5-1", "a"), old("answer-5-1", "b"), SECOND], "a\nb", TWICE),
        ([*USUAL, cell("answer-5-1", "x += 1")], "x = 1\nx += 1", TWICE),
        ([SECOND], None, "The answer cell answer-5-1 is missing."),
        *(
            ([cell("answer-5-1", "x", kind), SECOND], None, "answer-5-1 is not a code cell.")
            for kind in ("markdown", "raw", "heading", "Code")
        ),
        (changed(1, source="'\ud800'"), "'?'", "holds damaged characters: ? stands for them."),
        (changed(0, source="import a"), "x = 1", "the course's own stands in its place."),
        (changed(1, source=["a\r\n", "b\n", "c\r"]), "a\nb\nc\n", ""),
    ],
)
def test_what_is_unusual_about_an_answer_is_noted(cells, first, note):
    found = read(cells)
    assert found.sources == {**({"answer-5-1": first} if first else {}), "answer-5-2": "y = 2"}
    assert "".join(found.notes).endswith(note)
    assert len(found.notes) == bool(note)


@pytest.mark.parametrize(("place", "task"), [(1, "5.1"), (2, "5.1"), (3, "5.1"), (5, "5.2")])
@pytest.mark.parametrize(
    ("name", "text", "is_own"),
    [("mine", "it is 6", 1), ("statement", "other", 0), ("a", "What\nis x ?", 0), ("b", " ", 0)],
)
def test_text_of_the_student_s_own_is_seen_beside_a_task(place, task, name, text, is_own):
    cells = [*USUAL[:place], cell(name, text, "markdown"), *USUAL[place:]]
    assert (task in read(cells).beside) == is_own


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
    text = json.dumps({"nbformat": 4, "cells": USUAL}, indent=1)
    assert read_answers(change(text), SHEET).sources == RIGHT


BROKEN = (b"x", b"\0" * 99, b"\xff\xfe\xfd", b"PK\x03\x04", b"{", b"9" * 5000)
NOTEBOOKS = [
    ({"nbformat": "4", "cells": USUAL}, "does not say which notebook format"),
    ({"nbformat": True, "cells": USUAL}, "does not say which notebook format"),
    *(({"nbformat": 4, **cells}, "no cells") for cells in ({}, {"cells": []}, {"cells": {}})),
    ({"cells": [None]}, "Cell 1 of the notebook is damaged"),
    ({"cells": [*USUAL, {"source": ""}]}, "Cell 6 of the notebook is damaged"),
    ({"cells": [cell("answer-5-1", None)]}, "The text of cell 1"),
    ({"cells": [cell("answer-5-1", ["a", 1])]}, "The text of cell 1"),
    ({"cells": [cell("answer-6-1")]}, "answer to 05_square: it is another"),
    ({"cells": [*USUAL, cell("mine", "x = 1\n" * 10**6)]}, "more code"),
    *(
        ({"nbformat": version, "worksheets": []}, "a format older than 4: open and save it in")
        for version in (3, 2, 0, -1, 3.9, -(10**4000))
    ),
]
FILES = [
    *((content, "The file is empty.") for content in (b"", b" \n")),
    *((content, "The file is no notebook, or a damaged one.") for content in BROKEN),
    *((content, "nested too deeply") for content in (b"[" * 10**6, b'{"a":' * 10**5)),
    *((content, "is no notebook: ") for content in (b"[]", b"1", b"null", b'"cells"', b"NaN")),
    (b'{"nbformat": 4, "cells": [' + b"{}," * 1_100_000 + b"{}]}", "too many parts"),
    *((json.dumps(one).encode(), reason) for one, reason in NOTEBOOKS),
]


@pytest.mark.parametrize(("content", "reason"), FILES, ids=map(str, range(len(FILES))))
def test_what_cannot_be_graded_says_why(content, reason):
    with pytest.raises(NotGradableError) as caught:
        read_answers(content, SHEET)
    said = str(caught.value)
    assert reason in said
    assert said.endswith(".")
    assert len(said) < 150


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
KEYS = ("id", "cell_type", "source", "metadata", "outputs")
VALUES = ANYTHING | st.sampled_from([*RIGHT, "code", ["a\n"], {"nbgrader": {"grade_id": "set-up"}}])
CELLS = st.lists(st.dictionaries(st.sampled_from(KEYS), VALUES) | ANYTHING, max_size=4)
NOTEBOOK = st.builds(
    lambda cells, version: {"nbformat": version, "cells": USUAL + cells},
    *(CELLS, st.sampled_from([4, 4.5, 5]) | ANYTHING),
)


@given(st.binary() | (ANYTHING | NOTEBOOK).map(lambda data: json.dumps(data).encode()))
def test_no_content_raises_anything_else(content):
    try:
        answers = read_answers(content, SHEET)
    except NotGradableError:
        return
    json.dumps([answers.sources, answers.extra, answers.notes], ensure_ascii=False).encode()
    assert answers.sources.keys() <= RIGHT.keys()
