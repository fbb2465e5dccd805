import json

import torch
from torch.autograd import Function

from tests.whygrad.graph.functions import Square, leaf
from whygrad.codec import from_json, to_json
from whygrad.pictures import RightGraphs, pictures, right_graphs
from whygrad.verdict import Finding, Verdict

LOST = Verdict((), (Finding("second-order-lost", "the gradient of x by x"),))
NOT_A_FUNCTION = Verdict((), (Finding("not-a-function"),))


class DetachedSquare(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.detach())
        return x * x

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class ThriceSquare(Square):
    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 3 * x * grad_y


def _pictures(verdict, yours):
    return pictures(verdict, yours, Square.apply, (leaf(3),), ["x"], "grad_y")


def test_a_missing_way_is_shown_and_said():
    ((caption, drawing),) = _pictures(LOST, DetachedSquare.apply)
    assert caption == "Your graph, and a right one, of the gradient:"
    assert "In yours there is no way from grad_x back to x." in drawing.text
    assert "grad_y" in drawing.dot
    assert "grad_output" not in drawing.dot


def test_where_the_graphs_do_not_differ_there_is_no_picture():
    assert _pictures(LOST, ThriceSquare.apply) == ()
    assert _pictures(NOT_A_FUNCTION, ThriceSquare.apply) == ()


def test_a_formula_in_place_of_a_function_is_shown():
    ((caption, drawing),) = _pictures(NOT_A_FUNCTION, torch.square)
    assert caption == "Your graph, and a right one, of the output:"
    assert "Only in right: SquareBackward." in drawing.text


def test_the_right_graphs_may_be_data_that_was_written_as_json():
    data = json.loads(json.dumps(to_json(right_graphs(Square.apply, (leaf(3),), ["x"], "grad_y"))))
    for verdict, yours in ((LOST, DetachedSquare.apply), (NOT_A_FUNCTION, torch.square)):
        stored = pictures(verdict, yours, from_json(RightGraphs, data), (leaf(3),), ["x"], "grad_y")
        ((caption, drawing),) = stored
        ((wanted, due),) = _pictures(verdict, yours)
        assert (caption, drawing.text, drawing.dot) == (wanted, due.text, due.dot)
