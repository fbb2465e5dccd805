"""State between calls, and random gradients."""

import random

import numpy as np
import torch
from torch.autograd import Function
from torch.nn import functional as F

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, wrong
from tests.whygrad.wrong_functions.elementwise import Tanh
from tests.whygrad.wrong_functions.values import Square

CACHE = {}


@wrong("keeps-state", normal(4), reference=torch.square)
class SquareOnTheClass(Function):
    x = None

    @staticmethod
    def forward(ctx, x):
        SquareOnTheClass.x = x
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * SquareOnTheClass.x * g


@wrong("keeps-state", normal(3, 2), reference=torch.exp)
class ExpCachedByShape(Saved):
    @staticmethod
    def forward(ctx, x):
        if x.shape not in CACHE:
            CACHE[x.shape] = x.exp()
        y = CACHE[x.shape]
        ctx.save_for_backward(y)
        return y.clone()

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


@wrong("keeps-state", normal(5), reference=torch.relu)
class ReluMaskOnce(Saved):
    mask = None
    compute = staticmethod(torch.relu)

    @classmethod
    def backward(cls, ctx, g):
        (x,) = ctx.saved_tensors
        if cls.mask is None or cls.mask.shape != x.shape:
            cls.mask = x > 0
        return g * cls.mask


@wrong("keeps-state", normal(4))
class SquareAccumulates(Square):
    total = 0

    @classmethod
    def backward(cls, ctx, g):
        (x,) = ctx.saved_tensors
        cls.total = cls.total + 2 * x.sum() * 0.1
        return 2 * x * g + cls.total * g


@wrong("keeps-state", normal(3), reference=torch.square)
class SquareWarmsUp(Square):
    calls = 0

    @classmethod
    def backward(cls, ctx, g):
        (x,) = ctx.saved_tensors
        cls.calls += 1
        return 2 * x * g * (1 + 1 / cls.calls)


@wrong("keeps-state|raises", normal(3), reference=torch.square)
class SquarePopsFromCtx(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.stack = [x]
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.stack.pop() * g


@wrong("keeps-state", normal(4), reference=torch.exp)
class ExpIntoOneBuffer(Function):
    @staticmethod
    def forward(ctx, x):
        y = CACHE.setdefault((x.shape, "buffer"), torch.empty_like(x))
        torch.exp(x, out=y)
        ctx.y = y.clone()
        return y

    @staticmethod
    def backward(ctx, g):
        return g * ctx.y


@wrong("keeps-state", normal(4))
class TanhSmoothsGradient(Tanh):
    last = None

    @classmethod
    def backward(cls, ctx, g):
        (y,) = ctx.saved_tensors
        grad = g * (1 - y * y)
        if cls.last is not None and cls.last.shape == grad.shape:
            grad = 0.9 * grad + 0.1 * cls.last
        cls.last = grad.detach()
        return grad


@wrong("nondeterministic", normal(3, 4), reference=torch.square)
class SquareNoisy(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g + 1e-3 * torch.randn_like(g)


@wrong("nondeterministic", normal(6))
class DropoutDrawsAgain(Saved):
    compute = staticmethod(lambda x: F.dropout(x, 0.5))

    @staticmethod
    def backward(ctx, g):
        return F.dropout(g, 0.5)


@wrong("nondeterministic", normal(8), reference=torch.sin)
class SinPythonRandom(Saved):
    compute = staticmethod(torch.sin)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cos() * random.choice([0.5, 1.5])


@wrong("nondeterministic", normal(5, 3))
class RowSumSampled(Saved):
    compute = staticmethod(lambda x: x.sum(0))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        grad = torch.zeros_like(x)
        grad[np.random.randint(len(x)) if len(x) else slice(None)] = len(x) * g
        return grad
