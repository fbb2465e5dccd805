"""Activations with a wrong backward: masks, slopes and learnable slopes."""

import torch
from torch.autograd import Function
from torch.nn import functional as F

from tests.whygrad.wrong_functions.case import normal, wrong


class Saved(Function):
    """Saves all its inputs; a subclass computes."""

    @classmethod
    def forward(cls, ctx, *inputs):
        ctx.save_for_backward(*inputs)
        return cls.compute(*inputs)


class Clamp(Saved):
    """x between -1 and 1."""

    compute = staticmethod(lambda x: x.clamp(-1, 1))


class Leaky(Saved):
    """x, and a tenth of it below 0."""

    compute = staticmethod(lambda x: torch.where(x > 0, x, 0.1 * x))


class PReLU(Saved):
    """x, and `slope` times x below 0."""

    compute = staticmethod(lambda x, slope: torch.where(x > 0, x, slope * x))


@wrong("wrong-mask", normal(3, 4))
class ClampMaskOnOutput(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.clamp(-1, 1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * ((y >= -1) & (y <= 1))


@wrong("wrong-mask", normal(12), reference=lambda x: x.clamp(-1, 1))
class ClampReversed(Clamp):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        grad = g.clone()
        grad[(x > -1) & (x < 1)] = 0
        return grad


@wrong("wrong-mask|not-linear-in-grad-output", normal(3, 5), reference=F.hardtanh)
class HardTanhMaskOnGradient(Clamp):
    @staticmethod
    def backward(ctx, g):
        return g * ((g > -1) & (g < 1))


@wrong("wrong-mask", normal(2, 3, 4), reference=lambda x: F.leaky_relu(x, 0.1))
class LeakyReversed(Leaky):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, 0.1 * g, g)


@wrong("wrong-mask|not-linear-in-grad-output", normal(8))
class LeakyGuided(Leaky):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where((x > 0) & (g > 0), g, 0.1 * g)


@wrong("wrong-mask", 3 * normal(4, 4))
class Relu6UpperForgotten(Saved):
    compute = staticmethod(lambda x: x.clamp(0, 6))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x > 0)


@wrong("wrong-mask", normal(10), reference=F.softshrink)
class SoftShrinkPassesAll(Saved):
    compute = staticmethod(lambda x: x.sign() * (x.abs() - 0.5).clamp(min=0))

    @staticmethod
    def backward(ctx, g):
        return g


@wrong("wrong-gradient|wrong-mask", normal(3, 4), torch.tensor(0.3).double(), reference=F.prelu)
class PReLUSlopeUnmasked(PReLU):
    @staticmethod
    def backward(ctx, g):
        x, slope = ctx.saved_tensors
        return torch.where(x > 0, g, slope * g), (g * x).sum()


@wrong("not-summed|wrong-shape", normal(3, 4), torch.tensor([0.3]).double())
class PReLUSlopeNotSummed(PReLU):
    @staticmethod
    def backward(ctx, g):
        x, slope = ctx.saved_tensors
        return torch.where(x > 0, g, slope * g), g * x.clamp(max=0)


@wrong("missing-gradient", normal(3, 4), torch.tensor([0.3]).double(), reference=F.prelu)
class PReLUSlopeForgotten(PReLU):
    @staticmethod
    def backward(ctx, g):
        x, slope = ctx.saved_tensors
        return torch.where(x > 0, g, slope * g), None


@wrong("grad-output-ignored", normal(5))
class AbsIgnoresGradient(Saved):
    compute = staticmethod(torch.abs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return x.sign()


@wrong("wrong-gradient", normal(6), reference=F.gelu)
class GeluFirstTermOnly(Saved):
    compute = staticmethod(F.gelu)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 0.5 * (1 + torch.erf(x / 2**0.5))
