"""Smooth functions of one variable with a wrong derivative."""

import math

import torch
from torch.autograd import Function
from torch.nn import functional as F

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, positive, wrong


class Tanh(Function):
    """tanh x, with its output saved."""

    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y


@wrong("wrong-gradient", normal(4), reference=torch.exp)
class ExpSavedItsInput(Saved):
    compute = staticmethod(torch.exp)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


@wrong("wrong-gradient", normal(2, 3, 2))
class TanhNotSquared(Tanh):
    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y)


@wrong("wrong-gradient", normal(3, 3), reference=torch.sigmoid)
class SigmoidTwice(Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / (1 + torch.exp(-x))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        s = torch.sigmoid(y)
        return g * s * (1 - s)


@wrong("wrong-sign", normal(7), reference=F.softplus)
class SoftplusSign(Saved):
    compute = staticmethod(lambda x: torch.log1p(torch.exp(x)))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -g / (1 + torch.exp(-x))


@wrong("wrong-sign", torch.tensor(0.7).double())
class CosOfAScalar(Saved):
    compute = staticmethod(torch.cos)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.sin(x) * g


@wrong("wrong-factor", positive(4), 3.0)
class PowerFactorForgotten(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return x**p

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x ** (ctx.p - 1), None


@wrong("wrong-gradient-count", positive(3), 2.0, reference=lambda x, p: x**p)
class PowerOneGradient(PowerFactorForgotten):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.p * x ** (ctx.p - 1)


@wrong("wrong-factor", positive(2, 3), reference=torch.log2)
class Log2AsLog(Saved):
    compute = staticmethod(torch.log2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / x


@wrong("wrong-factor", normal(2, 2), reference=lambda x: torch.sin(math.pi * x))
class SinPiInnerDerivative(Saved):
    compute = staticmethod(lambda x: torch.sin(math.pi * x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.cos(math.pi * x)


@wrong("wrong-gradient", positive(5), reference=torch.reciprocal)
class ReciprocalNotSquared(Saved):
    compute = staticmethod(torch.reciprocal)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -g / x


@wrong("not-linear-in-grad-output", positive(4), reference=torch.sqrt)
class SqrtClipsGradient(Saved):
    compute = staticmethod(torch.sqrt)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (g / (2 * x.sqrt())).clamp(-5, 5)


@wrong("not-linear-in-grad-output", normal(3, 2))
class TanhUnitGradient(Tanh):
    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return (1 - y * y) * g / g.norm()


@wrong("not-linear-in-grad-output", normal(6), reference=torch.sin)
class SinThresholdsGradient(Saved):
    compute = staticmethod(torch.sin)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        g = torch.where(g.abs() < 1e-3, torch.zeros_like(g), g)
        return g * x.cos()


@wrong("not-linear-in-grad-output|wrong-gradient", normal(6))
class SinWithWeightDecay(Saved):
    compute = staticmethod(torch.sin)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cos() + 0.01 * x
