"""Give the right answers to exercise 4, gradcheck, and what fools it."""

import torch
from torch.autograd import Function

from helpers.checks.task import Slip


def numerical_vjp(fn, x, grad_y, eps=1e-6):
    """Return grad_x, of the shape of x, by central differences with the step eps."""
    grad_x = torch.zeros_like(x)
    for i in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[i] = eps
        step = step.reshape(x.shape)
        difference = fn(x + step) - fn(x - step)
        grad_x.view(-1)[i] = (difference / (2 * eps) * grad_y).sum()
    return grad_x


class Huber(Function):
    """x of any shape; returns x²/2 where |x| is at most 1, and |x| - 1/2 elsewhere."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x.abs() <= 1, x**2 / 2, x.abs() - 0.5)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() <= 1, x, x.sign()) * grad_y


REFERENCES = {
    "4.1": numerical_vjp,
    "4.2": Huber,
    "4.3": ("gradcheck", "gradgradcheck", "values", "none", "linear"),
}

SLIPS = {
    "4.3": [
        Slip(
            ("gradcheck", "gradgradcheck", "values", "values", "linear"),
            "wrong-forward",
            "|x|³ and x³ differ for negative x only, and the point has no negative number.",
        ),
        Slip(
            ("gradcheck", "gradgradcheck", "values", "gradcheck", "linear"),
            "wrong-gradient",
            "Where x is positive, the slope of |x|³ is that of x³. The point has no other numbers.",
        ),
        Slip(
            ("gradcheck", "gradgradcheck", "gradcheck", "none", "linear"),
            "wrong-forward",
            "Adding 1 to forward changes no slope, so gradcheck cannot know.",
        ),
        Slip(
            ("gradcheck", "gradgradcheck", "none", "none", "linear"),
            "wrong-forward",
            "Adding 1 changes no slope, but it does change the values.",
        ),
        Slip(
            ("gradcheck", "gradgradcheck", "values", "none", "gradcheck"),
            "not-linear-in-grad-output",
            "For a unit vector, grad_y * grad_y.abs() is grad_y: gradcheck sees no difference.",
        ),
        Slip(
            ("gradcheck", "gradgradcheck", "values", "none", "gradgradcheck"),
            "not-linear-in-grad-output",
            "gradgradcheck differentiates backward as it is, squares and all, and finds that "
            "autograd does the same.",
        ),
        Slip(
            ("gradcheck", "gradcheck", "values", "none", "linear"),
            "second-order-lost",
            ".data has the right values, so the first gradient is right.",
        ),
        Slip(
            ("gradcheck", "none", "values", "none", "linear"),
            "second-order-lost",
            ".data cuts the history of the saved x. One of the checks asks for that history.",
        ),
        Slip(
            ("linear", "gradgradcheck", "values", "none", "linear"),
            "wrong-factor",
            "Twice a linear map is a linear map, too.",
        ),
    ],
}
