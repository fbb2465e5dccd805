import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from tests.whygrad.graph.functions import Square, leaf
from whygrad.graph import nodes


def test_installing_twice_wraps_once():
    engine = torch.autograd._engine_run_backward
    nodes.install()
    assert torch.autograd._engine_run_backward is engine


def test_backward_without_create_graph_records_nothing():
    runs = list(nodes._runs())
    x = leaf(3)
    Square.apply(x).sum().backward()
    assert nodes._runs() == runs


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True:UserWarning")
def test_grad_and_backward_both_leave_notes():
    for differentiate in (
        lambda y, x: torch.autograd.grad(y, x, create_graph=True)[0],
        lambda y, x: y.backward(create_graph=True, inputs=[x]) or x.grad,
    ):
        x = leaf(3)
        y = Square.apply(x).sum()
        grad_x = differentiate(y, x)
        assert nodes.recorded_during_backward(grad_x.grad_fn)
        assert not nodes.recorded_during_backward(y.grad_fn)
        x.grad = None


class Once(Square):
    @staticmethod
    @once_differentiable
    def backward(ctx, grad_y):
        return Square.backward(ctx, grad_y)


def test_the_node_of_once_differentiable_counts_as_recorded_during_backward():
    x = leaf(3)
    y = Once.apply(x)
    (grad_x,) = torch.autograd.grad(y, x, y, create_graph=True)
    assert nodes.recorded_during_backward(grad_x.grad_fn)
    assert not nodes.recorded_during_backward(y.grad_fn)


class Recomputing(Function):
    """A Function whose backward runs a backward pass of its own."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        before = x * 1
        (grad_x,) = torch.autograd.grad(before.exp(), before, grad_y, create_graph=True)
        return grad_x * 1


def test_a_backward_inside_a_backward_counts_once():
    runs = len(nodes._runs())
    x = leaf(3)
    (grad_x,) = torch.autograd.grad(Recomputing.apply(x).sum(), x, create_graph=True)
    assert len(nodes._runs()) == runs + 1
    assert nodes.recorded_during_backward(grad_x.grad_fn)


def test_a_backward_that_raises_still_leaves_its_error():
    y = Square.apply(leaf(3)).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()
