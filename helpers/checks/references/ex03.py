"""Give the right answers to exercise 3, From Function to Module."""

import torch
from torch import nn
from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
from helpers.checks.task import Slip


class ScaleShiftFunction(Function):
    """x (N, D), w (D,), b (D,); returns x w + b, (N, D)."""

    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x * w + b

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return grad_y * w, (grad_y * x).sum(0), grad_y.sum(0)


class ScaleShift(nn.Module):
    """A layer for x (N, features), with weight and bias, (features,) each."""

    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))

    def forward(self, x):
        return ScaleShiftFunction.apply(x, self.weight, self.bias)


class LearnedSlopeFunction(Function):
    """x (N, D), a (D,); returns x where it is positive, and a x elsewhere, (N, D)."""

    @staticmethod
    def forward(ctx, x, a):
        ctx.save_for_backward(x, a)
        return torch.where(x > 0, x, a * x)

    @staticmethod
    def backward(ctx, grad_y):
        x, a = ctx.saved_tensors
        positive = x > 0
        grad_x = torch.where(positive, grad_y, a * grad_y)
        grad_a = torch.where(positive, 0, grad_y * x).sum(0)
        return grad_x, grad_a


class LearnedSlope(nn.Module):
    """A layer for x (N, features), with slope, (features,)."""

    def __init__(self, features):
        super().__init__()
        self.slope = nn.Parameter(torch.full((features,), 0.25))

    def forward(self, x):
        return LearnedSlopeFunction.apply(x, self.slope)


class SequenceLinearFunction(Function):
    """x (N, T, n_in), W (n_out, n_in), b (n_out,) or None; returns (N, T, n_out)."""

    @staticmethod
    def forward(ctx, x, W, b):
        ctx.save_for_backward(x, W)
        ctx.has_bias = b is not None
        y = x @ W.T
        return y if b is None else y + b

    @staticmethod
    def backward(ctx, grad_y):
        x, W = ctx.saved_tensors
        words = grad_y.flatten(0, 1)
        grad_x = grad_y @ W
        grad_W = words.T @ x.flatten(0, 1)
        grad_b = words.sum(0) if ctx.has_bias else None
        return grad_x, grad_W, grad_b


class SequenceLinear(nn.Module):
    """A layer for x (N, T, n_in), with weight (n_out, n_in) and bias (n_out,) or None."""

    def __init__(self, n_in, n_out, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n_out, n_in))
        self.bias = nn.Parameter(torch.zeros(n_out)) if bias else None

    def forward(self, x):
        return SequenceLinearFunction.apply(x, self.weight, self.bias)


REFERENCES = {
    "3.1": (ScaleShift, ScaleShiftFunction),
    "3.2": (LearnedSlope, LearnedSlopeFunction),
    "3.3": (SequenceLinear, SequenceLinearFunction),
    "3.4": [2, 2, 3, 2, [18, -4, 8]],
}


def _sequence(backward):
    """Return SequenceLinear and its Function with another backward."""
    function = with_backward(SequenceLinearFunction, backward)

    class SequenceLinearOf(SequenceLinear):
        def forward(self, x):
            return function.apply(x, self.weight, self.bias)

    return SequenceLinearOf, function


def _of_lesson_1(ctx, grad_y):
    x, W = ctx.saved_tensors
    return grad_y @ W, grad_y.T @ x, grad_y.sum(0) if ctx.has_bias else None


def _with_weight(gradient):
    """Return SequenceLinear and its Function with another gradient of W."""

    def backward(ctx, grad_y):
        x, W = ctx.saved_tensors
        grad_b = grad_y.sum((0, 1)) if ctx.has_bias else None
        return grad_y @ W, gradient(grad_y, x), grad_b

    return _sequence(backward)


def _summed(summed):
    """Explain a gradient of W whose factors are summed too early."""
    return Slip(
        _with_weight(summed),
        "wrong-gradient",
        "Both factors are summed before they are multiplied, so that numbers of different words "
        "meet in a product. What is due is the sum of products, one for each word.",
        "Make one long list of N · T words of both, with `flatten(0, 1)`, and let the matrix "
        "product sum.",
    )


def _cut_anew(cut):
    """Explain a gradient of W whose factors come out of a reshape that mixes words."""
    return Slip(
        _with_weight(cut),
        "wrong-gradient",
        "The numbers of the words are mixed: `reshape` and `view` keep the numbers in their order "
        "and cut new rows from them. They do not transpose.",
        "Make one row for each word first, with `flatten(0, 1)`, and transpose that with `.T`.",
    )


SLIPS = {
    "3.3": [
        Slip(
            _sequence(_of_lesson_1),
            "raises",
            "This is the backward of lesson 1, where grad_y and x are matrices. Here they have "
            "three dimensions: N sentences of T words each, and every word used W.",
        ),
        _summed(lambda g, x: g.sum(0).T @ x.sum(0)),
        _summed(lambda g, x: g.sum(1).T @ x.sum(1)),
        _summed(lambda g, x: torch.outer(g.sum((0, 1)), x.sum((0, 1)))),
        _cut_anew(lambda g, x: g.reshape(g.shape[-1], -1) @ x.flatten(0, 1)),
        _cut_anew(lambda g, x: g.flatten(0, 1).T @ x.reshape(x.shape[-1], -1).T),
        _cut_anew(lambda g, x: g.reshape(g.shape[-1], -1) @ x.reshape(x.shape[-1], -1).T),
        _cut_anew(lambda g, x: (g.flatten(0, 1).T @ x.flatten(0, 1)).T.reshape(-1, x.shape[-1])),
    ],
}
