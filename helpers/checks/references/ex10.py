"""Give the right answers to exercise 10, Bending gradients."""

import torch
from torch.autograd import Function


class SignThrough(Function):
    """The sign of x; grad_y comes through where |x| ≤ 1."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sign(x)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() <= 1, grad_y, 0)


class ReverseBranch(Function):
    """x + z; the gradient of z is reversed and scaled."""

    @staticmethod
    def forward(ctx, x, z, factor):
        ctx.factor = factor
        return x + z

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y, -ctx.factor * grad_y, None


class Limit(Function):
    """x as it is; the gradient is shortened to the length `most`."""

    @staticmethod
    def forward(ctx, x, most):
        ctx.most = most
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_y):
        length = grad_y.square().sum().sqrt()
        if length <= ctx.most:
            return grad_y, None
        return ctx.most / length * grad_y, None


class LimitByWhere(Limit):
    """The same; its condition may be a tensor."""

    @staticmethod
    def backward(ctx, grad_y):
        length = grad_y.square().sum().sqrt()
        return torch.where(length <= ctx.most, grad_y, ctx.most / length * grad_y), None


def rule(grad_y, x):
    """Return what comes through the rounding to −2 … 2."""
    return torch.where((x.abs() <= 2) | (grad_y * x > 0), grad_y, 0)


REFERENCES = {
    "10.1": SignThrough,
    "10.2": ReverseBranch,
    "10.3": Limit,
    "10.4": [-6.0, -15.0, -20.0],
    "10.5": rule,
}
