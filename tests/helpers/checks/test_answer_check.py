"""What a check cell shows: the report with its evidence, and of a hidden check no number."""

import signal
from dataclasses import replace

import pytest
import torch
from torch.autograd import Function

from helpers.checks import EVIDENCE, answer_check
from helpers.checks.evidence import evidence_of
from helpers.checks.hidden_words import hidden_text
from helpers.checks.references import ex12, reference
from helpers.checks.remarks import remarks
from helpers.checks.tasks import find
from tests.answers import run_cell


@pytest.fixture
def shown(monkeypatch):
    """What was displayed, in order."""
    bundles = []
    monkeypatch.setattr(answer_check, "_display", bundles.append)
    return bundles


def test_a_report_comes_with_the_evidence_for_the_grader(shown):
    answer_check.check("5.1", reference("5.1"))
    (bundle,) = shown
    assert list(bundle) == ["text/plain", "text/html", EVIDENCE]
    assert EVIDENCE == "application/vnd.autograd-course.evidence+json"
    assert bundle[EVIDENCE].keys() == {"task", "ok", "seed", "measured"}
    assert bundle["text/plain"].startswith("✓ 5.1 ")


class _WithPlainNumbers(Function):
    """x², whose backward makes a tensor of the default dtype."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return torch.full(x.shape, 0.2) * x * grad_y


def test_the_evidence_does_not_depend_on_the_default_dtype():
    before = evidence_of(find("5.1"), (_WithPlainNumbers,), seed=0)
    torch.set_default_dtype(torch.float64)
    try:
        assert evidence_of(find("5.1"), (_WithPlainNumbers,), seed=0) == before
    finally:
        torch.set_default_dtype(torch.float32)


SQUARE = """\
{0}
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return {1} * x * g
"""
LINE = (
    "✓, but whoever grades it has to look at it: line 1 imports `subprocess`. "
    "If there is a plainer way, take it.\n"
)


@pytest.mark.parametrize(
    ("first", "factor", "said"),
    [("import subprocess", 2, LINE), ("import math", 2, ""), ("import subprocess", 3, "")],
    ids=["flagged", "plain", "wrong anyway"],
)
def test_a_right_answer_that_is_flagged_is_told_so(shown, capsys, first, factor, said):
    names = {"Function": Function, "__name__": "__main__"}
    run_cell(SQUARE.format(first, factor), names, "<a cell of test_answer_check>")
    answer_check.check("5.1", names["Square"])
    assert shown[0]["text/plain"].startswith("✓" if factor == 2 else "✗")
    assert capsys.readouterr().out == said


HABITS = """\
class Square(Function):
    {0}
    def forward(ctx, x):
        {1}
        return x**2

    @staticmethod
    def backward(ctx, g):
        {2}
        return 2 * x * g
"""
SAVED = "ctx.save_for_backward(x)", "(x,) = ctx.saved_tensors"
NOT_STATIC = (
    "✓, with a remark: `forward` of `Square`: write `@staticmethod` above. There is no object of "
    "this class, and no `self`.\n"
)
MARKS = "y = x**2; ctx.mark_dirty(y); return y"
MARKED = (
    "✓, with a remark: `ctx.mark_dirty` is called with a tensor that is no argument. It is for an "
    "argument that `forward` writes into, and PyTorch warns of any other tensor: leave it out.\n"
)
ON_CTX = (
    "✓, with a remark: a tensor is kept as an attribute of `ctx`. Save it with "
    "`ctx.save_for_backward`, which notices when it was changed since; if it is saved already, "
    "take the attribute away.\n"
)


@pytest.mark.parametrize(
    ("static", "keeps", "said"),
    [
        ("@staticmethod", SAVED, ""),
        ("", SAVED, NOT_STATIC),
        ("@staticmethod", ("ctx.x = x", "x = ctx.x"), ON_CTX),
        ("@staticmethod", (f"{SAVED[0]}; {MARKS}", SAVED[1]), MARKED),
    ],
    ids=["as the lessons write it", "not static", "on ctx", "marks what it made"],
)
@pytest.mark.filterwarnings("ignore:ctx.mark_dirty")
def test_a_right_answer_has_its_habits_told(shown, capsys, static, keeps, said):
    names = {"Function": Function, "__name__": "__main__"}
    run_cell(HABITS.format(static, *keeps), names, "<a habit of test_answer_check>")
    answer_check.check("5.1", names["Square"])
    assert shown[0]["text/plain"].startswith("✓")
    assert capsys.readouterr().out == said


def test_a_copy_that_is_saved_is_told_of_where_bytes_are_counted():
    def saves(kept):
        class Saves(ex12.Gelu):
            @staticmethod
            def forward(ctx, x):
                y = ex12.Gelu.forward(ctx, x)
                ctx.save_for_backward(kept(x))
                return y

        return Saves

    told = []
    shared = saves(lambda x: x.detach()), saves(lambda x: x.data)
    for answer in (saves(lambda x: x.clone()), ex12.Gelu, *shared):
        measured, _ = evidence_of(find("12.1"), (answer,), seed=answer_check.SEED)
        told.append([*remarks(measured, (answer,))])
    assert told[0][0].startswith("a copy is saved.")
    assert told[1:] == [[], [], []]  # a detached tensor shares its storage


class FlatSquare(Function):
    """Wrong for inputs of three dimensions, which the hidden check has alone."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (2 if x.ndim < 3 else 3) * x * g


def test_what_is_wrong_on_hidden_inputs_alone_fails_the_hidden_check(shown):
    answer_check.check("5.1", FlatSquare)
    assert shown[0][EVIDENCE]["ok"]
    with pytest.raises(AssertionError, match="a hidden check on"):
        answer_check.check.hidden("5.1", FlatSquare)


def test_hidden_checks_say_what_failed_and_show_no_number():
    assert hidden_text("5.1 Square", []) == "5.1 Square: the hidden checks pass."
    assert hidden_text("5.1 Square", ["forward"]) == (
        "5.1 Square: a hidden check on forward failed."
    )
    assert hidden_text("5.1", ["a", "b", "a", "c"]) == "5.1: a hidden check on a, b and c failed."
    many = hidden_text("5.1", [f"p{n}" for n in range(9)])
    assert many == "5.1: a hidden check on p0, p1 and 7 more failed."
    sizes = ["inputs of the shapes [5, 2], [2] (3)", "a batch of 7", "inputs of the shape [5] (1)"]
    assert hidden_text("5.1", sizes) == (
        "5.1: a hidden check on inputs of another shape and a batch of another size failed."
    )


class Endless(Function):
    @staticmethod
    def forward(ctx, x, W):
        while (x - 1).norm() > 0:
            x = x * 1
        return x

    @staticmethod
    def backward(ctx, grad_z):
        return grad_z, None


class EndlessBackward(Endless):
    @staticmethod
    def forward(ctx, x, W):
        return x * 1

    @staticmethod
    def backward(ctx, grad_z):
        while (grad_z - 1).norm() > 0:
            grad_z = grad_z * 1
        return grad_z, None


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
@pytest.mark.parametrize("seconds", [(0.2, 60), (60, 0.2)])
@pytest.mark.parametrize("answer", [Endless, EndlessBackward])
def test_a_loop_without_an_end_is_stopped_and_named(answer, seconds):
    report = answer_check.examine(replace(find("15.3"), seconds=seconds), (answer,))
    assert report.name == "raises"
    said = repr(report)
    assert "A loop does not end: it was stopped, as it took more than 0.2 s." in said
    assert "set a limit" in said
    assert report.evidence["measured"] is None


class AsksAutograd(Function):
    @staticmethod
    def forward(ctx, x, size):
        ctx.size = size
        with torch.enable_grad():
            ctx.x = x.detach().requires_grad_()
            ctx.y = reference("15.1").apply(ctx.x, size)
        return ctx.y.detach()

    @staticmethod
    def backward(ctx, grad_y):
        return torch.autograd.grad(ctx.y, ctx.x, grad_y)[0], None


def test_autograd_inside_is_named_before_the_error_that_it_brings():
    report = answer_check.examine(find("15.1"), (AsksAutograd,))
    assert report.name == "method"
    assert "second time" not in repr(report)
