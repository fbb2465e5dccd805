"""Give the right answers to exercise 4, gradcheck, and what fools it."""

import torch
from torch.autograd import Function


def numerical_vjp(fn, x, grad_y, eps=1e-6):
    """Return grad_x, of the shape of x, by central differences with the step eps."""
    grad_x = torch.zeros(x.shape, dtype=x.dtype)  # zeros_like(x.T) has no .view(-1)
    for i in range(x.numel()):
        step = torch.zeros(x.shape, dtype=x.dtype)
        step.view(-1)[i] = eps
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
    "4.3": ["gradcheck", "gradgradcheck", "values", "none", "linear"],
}
