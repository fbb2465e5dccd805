"""What follows from where a Function keeps its tensors: seen, wherever they are."""

import gc

import pytest
import torch
from torch.autograd import Function

from whygrad.evidence import Keeping
from whygrad.measure.keeping import keeping

X = torch.tensor([0.5, -1.5], dtype=torch.float64)


class Saved(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return y * grad_y


class Output(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.y = torch.exp(x)
        return ctx.y

    @staticmethod
    def backward(ctx, grad_y):
        return ctx.y * grad_y


class Closure(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.slope = lambda: torch.exp(x)
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_y):
        return ctx.slope() * grad_y


class Rounded(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(torch.tensor(0.3))
        ctx.three = torch.tensor(3.0, dtype=x.dtype)
        return 0.3 * x

    @staticmethod
    def backward(ctx, grad_y):
        return ctx.saved_tensors[0] * grad_y


class Numbers(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.ends = (-0.5, 0.5)
        ctx.x, ctx.nested, ctx.array = (x * 1).tolist(), [[0.5, 1], [2]], x.detach().numpy()
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        return 2 * torch.tensor(ctx.x, dtype=torch.float64) * grad_y


class Raising(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad_y):
        raise ValueError


@pytest.mark.parametrize(
    ("kind", "cycle", "again", "unnoticed", "on_ctx"),
    [
        (Saved, False, False, [], []),
        (Output, True, True, ["the output"], ["ctx.y"]),
        (Closure, False, True, [0], []),
        (Rounded, False, False, [], ["ctx.three (one number)"]),
    ],
)
def test_each_consequence_is_seen(kind, cycle, again, unnoticed, on_ctx):
    found = keeping(kind.apply, (X,), 0)
    assert found.cycle is cycle
    assert found.again is again
    assert found.unnoticed == unnoticed
    assert found.on_ctx == on_ctx
    assert gc.isenabled()


def test_a_number_in_float32_is_told_beside_float64_alone():
    assert keeping(Rounded.apply, (X,), 0).rounded == ["`ctx.saved_tensors[0]`"]
    assert keeping(Rounded.apply, (X.float(),), 0).rounded == []


def test_as_many_numbers_as_an_input_has_are_told_outside_of_tensors():
    found = keeping(Numbers.apply, (torch.cat([X, X[:1]]),), 0)
    assert found.numbers == ["`ctx.x`", "`ctx.nested`", "`ctx.array`"]
    assert keeping(Saved.apply, (X,), 0).numbers == []


def test_what_cannot_be_tried_is_no_evidence():
    assert keeping(Raising.apply, (X,), 0) == Keeping()
    assert keeping(lambda x: x.detach(), (X,), 0) == Keeping()
