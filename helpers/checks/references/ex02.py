"""Right answers to exercise 2."""

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import exchanged, with_backward
from helpers.checks.task import Slip
from helpers.checks.tasks.ex02 import LEAKY_SLOPE


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


def _beyond_slope():
    """Return LeakyReLU with the slope as its limit, in forward and in backward."""

    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return torch.where(x < slope, slope * x, x)

    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return torch.where(x < ctx.slope, ctx.slope * grad_y, grad_y), None

    functions = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("LeakyReLU", (Function,), functions)


def _raised_to_slope():
    """Return LeakyReLU that cuts off below the slope, as the lesson's ReLU does below 0."""

    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return x.clamp(min=slope)

    return type("LeakyReLU", (LeakyReLU,), {"forward": staticmethod(forward)})


def _let_through(ctx, grad_y):
    return grad_y.clone()


def _masked_x(ctx, grad_y):
    (x,) = ctx.saved_tensors
    return torch.where(x.abs() > 1, 0, x)


def _clamped_grad(ctx, grad_y):
    return grad_y.clamp(-1, 1)


def _prelu(grad_x, grad_a):
    """Return PReLU with other gradients where x is negative; grad_a is summed."""

    def backward(ctx, grad_y):
        x, a = ctx.saved_tensors
        for_a = torch.where(x < 0, grad_a(x, a, grad_y), 0).sum().reshape(1)
        return torch.where(x < 0, grad_x(x, a, grad_y), grad_y), for_a

    return with_backward(PReLU, backward)


def _prelu_for_a(grad_a):
    """Return PReLU with another gradient of a, a number that is computed as a whole."""

    def backward(ctx, grad_y):
        x, a = ctx.saved_tensors
        return torch.where(x < 0, a * grad_y, grad_y), grad_a(x, a, grad_y).reshape(1)

    return with_backward(PReLU, backward)


_DERIVED_BY_X = "The branch for negative x is a straight line in x: its derivative has no x in it."

_LIKE_SHIFT = (
    "The sum of the incoming gradients is right for the lesson's `Shift`, where each element grows "
    "just as much as a does. How much y grows with a is another number for each element."
)
_BY_A = (
    "Differentiate both branches of forward by a on paper; x is a constant then. Multiply element "
    "by element by grad_y, and sum at last."
)

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
        Slip(
            _leaky(lambda x, slope, g: 0.1 * g),
            "wrong-gradient",
            f"Where x is negative, you return 0.1 times grad_y. Here slope is {LEAKY_SLOPE}, and "
            "0.1 is only the number of the example in the text.",
            "Look for a number that stands in `backward` where the slope of this call is due: "
            "forward can leave it on `ctx`.",
        ),
        Slip(
            _leaky(lambda x, slope, g: 0.01 * g),
            "wrong-gradient",
            f"Where x is negative, you return 0.01 times grad_y. Here slope is {LEAKY_SLOPE}.",
            "Look for a number that stands in `backward` where the slope of this call is due: "
            "forward can leave it on `ctx`.",
        ),
        Slip(
            _beyond_slope(),
            "wrong-forward",
            "It is wrong where x lies between 0 and the slope: x is asked whether it is below the "
            "slope, and the task asks whether it is below 0.",
            "Look at the conditions in forward and in backward: slope is a factor, and no limit.",
        ),
        Slip(
            _raised_to_slope(),
            "wrong-forward",
            "Where x is below the slope, the output is the slope itself: a clamp, or a maximum, "
            "puts this number in the place of smaller ones and multiplies nothing.",
            "Look at the place that the report names: which product of x and slope is due there?",
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
        Slip(
            with_backward(ClampOne, _let_through),
            "wrong-mask",
            "Either nothing was stopped, or the zeros went into another tensor than the one that "
            "is returned.",
            "Print the mask. If it is the same everywhere, is it x that it asks? The output never "
            "lies beyond ±1. A mask of what to stop joins by `|`, as no number is above 1 and "
            "below −1 at once. A mask of what to keep joins by `&`, as every number is above −1 or "
            "below 1. If the mask is right, return the tensor that you write into: a method "
            "without an underscore at its end returns a new one, which needs a name.",
        ),
        Slip(
            with_backward(ClampOne, _masked_x),
            "grad-output-ignored",
            "Where x lies between −1 and 1, you return x itself. What is due there is a gradient, "
            "and the incoming one is nowhere in it.",
            "Ask how much y changes there if x grows a little, and multiply by what comes in.",
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
            _prelu_for_a(lambda x, a, g: (x * g).sum()),
            "wrong-mask",
            "The sum for a runs over all elements. Where x is positive, y is x and does not change "
            "with a.",
            "Ask for each element of y whether a takes part in it, and sum over those only.",
        ),
        Slip(
            _prelu_for_a(lambda x, a, g: g.sum()),
            "wrong-gradient",
            _LIKE_SHIFT,
            _BY_A,
        ),
        Slip(
            _prelu_for_a(lambda x, a, g: (x < 0).sum() * g.sum()),
            "wrong-gradient",
            "You count the elements with negative x. " + _LIKE_SHIFT,
            _BY_A,
        ),
        Slip(
            _prelu_for_a(lambda x, a, g: torch.where(x < 0, a * x, x).mul(g).sum()),
            "wrong-gradient",
            "For a the output itself is multiplied by the incoming gradient. What is due is how "
            "much the output grows with a.",
            _BY_A,
        ),
        Slip(
            _prelu(lambda x, a, g: a * g, lambda x, a, g: a * x * g),
            "wrong-gradient",
            "The factor a is left in it, and y grows with a by x alone. It may come with `grad_x`, "
            "which has this factor already, where `grad_y` is due; with a · x, the value of "
            "forward; or with the output, if that was saved as x.",
            "Look which tensor is multiplied by x, whether it was changed before, and what "
            "`save_for_backward` gets. Then differentiate a · x by a on paper.",
        ),
        Slip(
            _prelu_for_a(lambda x, a, g: torch.where(x < 0, x * g, 1).sum()),
            "not-linear-in-grad-output",
            "Where x is positive, a 1 is added for each element. There y is x, and a is not in it.",
            "Ask for an element with positive x: how much does y change if a grows a little?",
        ),
        Slip(
            _prelu_for_a(lambda x, a, g: torch.where(x < 0, x * g, g).sum()),
            "wrong-mask",
            "Where x is positive, the incoming gradient is added. There y is x: a is not in it.",
            "Ask for an element with positive x: how much does y change if a grows a little?",
        ),
        Slip(
            _prelu_for_a(lambda x, a, g: (g.T @ x).sum() if x.dim() == 2 else g.sum()),
            "wrong-gradient",
            "A product of matrices, by `@`, adds products of numbers of different columns, too. "
            "Each element of x goes with the incoming gradient of its own place.",
            "Multiply element by element, where x is negative, and sum the products.",
        ),
    ],
}
