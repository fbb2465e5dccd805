"""Sums, means, norms and normalisations with a wrong gradient."""

import torch

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, wrong


class MeanSquaredDifference(Saved):
    """A scalar."""

    compute = staticmethod(lambda a, b: ((a - b) ** 2).mean())


class Softmax(Saved):
    """Along the rows."""

    compute = staticmethod(lambda x: torch.softmax(x, 1))


@wrong("wrong-shape", normal(3, 4), reference=lambda x: x.sum(1))
class RowSumNotExpanded(Saved):
    compute = staticmethod(lambda x: x.sum(1))

    @staticmethod
    def backward(ctx, g):
        return g[:, None]


@wrong("wrong-shape", normal(2, 5))
class ColumnSumNotExpanded(Saved):
    compute = staticmethod(lambda x: x.sum(0))

    @staticmethod
    def backward(ctx, g):
        return g


@wrong("sum-or-mean", normal(2, 3, 2), reference=torch.mean)
class MeanNotDivided(Saved):
    compute = staticmethod(torch.mean)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.expand_as(x)


@wrong("sum-or-mean", normal(3, 4))
class RowSumDivided(Saved):
    compute = staticmethod(lambda x: x.sum(1))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g[:, None].expand_as(x) / x.shape[1]


@wrong("wrong-gradient", normal(3, 3), reference=lambda x: x.norm(dim=1))
class RowNormNotDivided(Saved):
    compute = staticmethod(lambda x: x.norm(dim=1))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g[:, None] * x


@wrong("wrong-gradient", normal(6))
class NormNotDivided(Saved):
    compute = staticmethod(torch.norm)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x


@wrong("wrong-factor", normal(5), reference=torch.var)
class VarianceBiasedGradient(Saved):
    compute = staticmethod(torch.var)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * (x - x.mean()) / x.numel()


@wrong("wrong-mask", normal(3, 4), reference=lambda x: x.amax(1))
class RowMaxToAll(Saved):
    compute = staticmethod(lambda x: x.amax(1))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g[:, None].expand_as(x)


@wrong("wrong-mask", normal(4, 4))
class RowMaxOfColumns(Saved):
    compute = staticmethod(lambda x: x.amax(1))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g[:, None] * (x == x.amax(0, keepdim=True))
