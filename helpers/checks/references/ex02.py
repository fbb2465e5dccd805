"""Right answers to exercise 2."""

import torch
from torch.autograd import Function


class LeakyReLU(Function):
    """x where x is not negative, slope · x where it is."""

    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return torch.where(x < 0, slope * x, x)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return torch.where(x < 0, ctx.slope * grad_y, grad_y), None


class ClampOne(Function):
    """x, cut off at -1 and at 1."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(-1, 1)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        grad_x = grad_y.clone()
        grad_x[x.abs() > 1] = 0
        return grad_x


class PReLU(Function):
    """x where x is not negative, a · x where it is; a has the shape (1,)."""

    @staticmethod
    def forward(ctx, x, a):
        ctx.save_for_backward(x, a)
        return torch.where(x < 0, a * x, x)

    @staticmethod
    def backward(ctx, grad_y):
        x, a = ctx.saved_tensors
        grad_x = torch.where(x < 0, a * grad_y, grad_y)
        grad_a = torch.where(x < 0, x * grad_y, 0).sum().reshape(1)
        return grad_x, grad_a


REFERENCES = {"2.1": LeakyReLU, "2.2": ClampOne, "2.3": [1.0, 0.0, 0.0], "2.4": PReLU}
