"""Exceptions, no Function at work, and histories that are cut."""

import torch
from torch import nn
from torch.autograd import Function
from torch.nn import functional as F

from tests.whygrad.wrong_functions.case import normal, positive, wrong
from tests.whygrad.wrong_functions.values import Square


@wrong("raises", normal(3), reference=torch.square)
class SquareCommaForgotten(Square):
    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors
        return x.mul(2) * g


@wrong("raises", normal(2, 2))
class SquareMisspelt(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensor
        return 2 * x * g


@wrong("raises", positive(3), 2.0, reference=torch.pow)
class PowerSavesANumber(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x, p)
        return x**p

    @staticmethod
    def backward(ctx, g):
        x, p = ctx.saved_tensors
        return g * p * x ** (p - 1), None


class RightSquare(Square):
    """Nothing wrong with it but how it is called."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


class FakeCtx:
    """Stands in for ctx."""

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors


@wrong("not-a-function", normal(3), reference=torch.square)
def forward_called_directly(x):
    return RightSquare.forward(FakeCtx(), x)


@wrong("not-a-function", normal(3, 4))
def plain_code(x):
    return torch.log1p(x.exp())


class PlainModule(nn.Module):
    """A Module with a backward of its own, which nobody calls."""

    def forward(self, x):
        return torch.relu(x)

    def backward(self, g):
        raise NotImplementedError


@wrong("not-a-function", normal(4), reference=F.relu)
def module_with_backward(x):
    return PlainModule()(x)


@wrong("missing-gradient", normal(4), reference=torch.square)
def input_detached_outside(x):
    return RightSquare.apply(x.detach())


@wrong("missing-gradient", normal(4), normal(4, seed=1), reference=torch.mul)
def one_input_detached_outside(a, b):
    return (RightSquare.apply(a + b.data) - RightSquare.apply(a - b.data)) / 4


@wrong("missing-gradient", normal(2, 3), reference=torch.square)
class SquareZeros(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.zeros_like(x)


class SumOfList(Function):
    """Takes its tensors in a list, where autograd does not see them."""

    @staticmethod
    def forward(ctx, tensors):
        return torch.stack(tensors).sum(0)

    @staticmethod
    def backward(ctx, g):
        return g, g


@wrong("missing-gradient|not-a-function", normal(3), normal(3, seed=1), reference=torch.add)
def tensors_in_a_list(a, b):
    return SumOfList.apply([a, b])
