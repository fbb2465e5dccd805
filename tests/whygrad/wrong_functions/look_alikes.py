"""Mistakes that look like others: permutations, single elements, copies, other orders of calls."""

import torch
from torch.autograd import Function
from torch.nn import functional as F

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, positive, wrong
from tests.whygrad.wrong_functions.double_backward import Cube, CubeGradient
from tests.whygrad.wrong_functions.effects import ProductNormalisesItsWeight
from tests.whygrad.wrong_functions.two_inputs import Product
from tests.whygrad.wrong_functions.values import Square


@wrong("wrong-gradient", normal(3), normal(3, seed=1), reference=torch.mul)
class ProductSameTwice(Product):
    @staticmethod
    def backward(ctx, g):
        _, b = ctx.saved_tensors
        return g * b, g * b


@wrong("wrong-sign|swapped-gradients", normal(4), normal(4, seed=1))
class SubtractNegated(Saved):
    compute = staticmethod(torch.sub)

    @staticmethod
    def backward(ctx, g):
        return -g, g


@wrong("wrong-gradient", torch.tensor(0.6).double(), reference=torch.reciprocal)
class ReciprocalOfAScalar(Saved):
    compute = staticmethod(torch.reciprocal)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -g / x


@wrong("wrong-factor", normal(2, 2))
class SquareOfTwoByTwo(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return x * g


@wrong("wrong-factor|wrong-sign", positive(3))
class InverseSquareFactorAndSign(Saved):
    compute = staticmethod(lambda x: x**-2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x**-3


@wrong("transposed", normal(3, 3), reference=lambda x: x.t() * 1)
class TransposeNotTurnedBack(Saved):
    compute = staticmethod(lambda x: x.t().contiguous())

    @staticmethod
    def backward(ctx, g):
        return g


@wrong("transposed|wrong-gradient", normal(3, 3, 3))
class PermuteTurnedOn(Saved):
    compute = staticmethod(lambda x: x.permute(1, 2, 0).contiguous())

    @staticmethod
    def backward(ctx, g):
        return g.permute(1, 2, 0).contiguous()


@wrong("wrong-gradient", normal(5), reference=lambda x: x.flip(0))
class FlipNotFlippedBack(Saved):
    compute = staticmethod(lambda x: x.flip(0))

    @staticmethod
    def backward(ctx, g):
        return g


@wrong("wrong-gradient", normal(5))
class CumulativeSumForwards(Saved):
    compute = staticmethod(lambda x: x.cumsum(0))

    @staticmethod
    def backward(ctx, g):
        return g.cumsum(0)


@wrong("wrong-gradient", normal(3, 4), reference=lambda x: x - x.mean(1, keepdim=True))
class CentredPassesAll(Saved):
    compute = staticmethod(lambda x: x - x.mean(1, keepdim=True))

    @staticmethod
    def backward(ctx, g):
        return g


@wrong("wrong-gradient|not-summed", normal(4), reference=lambda x: x[[0, 2, 0, 3]])
class PickOverwritesRepeats(Saved):
    compute = staticmethod(lambda x: x[[0, 2, 0, 3]])

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        grad = torch.zeros_like(x)
        grad[[0, 2, 0, 3]] = g
        return grad


@wrong("wrong-gradient", normal(1, 1, 6), normal(1, 1, 3, seed=1), reference=F.conv1d)
class ConvolveKernelNotFlipped(Saved):
    compute = staticmethod(F.conv1d)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return F.conv1d(g, w, padding=2), F.conv1d(x, g)


@wrong(
    "fixed-size|wrong-forward|wrong-shape",
    normal(4, 3),
    normal(5, 3, seed=1),
    reference=lambda x, W: x @ W.t(),
)
class LinearSqueezes(Saved):
    compute = staticmethod(lambda x, W: (x @ W.t()).squeeze())

    @staticmethod
    def backward(ctx, g):
        x, W = ctx.saved_tensors
        g = g.reshape(len(x), len(W))
        return g @ W, g.t() @ x


@wrong("second-order-lost|second-order-wrong", normal(4), reference=torch.square, order=2)
class SquareDetachesForConstantGradient(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if not g.requires_grad:
            x = x.detach()
        return 2 * x * g


@wrong("second-order-lost|second-order-wrong|missing-gradient", normal(3), order=2)
class CubeAsksTheWrongInput(Cube):
    class gradient(CubeGradient):  # noqa: N801
        @staticmethod
        def backward(ctx, g2):
            x, g = ctx.saved_tensors
            if not ctx.needs_input_grad[1]:
                return None, None
            return 6 * x * g * g2, 3 * x**2 * g2


@wrong("keeps-state", normal(3, 4), reference=lambda x: x - x.mean(0))
class CentredByFirstBatch(Function):
    mean = None

    @classmethod
    def forward(cls, ctx, x):
        if cls.mean is None or cls.mean.shape != x.shape[1:] or not len(x):
            cls.mean = x.mean(0)
        return x - cls.mean

    @staticmethod
    def backward(ctx, g):
        return g - g.mean(0)


@wrong(
    "modifies-input", normal(2), torch.tensor([0.6, 0.8], dtype=torch.float64), reference=torch.mul
)
class ProductNormalisesAUnitWeight(ProductNormalisesItsWeight):
    pass


@wrong("not-linear-in-grad-output", normal(3, 4), reference=torch.square)
class SquareUsesGradientForInput(Square):
    @staticmethod
    def backward(ctx, g):
        return 2 * g * g
