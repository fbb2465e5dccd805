"""Give the right answers to exercise 14, Compiler."""

import torch
from torch.autograd import Function


class Shrink(Function):
    """x of any shape; returns x / max(n, 1) with the norm n of x, of the same shape."""

    @staticmethod
    def forward(ctx, x):
        n = x.norm()
        ctx.save_for_backward(x, n)
        return x / n.clamp(min=1)

    @staticmethod
    def backward(ctx, grad_y):
        x, n = ctx.saved_tensors
        along = x * (x * grad_y).sum()
        return torch.where(n <= 1, grad_y, grad_y / n - along / n**3)


def complete(op):
    """op takes x (N, D) and returns (N,); registers its fake and its backward."""

    def fake(x):
        return x.new_empty(len(x))

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0], output)

    def backward(ctx, grad_y):
        x, y = ctx.saved_tensors
        return grad_y[:, None] * torch.exp(x - y[:, None])

    op.register_fake(fake)
    op.register_autograd(backward, setup_context=setup_context)


REFERENCES = {
    "14.1": Shrink,
    "14.2": complete,
    "14.3": ["one graph", "break", "one graph", "break", "break", "raises"],
}
