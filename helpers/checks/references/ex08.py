"""Right answers to exercise 8."""

import math

import numpy as np
import torch
from scipy import special
from torch.autograd import Function


class LogOne(Function):
    """log(1 + x²), computed in NumPy."""

    @staticmethod
    def forward(ctx, x):
        y = torch.as_tensor(np.log1p(x.numpy() ** 2))
        ctx.save_for_backward(x)
        return y

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


REFERENCES = {"8.1": LogOne, "8.2": Erf, "8.3": [480.0, 80.0, 0.0]}
