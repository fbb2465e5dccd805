"""Two inputs that broadcast: sums over the wrong dimensions, or none."""

import torch

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, wrong
from tests.whygrad.wrong_functions.two_inputs import Product


@wrong("not-summed|wrong-shape", normal(3, 4), normal(4, seed=1), reference=torch.mul)
class ScaleColumnsNotSummed(Product):
    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w, g * x


@wrong("not-summed|wrong-shape", normal(3, 4), normal(3, 1, seed=1), reference=torch.mul)
class ScaleRowsWrongDimension(Product):
    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w, (g * x).sum(0, keepdim=True)


@wrong("not-summed", normal(4, 4), normal(4, seed=1))
class ScaleSquareWrongDimension(Product):
    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w, (g * x).sum(1)


@wrong("not-summed|swapped-gradients", normal(3), normal(3, seed=1))
class OuterSumWrongDimensions(Saved):
    compute = staticmethod(lambda a, b: a[:, None] + b)

    @staticmethod
    def backward(ctx, g):
        return g.sum(0), g.sum(1)


@wrong("sum-or-mean", normal(5, 3), normal(3, seed=1), reference=torch.add)
class AddBiasMean(Saved):
    compute = staticmethod(torch.add)

    @staticmethod
    def backward(ctx, g):
        return g, g.mean(0)


@wrong("missing-gradient", normal(2, 3, 4), normal(4, seed=1), reference=torch.mul)
class ScaleZeros(Product):
    @staticmethod
    def backward(ctx, g):
        _, w = ctx.saved_tensors
        return g * w, torch.zeros_like(w)


@wrong("missing-gradient", normal(3, 2), normal(3, 2, seed=1), reference=torch.mul)
class ProductAsksTheWrongInput(Product):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, None
        return g * b, g * a


@wrong("wrong-shape", normal(4, 3), normal(3, seed=1))
class AddBiasKeepdim(Saved):
    compute = staticmethod(torch.add)

    @staticmethod
    def backward(ctx, g):
        return g, g.sum(0, keepdim=True)
