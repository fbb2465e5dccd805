"""Functions of two inputs: order, signs, counts and broadcasting."""

import torch

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, positive, wrong


class Product(Saved):
    """a times b, broadcast."""

    compute = staticmethod(torch.mul)


class Divide(Saved):
    """a divided by b."""

    compute = staticmethod(torch.div)


@wrong("swapped-gradients", normal(3, 4), normal(3, 4, seed=1))
class ProductSwapped(Product):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * a, g * b


@wrong("wrong-gradient", normal(3, 4), normal(3, 4, seed=1))
class ProductOfOneFactor(Product):  # that of a is b's, and that of b not a's
    @staticmethod
    def backward(ctx, g):
        a, _ = ctx.saved_tensors
        return g * a, g * a**2


@wrong("wrong-sign", normal(4), positive(4, seed=1), reference=torch.div)
class DivideSign(Divide):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g / b, g * a / b**2


@wrong("wrong-gradient", normal(2, 3), positive(2, 3, seed=1))
class DivideNotSquared(Divide):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g / b, -g * a / b


@wrong("wrong-mask", normal(6), normal(6, seed=1), reference=torch.maximum)
class MaximumNoMask(Saved):
    compute = staticmethod(torch.maximum)

    @staticmethod
    def backward(ctx, g):
        return g, g


@wrong("wrong-mask|swapped-gradients", normal(3, 3), normal(3, 3, seed=1))
class MinimumReversed(Saved):
    compute = staticmethod(torch.minimum)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * (a > b), g * (a <= b)


@wrong("wrong-gradient", normal(5), normal(5, seed=1), reference=torch.hypot)
class HypotNotDivided(Saved):
    compute = staticmethod(torch.hypot)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * a, g * b


@wrong("wrong-sign", normal(3, 4), normal(3, 4, seed=1))
class DistanceSameSign(Saved):
    compute = staticmethod(lambda a, b: (a - b).norm(dim=1))

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        unit = (a - b) / (a - b).norm(dim=1, keepdim=True)
        return g[:, None] * unit, g[:, None] * unit


@wrong("swapped-gradients", normal(4), positive(4, seed=1), reference=torch.atan2)
class Atan2Swapped(Saved):
    compute = staticmethod(torch.atan2)

    @staticmethod
    def backward(ctx, g):
        y, x = ctx.saved_tensors
        square = x * x + y * y
        return -g * y / square, g * x / square


@wrong("wrong-gradient-count", normal(3), normal(3, seed=1), reference=torch.mul)
class ProductOneGradient(Product):
    @staticmethod
    def backward(ctx, g):
        _, b = ctx.saved_tensors
        return g * b


@wrong("wrong-gradient-count", normal(3), normal(3, seed=1))
class ProductList(Product):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return [g * b, g * a]


@wrong("wrong-gradient-count", normal(2, 3), normal(2, 3, seed=1), reference=torch.mul)
class ProductThreeGradients(Product):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a, g
