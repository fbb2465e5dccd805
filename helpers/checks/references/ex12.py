"""Give the right answers to exercise 12, Memory and speed."""

import math

import torch
from torch.autograd import Function

_C, _K = math.sqrt(2 / math.pi), 0.044715


class Gelu(Function):
    """x of any shape; returns GELU of x in its tanh form, of the same shape."""

    @staticmethod
    def forward(ctx, x):
        y = 0.5 * x * (1 + torch.tanh(_C * (x + _K * x**3)))
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        t = torch.tanh(_C * (x + _K * x**3))
        inner = _C * (1 + 3 * _K * x**2)
        slope = 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * inner
        return slope * grad_y


class RowNorm(Function):
    """x (N, D); returns its rows with mean 0 and variance 1, (N, D)."""

    @staticmethod
    def forward(ctx, x):
        centred = x - x.mean(1, keepdim=True)
        s = (centred.square().mean(1, keepdim=True) + 1e-5).sqrt()
        y = centred / s
        ctx.save_for_backward(y, s)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        y, s = ctx.saved_tensors
        bar_g = grad_y.mean(1, keepdim=True)
        bar_gy = (grad_y * y).mean(1, keepdim=True)
        return (grad_y - bar_g - y * bar_gy) / s


REFERENCES = {"12.1": Gelu, "12.2": RowNorm, "12.3": [8000, 5000, 4000, 0, 4000]}
