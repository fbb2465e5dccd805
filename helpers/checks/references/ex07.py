"""Give the right answers to exercise 7, Sinh."""

import torch
from torch.autograd import Function


class Wave(Function):
    """x of any shape; returns exp(-x) sin x, exp(-x), sin x and cos x, of the same shape."""

    @staticmethod
    def forward(ctx, x):
        d, s, c = torch.exp(-x), torch.sin(x), torch.cos(x)
        ctx.save_for_backward(d, s, c)
        return d * s, d, s, c

    @staticmethod
    def backward(ctx, grad_y, grad_d, grad_s, grad_c):
        d, s, c = ctx.saved_tensors
        return grad_y * d * (c - s) - grad_d * d + grad_s * c - grad_c * s


def wave(x: torch.Tensor) -> torch.Tensor:
    """x of any shape; returns exp(-x) sin x, of the same shape."""
    return Wave.apply(x)[0]


class RMSNorm(Function):
    """x (N, D), w (D,); returns w x / r with the root mean square r of each row, (N, D)."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return w * x / _root_mean_square(x)

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        r = _root_mean_square(x)  # again, so that it has a history
        u = x / r
        h = grad_y * w
        m = (h * u).mean(1, keepdim=True)
        return (h - u * m) / r, (grad_y * u).sum(0)


def _root_mean_square(x: torch.Tensor) -> torch.Tensor:
    return x.square().mean(1, keepdim=True).sqrt()


_X = 1.0
_THROUGH_X = 4 * _X**2
_THROUGH_S = 8 * _X**2
_G = _X**4
_THROUGH_G = (4 * _X**3) ** 2
_LESS = [_THROUGH_X, _THROUGH_X * _G + _THROUGH_G]
_ALL = [_THROUGH_X + _THROUGH_S, (_THROUGH_X + _THROUGH_S) * _G + _THROUGH_G]

REFERENCES = {
    "7.1": wave,
    "7.2": RMSNorm,
    "7.3": [_LESS, _LESS, _ALL],
}
