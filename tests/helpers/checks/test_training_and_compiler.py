"""Exercises 13 and 14 tell in short what an answer does to its caller, its digits and its graph."""

import pytest
import torch

from helpers.checks import answer_check
from helpers.checks.answer_check import examine
from helpers.checks.references import reference
from helpers.checks.references.slips import Slip, edited
from helpers.checks.tasks import find

APART = ("ctx.save_for_backward(inputs[0], output)", "ctx.x, ctx.y = inputs[0], output")
BY_NAME = ("ctx.saved_tensors", "ctx.x, ctx.y")
AGAIN = ("torch.exp(x - y[:, None])", "torch.exp(x - op(x)[:, None])")
N = "n = x.norm()"
LEFT_ON = (
    "return scale * (x @ W.T)",
    "y = scale * (x @ W.T); torch.set_autocast_enabled('cpu', True); return y",
)


def answer(task, *edits):
    """Return the right answer to a task with some texts replaced."""
    return edited((reference(task),), Slip(why="", edit=edits))


@pytest.mark.parametrize(
    ("task", "edits", "said"),
    [
        ("13.1", LEFT_ON, "autocast is left on"),
        ("13.1", ("ctx.scale = scale", "ctx.scale = abs(scale)"), "grad_x, other sizes"),
        ("13.2", ("return grad_y", "return grad_y.abs()"), "plain grad_x: yours '40% wrong'"),
        ("13.2", ("rand(x.shape)", "rand(x.shape[-1])"), "in whole columns"),
        ("13.2", (" >= p", ".flatten().argsort().view(x.shape) >= p * x.numel()"), "as many in"),
        ("14.2", ("exp(x", "exp(x @ torch.eye(4).double()"), "a float32 x"),
    ],
)
def test_what_is_wrong_is_told_in_short(task, edits, said):
    diagnosis = examine(find(task), answer(task, *edits))
    assert not diagnosis.ok
    assert said in repr(diagnosis)
    assert not torch.is_autocast_enabled("cpu")  # whatever an answer leaves


@pytest.mark.parametrize(
    ("task", "edits"),
    [
        ("13.2", ("rand(x.shape)", "rand(x.mT.shape).mT")),
        ("14.1", (N, "n = x.norm(dim=tuple(range(x.dim()))[:2])")),
        ("14.2", ("return x.new_empty(len(x))", "return x.new_empty(x[:, :1].squeeze().shape)")),
    ],
)
def test_other_shapes_are_tried_where_an_answer_is_graded(task, edits):
    assert examine(find(task), answer(task, *edits)).ok
    assert not examine(find(task), answer(task, *edits), hidden=True).ok


@pytest.mark.parametrize(
    ("task", "edits", "said"),
    [
        ("13.2", ("(kept)", "(kept); ctx.kept = kept"), "as an attribute of `ctx`"),
        ("14.1", (N, "n = ctx.n = x.norm()"), "as an attribute of `ctx`"),
        ("14.2", (*APART, *BY_NAME), "as an attribute of `ctx`"),
        ("14.2", AGAIN, "the op runs again"),
    ],
)
def test_a_right_answer_is_remarked_on_and_the_reference_is_not(capsys, task, edits, said):
    answer_check.check(task, *answer(task, *edits))
    out = capsys.readouterr().out
    assert "✓" in out
    assert said in out
    answer_check.check(task, reference(task))
    assert said not in capsys.readouterr().out
