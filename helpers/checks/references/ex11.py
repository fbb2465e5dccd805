"""Give the right answers to exercise 11, Functions under torch.func."""

import numpy as np
import torch
from torch.autograd import Function


class Swish(Function):
    """x of any shape, a number a; returns x times the sigmoid of a x, of the shape of x."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, a):
        return x * torch.sigmoid(a * x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, a = inputs
        ctx.save_for_backward(x)
        ctx.a = a

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(ctx.a * x)  # again, so that it has a history
        return (s + ctx.a * x * s * (1 - s)) * grad_y, None


class Angle(Function):
    """a and b of one shape; returns the angle of (b, a) in radians, of the same shape."""

    @staticmethod
    def forward(a, b):
        return torch.as_tensor(np.arctan2(a.numpy(), b.numpy()))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad_y):
        a, b = ctx.saved_tensors
        return b / (a**2 + b**2) * grad_y, -a / (a**2 + b**2) * grad_y

    @staticmethod
    def jvp(ctx, a_t, b_t):
        a, b = ctx.saved_tensors
        return (b * a_t - a * b_t) / (a**2 + b**2)

    @staticmethod
    def vmap(info, in_dims, a, b):
        of_a, of_b = in_dims
        a = a.expand(info.batch_size, *a.shape) if of_a is None else a.movedim(of_a, 0)
        b = b.expand(info.batch_size, *b.shape) if of_b is None else b.movedim(of_b, 0)
        return Angle.apply(a, b), 0


REFERENCES = {"11.1": Swish, "11.2": Angle, "11.3": [[3], [5, 3], [5, 3, 3], 1.0]}
