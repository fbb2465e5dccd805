"""Give the right answers to exercise 9, ctx."""

import torch
from torch.autograd import Function


class ClampInPlace(Function):
    """x of any shape, limit a number; writes x between -limit and limit, and returns x."""

    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x.abs() < limit)
        ctx.mark_dirty(x)
        return x.clamp_(-limit, limit)

    @staticmethod
    def backward(ctx, grad_y):
        (inside,) = ctx.saved_tensors
        return grad_y * inside, None


class Bell(Function):
    """x of any shape, a number; returns exp(-a x²), of the same shape."""

    @staticmethod
    def forward(ctx, x, a):
        y = torch.exp(-a * x**2)
        ctx.save_for_backward(x, y)
        ctx.a = a
        return y

    @staticmethod
    def backward(ctx, grad_y):
        x, y = ctx.saved_tensors
        return -2 * ctx.a * x * y * grad_y, None


REFERENCES = {
    "9.1": ClampInPlace,
    "9.2": Bell,
    "9.3": ["grad", "wrong", "right", "wrong", "apply", "grad"],
}
