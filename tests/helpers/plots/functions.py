"""Functions to plot: right ones and wrong ones."""

import torch

from tests.whygrad.graph.functions import Square


class TimesThree(Square):
    """Its derivative is three times too large."""

    @staticmethod
    def backward(ctx, grad_output):
        return 3 * Square.backward(ctx, grad_output)


class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        grad_x = grad_output.clone()
        grad_x[x < 0] = 0
        return grad_x


class SinhBad(torch.autograd.Function):
    """Keeps intermediates without a history, so f″ is lost."""

    @staticmethod
    def forward(ctx, x):
        ctx.exp_x, ctx.exp_minus_x = x.exp(), (-x).exp()
        return (ctx.exp_x - ctx.exp_minus_x) / 2

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * (ctx.exp_x + ctx.exp_minus_x) / 2
