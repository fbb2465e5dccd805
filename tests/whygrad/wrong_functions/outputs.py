"""Functions with several outputs."""

import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, wrong


class Halves(Function):
    """The two halves of x."""

    @staticmethod
    def forward(ctx, x):
        n = len(x) // 2
        return x[:n].clone(), x[n:].clone()


class SinCos(Saved):
    """sin x and cos x."""

    compute = staticmethod(lambda x: (x.sin(), x.cos()))


@wrong("wrong-gradient|swapped-gradients", normal(6))
class HalvesWrongOrder(Halves):
    @staticmethod
    def backward(ctx, g_first, g_second):
        return torch.cat([g_second, g_first])


@wrong("wrong-gradient|missing-gradient|grad-output-ignored", normal(4, 3))
class HalvesSecondForgotten(Halves):
    @staticmethod
    def backward(ctx, g_first, g_second):
        return torch.cat([g_first, torch.zeros_like(g_second)])


@wrong("wrong-gradient|wrong-sign", normal(5), reference=lambda x: (x.sin(), x.cos()))
class SinCosSign(SinCos):
    @staticmethod
    def backward(ctx, g_sin, g_cos):
        (x,) = ctx.saved_tensors
        return g_sin * x.cos() + g_cos * x.sin()


@wrong("raises", normal(5), reference=lambda x: (x.sin(), x.cos()))
class SinCosMeetsNone(SinCos):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, g_sin, g_cos):
        (x,) = ctx.saved_tensors
        return g_sin * x.cos() - g_cos * x.sin()


@wrong("missing-gradient", normal(5), reference=lambda x: (x.sin(), x.cos()))
class SinCosMarkedOff(SinCos):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        y, z = x.sin(), x.cos()
        ctx.mark_non_differentiable(z)
        return y, z

    @staticmethod
    def backward(ctx, g_sin, g_cos):
        (x,) = ctx.saved_tensors
        return g_sin * x.cos()


class Sort(Function):
    """Sorted values; keeps where they came from."""

    @staticmethod
    def forward(ctx, x):
        values, order = x.sort()
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)
        return values, order


@wrong("wrong-gradient", torch.tensor([0.3, 2.0, -1.0, 0.5]).double())
class SortGathersGradient(Sort):
    @staticmethod
    def backward(ctx, g, _):
        (order,) = ctx.saved_tensors
        return g[order]


@wrong("wrong-gradient", torch.tensor([0.3, 2.0, -1.0, 0.5]).double(), reference=torch.sort)
class SortPassesGradient(Sort):
    @staticmethod
    def backward(ctx, g, _):
        return g


@wrong("wrong-gradient|grad-output-ignored", normal(6))
class MomentsVarianceForgotten(Saved):
    compute = staticmethod(lambda x: (x.mean(), x.var(unbiased=False)))

    @staticmethod
    def backward(ctx, g_mean, g_variance):
        (x,) = ctx.saved_tensors
        return g_mean.expand_as(x) / x.numel()


@wrong("wrong-gradient-count", normal(3), normal(3, seed=1))
class SumAndDifferenceOneGradient(Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b, a - b

    @staticmethod
    def backward(ctx, g_sum, g_difference):
        return g_sum + g_difference


@wrong("swapped-gradients", normal(3), normal(3, seed=1))
class SumAndDifferenceSwapped(Function):
    @staticmethod
    def forward(ctx, a, b):
        return a + b, a - b

    @staticmethod
    def backward(ctx, g_sum, g_difference):
        return g_sum - g_difference, g_sum + g_difference
