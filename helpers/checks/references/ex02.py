"""Right answers to exercise 2."""

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import exchanged, with_backward
from helpers.checks.task import Slip


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


def _leaky(where_negative):
    """Return LeakyReLU with another gradient where x is negative."""

    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return torch.where(x < 0, where_negative(x, ctx.slope, grad_y), grad_y), None

    return with_backward(LeakyReLU, backward)


def _leaky_everywhere(ctx, grad_y):
    return ctx.slope * grad_y, None


def _clamped_grad(ctx, grad_y):
    return grad_y.clamp(-1, 1)


def _prelu(grad_x, grad_a):
    """Return PReLU with other gradients where x is negative; grad_a is summed."""

    def backward(ctx, grad_y):
        x, a = ctx.saved_tensors
        for_a = torch.where(x < 0, grad_a(x, a, grad_y), 0).sum().reshape(1)
        return torch.where(x < 0, grad_x(x, a, grad_y), grad_y), for_a

    return with_backward(PReLU, backward)


def _prelu_everywhere(ctx, grad_y):
    x, a = ctx.saved_tensors
    return torch.where(x < 0, a * grad_y, grad_y), (x * grad_y).sum().reshape(1)


_DERIVED_BY_X = "The branch for negative x is a straight line in x: its derivative has no x in it."

SLIPS = {
    "2.1": [
        Slip(
            _leaky(lambda x, slope, g: 0 * g),
            "wrong-mask",
            "This is the backward of the lesson's ReLU, which lets nothing through where x is "
            "negative. Here forward is not flat there.",
            "Ask of each branch of forward: how much does y change if x grows a little? Backward "
            "has the same two branches.",
        ),
        Slip(
            _leaky(lambda x, slope, g: 0 * g + slope),
            "grad-output-ignored",
            "Where x is negative, you return the slope itself. The chain rule multiplies each "
            "slope with the incoming gradient, in both branches.",
            "Look at the branch for negative x, and ask where grad_y is in it.",
        ),
        Slip(
            _leaky(lambda x, slope, g: slope * x * g),
            "wrong-gradient",
            "slope · x is the value of forward for negative x. " + _DERIVED_BY_X,
            "Differentiate slope · x by x on paper.",
        ),
        Slip(
            _leaky(lambda x, slope, g: slope * x),
            "wrong-gradient",
            "Where x is negative, you return what forward returns there, and neither its "
            "derivative nor the incoming gradient.",
            "Differentiate slope · x by x on paper, then apply the chain rule.",
        ),
        Slip(
            with_backward(LeakyReLU, _leaky_everywhere),
            "wrong-mask",
            "The incoming gradient is multiplied by the slope everywhere, also where x is positive "
            "and y is x.",
            "Backward has the same two branches as forward: ask x which one is due.",
        ),
    ],
    "2.2": [
        Slip(
            with_backward(ClampOne, _clamped_grad),
            "not-linear-in-grad-output",
            "The incoming gradient is cut off at −1 and 1. What decides is x: forward is flat "
            "where x was cut off, whatever comes in.",
            "Ask for each element of x whether y still changes if x grows a little.",
        ),
    ],
    "2.4": [
        exchanged(PReLU, "x", "a"),
        Slip(
            _prelu(lambda x, a, g: 0 * g, lambda x, a, g: x * g),
            "wrong-mask",
            "For x this is the backward of the lesson's ReLU, which lets nothing through where "
            "x is negative. Here forward is not flat there.",
            "Ask of each branch of forward: how much does y change if x grows a little?",
        ),
        Slip(
            _prelu(lambda x, a, g: a * x * g, lambda x, a, g: x * g),
            "wrong-gradient",
            "a · x is the value of forward for negative x. " + _DERIVED_BY_X,
            "Differentiate a · x by x on paper: a is a constant then.",
        ),
        Slip(
            _prelu(lambda x, a, g: a * g, lambda x, a, g: a * g),
            "wrong-gradient",
            "For a this sums the derivatives by x. By a, the other factor of the product a · x is "
            "left.",
            "Differentiate a · x by a on paper: now x is the constant.",
        ),
        Slip(
            _prelu(lambda x, a, g: a * g, lambda x, a, g: g),
            "wrong-gradient",
            "For a only the incoming gradients are summed. How much y grows with a is another "
            "number for each element.",
            "Differentiate a · x by a on paper: now x is the constant.",
        ),
        Slip(
            with_backward(PReLU, _prelu_everywhere),
            "wrong-mask",
            "The sum for a runs over all elements. Where x is positive, y is x and does not change "
            "with a.",
            "Ask for each element of y whether a takes part in it, and sum over those only.",
        ),
    ],
}
