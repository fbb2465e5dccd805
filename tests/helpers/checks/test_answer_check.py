"""What a check cell shows: the report with its evidence, remarks, and sentences about the call."""

import pytest
import torch
from torch.autograd import Function

from helpers import check
from helpers.checks import EVIDENCE, answer_check, progress
from helpers.checks.answer_check import remarks
from helpers.checks.evidence import evidence_of
from helpers.checks.references import ex12, reference
from helpers.checks.tasks import find
from tests.answers import run_cell


@pytest.fixture(autouse=True)
def shown(monkeypatch):
    """What was displayed, in order; no progress is noted."""
    bundles = []
    monkeypatch.setattr(answer_check, "show", bundles.append)
    monkeypatch.setenv(progress.VARIABLE, "off")
    return bundles


def test_a_report_comes_with_the_evidence_for_the_grader(shown):
    check(5.1, reference("5.1"))  # a number without quotes is understood
    (bundle,) = shown
    assert list(bundle) == ["text/plain", "text/html", EVIDENCE]
    assert EVIDENCE == "application/vnd.autograd-course.evidence+json"
    assert bundle[EVIDENCE].keys() == {"task", "ok", "seed", "measured"}
    assert bundle["text/plain"].startswith("✓ 5.1 ")


BEGIN = 'Begin with the number of the task, in quotes, such as "5.1".'
UNKNOWN = "There is no task 5.9: exercise 5 has 5.1, 5.2 and 5.3."
LAYER = reference("3.1")[0]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: check(), BEGIN),
        (lambda: check(LAYER, "3.1"), BEGIN),
        (lambda: check.hint(LAYER), BEGIN),
        (lambda: check("5.9", 1), UNKNOWN),
        (lambda: check.hint("5.9"), UNKNOWN),
        (
            lambda: check("5.1"),
            'The answer is missing: put its name after the number, as in check("5.1", …).',
        ),
        (lambda: check("5.1", 1, 2), "Task 5.1 takes one answer. You passed 2."),
        (
            lambda: check("3.1", LAYER),
            "Task 3.1 takes two answers, the layer and its Function, in this order. You passed 1.",
        ),
    ],
)
def test_a_call_that_cannot_be_meant_gets_one_sentence(capsys, shown, call, said):
    call()
    assert (capsys.readouterr().out, shown) == (f"{said}\n", [])


SQUARE = """\
import {module}
class Square(Function):
    {static}
    def forward(ctx, x):
        {saves}
        return x**2

    @staticmethod
    def backward(ctx, g):
        {x}
        return {factor} * x * g
"""
RIGHT = {
    "module": "math",
    "static": "@staticmethod",
    "saves": "ctx.save_for_backward(x)",
    "x": "(x,) = ctx.saved_tensors",
    "factor": 2,
}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"module": "subprocess"}, "✓, but whoever grades it has to look at it: line 1 imports"),
        ({"module": "subprocess", "factor": 3}, ""),
        ({"static": ""}, "✓, with a remark: `forward` of `Square`: write `@staticmethod` above"),
        ({"saves": "ctx.x = x", "x": "x = ctx.x"}, "✓, with a remark: a tensor is kept as an"),
        (
            {"saves": f"{RIGHT['saves']}; y = x**2; ctx.mark_dirty(y); return y"},
            "✓, with a remark: `ctx.mark_dirty` is called with a tensor that is not an argument.",
        ),
    ],
    ids=["plain", "flagged", "wrong anyway", "not static", "on ctx", "marks what it made"],
)
@pytest.mark.filterwarnings("ignore:ctx.mark_dirty")
def test_a_right_answer_is_told_its_habits_and_what_a_person_will_look_at(
    shown, capsys, changes, said
):
    names = {"Function": Function, "__name__": "__main__"}
    run_cell(SQUARE.format(**RIGHT | changes), names, f"<test_answer_check {said}>")
    check("5.1", names["Square"])
    assert shown[0]["text/plain"].startswith("✗" if "factor" in changes else "✓")
    lines = capsys.readouterr().out.splitlines()
    assert [line[: len(said)] for line in lines] == [said] * bool(said)


def test_a_copy_that_is_saved_is_told_if_bytes_are_counted():
    def saves(kept):
        class Saves(ex12.Gelu):
            @staticmethod
            def forward(ctx, x):
                y = ex12.Gelu.forward(ctx, x)
                ctx.save_for_backward(kept(x))
                return y

        return Saves

    def told(answer):
        measured, _ = evidence_of(find("12.1"), (answer,), seed=answer_check.SEED)
        return [*remarks(measured, (answer,))]

    assert told(saves(torch.clone))[0].startswith("a copy is saved.")
    for kept in (lambda x: x, torch.detach, lambda x: x.data):  # all share one storage
        assert told(saves(kept)) == []


class FlatSquare(reference("5.1")):
    """Wrong only for batches of 6, which only the hidden check has."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (3 if x.shape[:1] == (6,) else 2) * x * g


@pytest.mark.parametrize("answer", [reference("5.1"), FlatSquare])
def test_a_hidden_check_fails_on_hidden_inputs_and_shows_no_number(shown, answer):
    check("5.1", answer)
    assert shown[0][EVIDENCE]["ok"]
    said = "5.1 Square from memory: the hidden checks pass."
    if answer is FlatSquare:
        said = "5.1 Square from memory: a hidden check failed: gradient of x."
        with pytest.raises(AssertionError, match=said):
            check.hidden("5.1", answer)
    else:
        check.hidden("5.1", answer)
    assert shown[-1]["text/plain"] == said


def test_the_evidence_does_not_depend_on_the_default_dtype():
    class WithPlainNumbers(reference("5.1")):
        @staticmethod
        def backward(ctx, grad_y):
            (x,) = ctx.saved_tensors
            return torch.full(x.shape, 0.2) * x * grad_y

    before = evidence_of(find("5.1"), (WithPlainNumbers,), seed=0)
    torch.set_default_dtype(torch.float64)
    try:
        assert evidence_of(find("5.1"), (WithPlainNumbers,), seed=0) == before
    finally:
        torch.set_default_dtype(torch.float32)
