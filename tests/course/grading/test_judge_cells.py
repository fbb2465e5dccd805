"""A task's status comes from evidence alone, whatever the evidence is."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.grading import judge_cells
from course.grading.judge_cells import judge_task
from course.notebooks.nbval_run import Outcome
from course.notebooks.student_notebook import Cell
from helpers.checks import EVIDENCE
from helpers.checks.references import expected
from tests.course.grading.classes import ANYTHING
from whygrad.codec import encoded

SEED, TASK = 5, "5.1"
DUE = (expected(TASK, SEED, False), expected(TASK, SEED, True))
ANSWER = Outcome(Cell("answer-5-1", ""))


def shown(*pieces: dict) -> Outcome:
    """Return what a check cell showed."""
    outputs = [{"output_type": "display_data", "data": {EVIDENCE: piece}} for piece in pieces]
    return Outcome(Cell("check-5-1", ""), outputs)


def piece(hidden: bool, measured=None, **more) -> dict:
    """Return one piece of evidence; that of the right answer if no other is given."""
    data = encoded(DUE[hidden]) if measured is None else measured
    return {"task": TASK, "seed": SEED, "hidden": hidden, "measured": data, **more}


def judged(*pieces: dict):
    """Judge what a check cell showed."""
    return judge_task([ANSWER, shown(*pieces)], DUE, SEED, TASK)


FIRST_ORDER = piece(False)
del FIRST_ORDER["measured"]["trials"][0]["second"]


@pytest.mark.parametrize(
    ("pieces", "status"),
    [
        ([], "error"),
        ([piece(True)], "error"),
        ([piece(False)], "error"),
        ([piece(False, seed=6), piece(True, seed=6)], "error"),
        ([piece(False, task="5.2"), piece(True, task="5.2")], "error"),
        ([piece(False), piece(False), piece(True)], "not-gradable"),
        ([FIRST_ORDER, piece(True)], "not-gradable"),
    ],
)
def test_evidence_that_is_missing_or_of_something_else_says_so(pieces, status):
    found = judged(*pieces)
    assert (found.status, bool(found.message)) == (status, True)


def test_an_answer_that_raised_is_named_where_there_is_no_evidence():
    raised = {"output_type": "error", "ename": "E", "evalue": "n" * 999}
    found = judge_task([Outcome(ANSWER.cell, [raised]), shown()], DUE, SEED, TASK)
    assert found.message == f"answer-5-1 raised E: {'n' * 297} …."
    assert found.raised == f"E: {'n' * 999}"


def test_exceptions_in_the_evidence_are_noted():
    wrong = piece(False)
    wrong["measured"]["trials"][0]["any"] = [{"type": "ValueError", "message": "no"}]
    assert judged(wrong, piece(True)).raised == "ValueError: no"


def troubled(trouble: str) -> Outcome:
    late = shown(piece(False), piece(True))
    late.trouble = trouble
    return late


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        ([], ""),
        ([ANSWER], ""),
        ([ANSWER, troubled("slow")], "timeout"),
        ([ANSWER, troubled("died")], "died"),
    ],
)
def test_a_check_that_was_not_reached_has_no_status_and_trouble_is_one(outcomes, status):
    assert judge_task(outcomes, DUE, SEED, TASK).status == status


def with_forward(number: str) -> dict:
    """Return hidden evidence in which the first number of each output is another."""
    wrong = piece(True)
    for trial in wrong["measured"]["trials"]:
        for out in trial["outputs"]:
            out["data"] = " ".join([number, *out.get("data", "").split()[1:]])
    return wrong


@pytest.mark.parametrize(
    ("number", "hidden"),
    [
        ("7.25", "forward gives the same twice"),
        *((n, f"inputs that give {n}") for n in ("nan", "inf", "-inf")),
    ],
)
def test_a_hidden_failure_tells_the_property_or_a_number_that_is_not_finite(number, hidden):
    right, found = judged(piece(False), piece(True)), judged(piece(False), with_forward(number))
    assert (found.status, found.failed, found.hidden) == ("partly", (), (hidden,))
    assert "7.25" not in repr(found)
    assert (right.status, {*right.passed} - {*found.passed}) == ("passed", {"forward"})


@pytest.mark.parametrize(
    ("early", "diagnosis"),
    [
        (["not-started", ""], "not-started"),
        (["not-a-function", ""], "not-a-function"),
        ("ok", "raises"),
        (None, "raises"),
    ],
)
def test_what_cannot_be_run_fails_whatever_it_says(early, diagnosis):
    none = {**piece(False), "measured": None, "early": early}
    found = judged(none, piece(True))
    assert (found.status, found.diagnosis) == ("failed", diagnosis)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_evidence_that_was_tampered_with_never_stops_the_judge(data):
    mine = {"top": copy.deepcopy(DUE[0])}
    place, key = mine, "top"
    for _ in range(data.draw(st.integers(1, 6))):
        inner = place[key]
        keys = range(len(inner)) if isinstance(inner, list) else inner
        if not isinstance(inner, dict | list) or not keys:
            break
        place, key = inner, data.draw(st.sampled_from(list(keys)))
    place[key] = data.draw(ANYTHING)
    mine = mine["top"]
    found = judged(piece(False, mine), piece(True))
    assert found.status in ("passed", "partly", "failed", "not-gradable", "error")
    assert (found.status == "passed") == (found.share == 1)


def test_evidence_that_takes_too_long_to_judge_is_for_a_person(monkeypatch):
    def endless(*_):
        while True:
            pass

    monkeypatch.setattr(judge_cells, "_SECONDS", 0.05)
    monkeypatch.setattr(judge_cells, "judge", endless)
    found = judged(piece(False), piece(True))
    assert (found.status, "TooLongError" in found.message) == ("not-gradable", True)
