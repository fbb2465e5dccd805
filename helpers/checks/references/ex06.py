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


def _inverse(grad_x):
    """Return Inverse with another gradient, made of y and the incoming gradient."""
    return with_backward(Inverse, lambda ctx, grad_y: grad_x(*ctx.saved_tensors, grad_y))


def _growth(take):
    """Return Growth with another x, rate and y in backward, made of the right ones."""

    def backward(ctx, grad_y):
        x, rate, y = take(*ctx.saved_tensors)
        shared = y * grad_y
        return rate * shared, (x * shared).sum(0), None

    return with_backward(Growth, backward)


def _growth_of(factor):
    """Return Growth with y times a factor, made of the number start, in backward."""

    class ScaledGrowth(Growth):
        @staticmethod
        def forward(ctx, x, rate, start):
            ctx.factor = factor(start)
            return Growth.forward(ctx, x, rate, start)

        @staticmethod
        def backward(ctx, grad_y):
            return Growth.backward(ctx, ctx.factor * grad_y)

    return ScaledGrowth


class _WithoutStart(Growth):
    @staticmethod
    def forward(ctx, x, rate, start):
        return Growth.forward(ctx, x, rate, 1)


class _WithFactor(Growth):
    @staticmethod
    def forward(ctx, x, rate, start):
        ctx.save_for_backward(x, rate, start * torch.exp(rate * x))
        return start * torch.exp(rate * x), torch.exp(rate * x)

    @staticmethod
    def backward(ctx, grad_y, grad_factor):
        return Growth.backward(ctx, grad_y)


def _growth_to(y_of):
    """Return Growth with another forward."""

    class GrowthForward(Growth):
        @staticmethod
        def forward(ctx, x, rate, start):
            y = y_of(x, rate, start)
            ctx.save_for_backward(x, rate, y)
            return y

    return GrowthForward


def _exp(ctx, x):
    y = torch.exp(x)
    ctx.save_for_backward(y)
    return y


def _softmax_of(softmax):
    """Return Softmax with another forward."""

    class SoftmaxForward(Softmax):
        @staticmethod
        def forward(ctx, x):
            y = softmax(x)
            ctx.save_for_backward(y)
            return y

    return SoftmaxForward


def _softmax_with(softmax):
    """Return Softmax with another y, made of x, in backward."""

    class SoftmaxBackward(Softmax):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(softmax(x))
            return torch.softmax(x, dim=1)

    return SoftmaxBackward


_OTHER_ORDER = (
    "These are the right formulas with the saved tensors exchanged: a name in backward stands for "
    "another tensor than in forward."
)
_SAME_ORDER = (
    "Write the line that unpacks `ctx.saved_tensors` below the one with `save_for_backward`: the "
    "same tensors, in the same order."
)
_ORDERS = [
    lambda x, rate, y: (x, y, rate),
    lambda x, rate, y: (rate, x, y),
    lambda x, rate, y: (rate, y, x),
    lambda x, rate, y: (y, x, rate),
    lambda x, rate, y: (y, rate, x),
]
_ONE_FOR_EACH_ROW = (
    "Write the shapes beside the formula: x is (N, C), and the sum gives N numbers, one for each "
    "row."
)

_WHAT_IS_SAVED = "Write down what is saved, and the derivative as a formula of just that."
_WHICH_SUM = (
    "Print `y.sum(0)` and `y.sum(1)`: one of them should be all ones. Then look over which "
    "dimension your code sums, and which one runs along a row."
)

SLIPS = {
    "6.1": [
        Slip(
            _inverse(lambda y, g: -g / y**2),
            "wrong-gradient",
            "It is divided by the square of y. That formula is the one for x: −1/x² and −y² are "
            "the same, and what is saved is y.",
            _WHAT_IS_SAVED,
        ),
        Slip(
            _inverse(lambda y, g: g / y**2),
            "wrong-gradient",
            "It is divided by the square of y, and the minus is missing. Dividing by a square is "
            "the formula for x: −1/x² and −y² are the same.",
            _WHAT_IS_SAVED,
        ),
        Slip(
            _inverse(lambda y, g: y * g),
            "wrong-gradient",
            "That is the backward of the lesson's Exp, whose output is its own derivative.",
            "Compare with the derivative of 1 / x that the task gives.",
        ),
        Slip(
            _inverse(lambda y, g: -y * g),
            "wrong-gradient",
            "In the derivative of 1 / x, the output has another power.",
            "Compare with the derivative of 1 / x that the task gives.",
        ),
        Slip(
            _inverse(lambda y, g: -2 * y * g),
            "wrong-gradient",
            "The factor −2 y comes out of −y² by one more derivative; but −y² is the derivative "
            "already.",
            "Compare with the derivative of 1 / x that the task gives.",
        ),
        Slip(
            type("Exp", (Inverse,), {"forward": staticmethod(_exp)}),
            "wrong-forward",
            "This is the lesson's Exp. The task is about 1 / x.",
            "Write the formula of the task in forward, and its derivative in backward.",
        ),
    ],
    "6.2": [
        Slip(
            _growth_of(lambda start: start),
            "wrong-factor",
            "It is `start` times the right one: y holds `start` already. So does a saved tensor "
            "after `factor *= start`, which writes into it.",
            "Ask of each factor in backward whether `start` is in it. It may be there once.",
        ),
        Slip(
            _growth_of(lambda start: 1 / start if start else 1),
            "wrong-factor",
            "It is the right one divided by `start`: that factor is left out in backward.",
            "Ask of each factor in backward whether `start` is in it. It has to be there once.",
        ),
        Slip(
            _WithoutStart,
            "wrong-forward",
            "That is the right one divided by `start`: the factor `start` is left out of what "
            "forward returns.",
            "Give the product with `start` a name, and return that.",
        ),
        Slip(
            _growth_to(lambda x, rate, start: torch.exp(start * rate * x)),
            "wrong-forward",
            "`start` stands in the exponent. In the formula it stands in front of the power.",
            "Look where the brackets of `exp` begin and end, in the formula and in your code.",
        ),
        Slip(
            _growth_to(lambda x, rate, start: start * torch.exp(rate + x)),
            "wrong-forward",
            "In the exponent rate and x are added. In the formula they are multiplied.",
            "The ⊙ of the formula is a product, element by element: `*`.",
        ),
        Slip(
            _growth_to(lambda x, rate, start: start * rate * torch.exp(x)),
            "wrong-forward",
            "rate stands in front of the power. In the formula it stands in the exponent.",
            "Look where the brackets of `exp` begin and end, in the formula and in your code.",
        ),
        Slip(
            _WithFactor,
            "wrong-forward",
            "",
            "Return the product alone, and save that very tensor: it is an output, so it has a "
            "history.",
        ),
        *(Slip(_growth(take), "wrong-gradient", _OTHER_ORDER, _SAME_ORDER) for take in _ORDERS),
    ],
    "6.4": [
        Slip(
            _softmax_of(lambda x: torch.softmax(x, dim=0)),
            "wrong-forward",
            "Each of your columns adds up to 1. The rows are to do that.",
            _WHICH_SUM,
        ),
        Slip(
            _softmax_of(lambda x: torch.exp(x) / torch.exp(x).sum()),
            "wrong-forward",
            "All of your numbers together add up to 1. Each row by itself is to do that.",
            _WHICH_SUM,
        ),
        Slip(
            _softmax_of(torch.exp),
            "wrong-forward",
            "This is e to the power of x. The division by the sum of the row is left out.",
            "Compare with the formula of y in the task: what stands below the line?",
        ),
        Slip(
            _softmax_of(lambda x: torch.softmax(-x, dim=1)),
            "wrong-forward",
            "This is the softmax of −x: the largest x has the smallest share.",
            "Compare the signs of the exponents with those of the formula.",
        ),
        Slip(
            _softmax_of(torch.sigmoid),
            "wrong-forward",
            "This is the sigmoid of each number by itself. The numbers of a row do not add up to "
            "1.",
            "Compare with the formula of y in the task: which numbers are added up below the line?",
        ),
        Slip(
            _softmax_of(lambda x: torch.log_softmax(x, dim=1)),
            "wrong-forward",
            "This is the logarithm of the right one: `log_softmax` takes it, too.",
            "Compare the name of the function that you call with the formula of y in the task.",
        ),
        Slip(
            _softmax_of(lambda x: x / x.sum(1, keepdim=True)),
            "wrong-forward",
            "Each x is divided by the sum of its row. In the formula, e to the power of x stands "
            "above the line and below it.",
            "Take one row of three numbers, and work out y by the formula of the task.",
        ),
        Slip(
            _softmax_with(torch.exp),
            "wrong-gradient",
            "What backward takes for y is e to the power of x, not divided by the sum of its row.",
            "Compare what is saved with what is returned: they should be the same tensor.",
        ),
        Slip(
            _softmax_with(lambda x: torch.softmax(x, dim=0)),
            "wrong-gradient",
            "The y of backward is not that of forward: its columns add up to 1, and not its rows.",
            "Save the y that forward returns, or compute it again along the same dimension.",
        ),
        Slip(
            _softmax_with(lambda x: x),
            "wrong-gradient",
            "What backward takes for y is x: the formula is right, and the saved tensor another.",
            "Compare what is saved with what the formula asks for.",
        ),
        Slip(
            _softmax(lambda y, g: y * (g - g.sum(1, keepdim=True) * y)),
            "wrong-gradient",
            "The sum is one of g alone, and is multiplied by y afterwards. In the formula each g "
            "is multiplied by its own y first, and then they are added up.",
            "Look where the sum begins and ends in the formula, and in your code.",
        ),
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
            "wrong-gradient",
            "The mean of each row is taken where the formula has the sum, inside the brackets.",
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
