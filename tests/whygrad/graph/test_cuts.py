import torch
from torch.autograd import Function

from tests.whygrad.graph.functions import Exp, ExpOnCtx, Square, leaf
from whygrad.graph import trace
from whygrad.graph.cuts import draw_cuts


class SquareKeepingTwice(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(2 * x)
        return x * x

    @staticmethod
    def backward(ctx, grad_y):
        (twice,) = ctx.saved_tensors
        return twice * grad_y


class Slope(Function):
    @staticmethod
    def forward(ctx, x, grad_y):
        ctx.save_for_backward(x, grad_y)
        return 2 * x * grad_y

    @staticmethod
    def backward(ctx, grad):
        x, grad_y = ctx.saved_tensors
        return 2 * grad_y * grad, 2 * x * grad


class SlopeSavingX(Slope):
    @staticmethod
    def forward(ctx, x, grad_y):
        ctx.save_for_backward(x)
        return 2 * x * grad_y


def _square(slope: type[Function]) -> type[Function]:
    class SquareInTwo(Square):
        @staticmethod
        def backward(ctx, grad_y):
            (x,) = ctx.saved_tensors
            return slope.apply(x, grad_y)

    return SquareInTwo


def _gradient(fn):
    x, grad_y = leaf(3), leaf(3)
    (grad_x,) = torch.autograd.grad(fn(x), x, grad_y, create_graph=True)
    return trace(grad_x=grad_x, x=x, grad_y=grad_y)


def _said(yours, right) -> list[str]:
    return draw_cuts(_gradient(yours), _gradient(right)).text.rpartition("\n\n")[2].splitlines()


def test_another_way_to_the_same_gradient_is_not_marked():
    assert draw_cuts(_gradient(lambda x: x**2), _gradient(Square.apply)) is None
    assert draw_cuts(_gradient(torch.exp), _gradient(Exp.apply)) is None


def test_the_way_and_the_constant_are_named():
    drawing = draw_cuts(_gradient(SquareKeepingTwice.apply), _gradient(Square.apply))
    assert drawing.text.rpartition("\n\n")[2].splitlines() == [
        "In yours there is no way from grad_x back to x.",
        "In yours, MulBackward0 uses a tensor of shape (3,) that has no history: "
        "to autograd it is a constant.",
    ]
    marked = [line.strip() for line in drawing.text.splitlines() if "only in right" in line]
    assert [line.split(maxsplit=1)[1] for line in marked] == ["AccumulateGrad [only in right] ← x"]
    assert "no way from grad_x" in drawing.dot
    assert "a constant: no way back" in drawing.dot


def test_where_every_way_is_there_a_right_graph_is_not_drawn():
    def twice(x):
        return ExpOnCtx.apply(x) + x**2

    def right(x):
        return Exp.apply(x) + x**2

    drawing = draw_cuts(_gradient(twice), _gradient(right))
    assert list(drawing.graphs) == [""]
    assert drawing.text.endswith("(3,) that has no history: to autograd it is a constant.")


def test_a_gradient_without_a_history_has_no_way_at_all():
    def plain(x):
        return DetachedExp.apply(x)

    assert _said(plain, Exp.apply) == ["In yours there is no way from grad_x back to x and grad_y."]


class DetachedExp(Exp):
    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return (y * grad_y).detach()


def test_what_a_second_function_does_not_save_is_named():
    assert _said(_square(SlopeSavingX).apply, _square(Slope).apply) == [
        "In yours, SlopeSavingXBackward does not save grad_y itself."
    ]


def test_what_pytorchs_functions_saved_is_not_drawn():
    drawing = draw_cuts(_gradient(SquareKeepingTwice.apply), _gradient(Square.apply))
    kinds = [node.kind for graph in drawing.graphs.values() for node in graph.nodes]
    assert kinds.count("saved") == 1  # the constant
