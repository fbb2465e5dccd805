"""One shape only, empty batches, contiguity, and an absent bias."""

import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, wrong
from tests.whygrad.wrong_functions.matrices import LINEAR, Linear
from tests.whygrad.wrong_functions.values import Square


class RowSoftmax(Function):
    """A softmax with a right backward; a subclass computes."""

    @classmethod
    def forward(cls, ctx, x):
        y = cls.compute(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(1, keepdim=True))


def linear(x, W, b):
    return x @ W.t() + b


def softmax(x):
    return torch.softmax(x, 1)


@wrong("fixed-size", *LINEAR, reference=linear)
class LinearFourRows(Linear):
    @staticmethod
    def backward(ctx, g):
        x, W, _ = ctx.saved_tensors
        return g @ W, g.t() @ x, torch.ones(4, dtype=g.dtype) @ g


@wrong("fixed-size", normal(3, 4), reference=torch.square)
class SquareViewed(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (2 * x * g).reshape(3, 4)


@wrong("fixed-size", normal(3, 4), reference=torch.mean)
class MeanOfTwelve(Saved):
    compute = staticmethod(torch.mean)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.expand_as(x) / 12


@wrong("fixed-size", normal(3, 4), reference=softmax)
class SoftmaxThreeRows(RowSoftmax):
    @staticmethod
    def compute(x):
        y = torch.zeros_like(x)
        for i in range(3):
            y[i] = x[i].exp() / x[i].exp().sum()
        return y


@wrong("fixed-size", normal(5), reference=torch.square)
class SquareBuffer(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        grad = torch.empty(5, dtype=g.dtype)
        grad[:] = 2 * x * g
        return grad


@wrong("fails-on-empty", normal(3, 4), reference=softmax)
class SoftmaxGlobalMax(RowSoftmax):
    @staticmethod
    def compute(x):
        e = (x - x.max()).exp()
        return e / e.sum(1, keepdim=True)


@wrong("fails-on-empty", normal(3, 4), reference=softmax)
class SoftmaxStacksRows(RowSoftmax):
    @staticmethod
    def compute(x):
        return torch.stack([row.exp() / row.exp().sum() for row in x])


@wrong("fails-on-empty", *LINEAR, reference=linear)
class LinearChecksItsBatch(Linear):
    @staticmethod
    def forward(ctx, x, W, b):
        scale = 1 / x.shape[0]
        ctx.save_for_backward(x, W)
        ctx.scale = scale
        return x @ W.t() + b

    @staticmethod
    def backward(ctx, g):
        x, W = ctx.saved_tensors
        return g @ W, (g.t() @ x) * ctx.scale * len(x), g.sum(0)


@wrong("fails-on-empty", normal(4), reference=torch.square)
class SquareBackwardStacks(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.stack([2 * a * b for a, b in zip(x, g, strict=True)])
