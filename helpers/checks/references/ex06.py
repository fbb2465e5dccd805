"""Give the right answers to exercise 6, Exp."""

import torch
from torch.autograd import Function

from helpers.checks.task import Slip


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
    "6.3": (_RIGHT, _COPY, _RIGHT),
    "6.4": Softmax,
}

SLIPS = {
    "6.3": [
        Slip(
            (_RIGHT, _RIGHT, _RIGHT),
            "second-order-lost",
            "RootCopy saves a clone. It was made in forward and is not returned, so it has no "
            "history, and one term is missing.",
        ),
        Slip(
            (_RIGHT, [_FIRST, 0.0], _RIGHT),
            "second-order-lost",
            "In RootCopy only the divisor has no history. The incoming gradient still leads to x.",
        ),
        Slip(
            (_RIGHT, [_FIRST, _THROUGH_Y], _RIGHT),
            "second-order-lost",
            "For RootCopy this is the other term, the one that is missing. What is left comes "
            "through the incoming gradient.",
        ),
        Slip(
            (_RIGHT, _COPY, _COPY),
            "second-order-lost",
            "RootInput computes its root in backward, from the saved input. There autograd "
            "records it, so no term is missing.",
        ),
        Slip(
            (_COPY, _COPY, _COPY),
            "second-order-lost",
            "The output that Root saves comes back with its history, and the root that RootInput "
            "computes in backward has one, too. Only the clone has none.",
        ),
        Slip(
            ([_SLOPE, -1 / 32], [_SLOPE, 0.0], [_SLOPE, -1 / 32]),
            "wrong-gradient",
            "These are the derivatives of y. The loss is y³, so the incoming gradient is 3 y².",
        ),
        Slip(
            ([_FIRST, _THROUGH_Y], [_FIRST, 0.0], [_FIRST, _THROUGH_Y]),
            "second-order-lost",
            "The incoming gradient was taken for a constant. It is 3 y², and y depends on x.",
        ),
    ],
}
