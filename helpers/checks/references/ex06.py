"""Give the right answers to exercise 6, Exp."""

import torch
from torch.autograd import Function


class Inverse(Function):
    """x of any shape; returns 1 / x, of the same shape."""

    @staticmethod
    def forward(ctx, x):
        y = 1 / x
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return -y * y * grad_y


class Growth(Function):
    """x (N, D), rate (D,), a number; returns start * exp(rate * x), (N, D)."""

    @staticmethod
    def forward(ctx, x, rate, start):
        y = start * torch.exp(rate * x)
        ctx.save_for_backward(x, rate, y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        x, rate, y = ctx.saved_tensors
        shared = y * grad_y
        return rate * shared, (x * shared).sum(0), None


class Softmax(Function):
    """x (N, C); returns the softmax of each row, (N, C)."""

    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, dim=1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        mean = (grad_y * y).sum(1, keepdim=True)
        return y * (grad_y - mean)


_X = 4.0
_Y = _X**0.5
_SLOPE = 1 / (2 * _Y)
_G = 3 * _Y**2
_FIRST = _G / (2 * _Y)
_THROUGH_G = 6 * _Y * _SLOPE / (2 * _Y)
_THROUGH_Y = -_G / (2 * _Y**2) * _SLOPE
_RIGHT = [_FIRST, _THROUGH_G + _THROUGH_Y]
_COPY = [_FIRST, _THROUGH_G]

REFERENCES = {
    "6.1": Inverse,
    "6.2": Growth,
    "6.3": [_RIGHT, _COPY, _RIGHT],
    "6.4": Softmax,
}
