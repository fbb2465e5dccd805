"""Right answers to exercise 8."""

import math
from types import SimpleNamespace

import numpy as np
import torch
from scipy import special
from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
from helpers.checks.task import Slip


class LogOne(Function):
    """log(1 + x²), computed in NumPy."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.as_tensor(np.log1p(x.numpy() ** 2))

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return LogOneBackward.apply(x, grad_y)


class LogOneBackward(Function):
    """2 x g / (1 + x²), computed in NumPy; its derivatives are PyTorch's."""

    @staticmethod
    def forward(ctx, x, grad_y):
        ctx.save_for_backward(x, grad_y)
        numbers = x.numpy()
        return torch.as_tensor(2 * numbers / (1 + numbers**2) * grad_y.numpy())

    @staticmethod
    def backward(ctx, grad_grad_x):
        x, grad_y = ctx.saved_tensors
        for_x = 2 * (1 - x**2) / (1 + x**2) ** 2 * grad_y * grad_grad_x
        for_grad_y = 2 * x / (1 + x**2) * grad_grad_x
        return for_x, for_grad_y


class Erf(Function):
    """The error function, computed by SciPy."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.as_tensor(special.erf(x.numpy()))

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return ErfBackward.apply(x, grad_y)


class ErfBackward(Function):
    """2/√π · exp(−x²) · g, computed in NumPy; its derivatives are PyTorch's."""

    @staticmethod
    def forward(ctx, x, grad_y):
        ctx.save_for_backward(x, grad_y)
        slope = 2 / math.sqrt(math.pi) * np.exp(-(x.numpy() ** 2))
        return torch.as_tensor(slope * grad_y.numpy())

    @staticmethod
    def backward(ctx, grad_grad_x):
        x, grad_y = ctx.saved_tensors
        slope = 2 / math.sqrt(math.pi) * torch.exp(-(x**2))
        return -2 * x * slope * grad_y * grad_grad_x, slope * grad_grad_x


def _turned(second: type[Function]) -> type[Function]:
    """Return a second Function whose backward takes its saved tensors in the other order."""

    def backward(ctx, grad_grad_x):
        turned = SimpleNamespace(saved_tensors=ctx.saved_tensors[::-1])
        return second.backward(turned, grad_grad_x)

    return with_backward(second, backward)


def _slips(first: type[Function], second: type[Function]) -> list[Slip]:
    """Return what comes of a tensor in the place of another one, in a call or behind it."""

    def exchanged(ctx, grad_y):
        return second.apply(grad_y, *ctx.saved_tensors)

    def unpacked(ctx, grad_y):
        return _turned(second).apply(*ctx.saved_tensors, grad_y)

    def of_result(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return second.apply(first.apply(x), grad_y)

    name = second.__name__
    return [
        Slip(
            with_backward(first, exchanged),
            "not-linear-in-grad-output",
            "The numbers are those of x and grad_y in each other's place.",
            f"Compare the order in `{name}.apply(…)` with that of the arguments of "
            f"`{name}.forward`, without `ctx`.",
        ),
        Slip(
            with_backward(first, unpacked),
            "second-order-wrong",
            "Both derivatives are those with x and grad_y in each other's place.",
            f"Compare the order in `save_for_backward` in `{name}.forward` with that of the names "
            f"that `{name}.backward` gives to `ctx.saved_tensors`.",
        ),
        Slip(
            with_backward(first, of_result),
            "wrong-gradient",
            "It is the right formula, taken at y in place of x.",
            f"Compare what `{first.__name__}.forward` saves with the name that "
            f"`{first.__name__}.backward` gives to it.",
        ),
    ]


SLIPS = {"8.1": _slips(LogOne, LogOneBackward), "8.2": _slips(Erf, ErfBackward)}

REFERENCES = {"8.1": LogOne, "8.2": Erf, "8.3": [480.0, 80.0, 0.0]}
