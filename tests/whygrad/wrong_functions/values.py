"""Wrong forward values, inputs handed back, exceptions, and no Function at work."""

import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, wrong


@wrong("wrong-forward", normal(5), reference=torch.var)
class VarianceOverN(Saved):
    compute = staticmethod(lambda x: ((x - x.mean()) ** 2).mean())

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * (x - x.mean()) / x.numel()


@wrong("wrong-forward", normal(3, 4), reference=lambda x: x.norm(dim=1))
class RowNormNoRoot(Saved):
    compute = staticmethod(lambda x: (x * x).sum(1))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g[:, None] * 2 * x


@wrong("wrong-forward", normal(4, 3), reference=lambda x: x.sum(1))
class RowSumKeepsDimension(Saved):
    compute = staticmethod(lambda x: x.sum(1, keepdim=True))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.expand_as(x)


@wrong("wrong-forward", normal(6), reference=torch.sigmoid)
class SigmoidWrongValueRightSlope(Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / (1 + torch.exp(-x))
        ctx.save_for_backward(y)
        return 1 - y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y * (1 - y)


class Identity(Function):
    """Its input, as it is."""

    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g


@wrong("returns-input", normal(3), reference=torch.clone)
class CloneIsTheInput(Identity):
    pass


@wrong("returns-input", normal(2, 3), reference=lambda x: x.t().contiguous())
class TransposeIsAView(Function):
    @staticmethod
    def forward(ctx, x):
        return x.t()

    @staticmethod
    def backward(ctx, g):
        return g.t()


@wrong("returns-input", normal(2, 3), reference=lambda x: x.reshape(-1) * 1)
class FlattenIsAView(Saved):
    compute = staticmethod(torch.flatten)

    @staticmethod
    def backward(ctx, g):
        return g.reshape(ctx.saved_tensors[0].shape)


class Square(Saved):
    """x squared."""

    compute = staticmethod(torch.square)
