"""Give the right answers to exercise 6, Exp."""

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
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
    "6.3": [_RIGHT, _COPY, _RIGHT],
    "6.4": Softmax,
}


def _softmax(grad_x):
    """Return Softmax with another gradient, made of y and the incoming gradient."""
    return with_backward(Softmax, lambda ctx, grad_y: grad_x(*ctx.saved_tensors, grad_y))


_ONE_FOR_EACH_ROW = (
    "Write the shapes beside the formula: x is (N, C), and the sum gives N numbers, one for each "
    "row."
)

SLIPS = {
    "6.4": [
        Slip(
            _softmax(lambda y, g: y * (g - (g * y).sum())),
            "wrong-gradient",
            "The sum runs over all rows. In the formula k runs over the C numbers of one row, so "
            "that each row has a sum of its own.",
            _ONE_FOR_EACH_ROW,
        ),
        Slip(
            _softmax(lambda y, g: y * (g - (g * y).sum(0))),
            "wrong-gradient",
            "The sum runs down the columns, over the rows n. In the formula n stands still, and k "
            "runs along the row.",
            _ONE_FOR_EACH_ROW,
        ),
        Slip(
            _softmax(lambda y, g: y * (g - g.sum(1, keepdim=True))),
            "wrong-gradient",
            "The sum is one of the incoming gradients alone. In the formula a second factor stands "
            "under the sum, with the same k.",
            "Read the formula factor by factor, and find each of them in your code.",
        ),
        Slip(
            _softmax(lambda y, g: y * (g + (g * y).sum(1, keepdim=True))),
            "wrong-gradient",
            "The sum is added. If one number of a row grows, the others lose: the formula takes "
            "the sum off.",
            "Compare the sign in front of the sum with that of the formula.",
        ),
        Slip(
            _softmax(lambda y, g: y * (1 - y) * g),
            "wrong-gradient",
            "y (1 − y) is the derivative of a y by the x of the same place. But each y depends on "
            "all the x of its row: the sum over k counts those, too.",
            "Compare with the formula: which numbers of g does one element of grad_x hold?",
        ),
        Slip(
            _softmax(lambda y, g: g - (g * y).sum(1, keepdim=True)),
            "wrong-gradient",
            "The factor y in front of the brackets is left out.",
            "Read the formula factor by factor, and find each of them in your code.",
        ),
        Slip(
            _softmax(lambda y, g: y * g - (g * y).sum(1, keepdim=True)),
            "wrong-gradient",
            "The factor y stands at the first term alone. In the formula it stands in front of the "
            "brackets, and belongs to both.",
            "Look where the brackets begin and end, in the formula and in your code.",
        ),
        Slip(
            _softmax(lambda y, g: y * (g - (g * y).mean(1, keepdim=True))),
            "sum-or-mean",
            "The mean of each row is taken where the formula has the sum.",
            "Ask of the formula whether it divides by C.",
        ),
        Slip(
            _softmax(lambda y, g: y * g),
            "wrong-gradient",
            "The sum is left out, as if each y depended on the x of its own place only, and the "
            "numbers of a row did not share 1 among them.",
            "Read the formula term by term, and find each of them in your code.",
        ),
    ],
}
