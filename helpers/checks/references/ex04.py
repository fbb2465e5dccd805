"""Give the right answers to exercise 4, gradcheck, and what fools it."""

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
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


def _other_vjp(difference=None, weigh=None, own_eps=None):
    """Return numerical_vjp with another difference, another sum, or a step of its own."""
    difference = difference or (lambda fn, x, step: (fn(x + step) - fn(x - step)) / 2)
    weigh = weigh or (lambda slopes, grad_y: (slopes * grad_y).sum())

    def vjp(fn, x, grad_y, eps=1e-6):
        eps = own_eps or eps
        grad_x = torch.zeros_like(x)
        for place in range(x.numel()):
            step = torch.zeros_like(x)
            step.view(-1)[place] = eps
            grad_x.view(-1)[place] = weigh(difference(fn, x, step) / eps, grad_y)
        return grad_x

    return vjp


def _by_rows(fn, x, grad_y, eps=1e-6):
    """One step for each row of x, or for each element if it has no rows."""
    grad_x = torch.zeros_like(x)
    for row in range(len(x)) if x.dim() else [()]:
        step = torch.zeros_like(x)
        step[row] = eps
        grad_x[row] = ((fn(x + step) - fn(x - step)) / (2 * eps) * grad_y).sum()
    return grad_x


def _never_put_back(fn, x, grad_y, eps=1e-6):
    """The step keeps the elements that were moved before."""
    grad_x, step = torch.zeros_like(x), torch.zeros_like(x)
    for place in range(x.numel()):
        step.view(-1)[place] = eps
        slopes = (fn(x + step) - fn(x - step)) / (2 * eps)
        grad_x.view(-1)[place] = (slopes * grad_y).sum()
    return grad_x


def _left_apart(weigh):
    """Return what forgets the sum: for each element of x, all numbers of the shape of y."""

    def vjp(fn, x, grad_y, eps=1e-6):
        found = []
        for place in range(x.numel()):
            step = torch.zeros_like(x)
            step.view(-1)[place] = eps
            found.append(weigh((fn(x + step) - fn(x - step)) / (2 * eps), grad_y))
        return torch.stack(found)

    return vjp


def _all_at_once(fn, x, grad_y, eps=1e-6):
    """One step for all elements together."""
    slopes = (fn(x + eps) - fn(x - eps)) / (2 * eps)
    return torch.zeros_like(x) + (slopes * grad_y).sum()


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


def _huber(slope):
    """Return Huber with another slope."""
    return _huber_by(lambda x, grad_y: slope(x) * grad_y)


def _huber_by(gradient):
    """Return Huber with another gradient."""

    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return gradient(x, grad_y)

    return with_backward(Huber, backward)


_EPS = 0.05  # of the task's calls

REFERENCES = {
    "4.1": numerical_vjp,
    "4.2": Huber,
    "4.3": ["gradcheck", "gradgradcheck", "values", "none", "linear"],
}

_ONE_SIDE = (
    "The difference is taken on one side of x only. It is off by a share of eps, where that of the "
    "formula, on both sides, is off by a share of eps² only."
)

_HALF = (
    "Only one of the two points is moved, so that they are eps apart. The difference is divided by "
    "2 eps, which makes it about half of the right one."
)
_TWO_POINTS = "Compare your difference with the two terms in the numerator of the formula."
_NOT_EPS = "The step is {step}, not eps: the check calls the function with eps=0.05."

SLIPS = {
    "4.1": [
        Slip(
            _left_apart(lambda slopes, grad_y: slopes),
            "wrong-shape",
            "For each element of x this is what all numbers of y do, in the shape of y: the "
            "Jacobian. The product with grad_y and the sum over y are missing.",
            "Multiply by grad_y and sum, for each element of x alone. Then give the numbers the "
            "shape of x.",
        ),
        Slip(
            _left_apart(lambda slopes, grad_y: slopes * grad_y),
            "wrong-shape",
            "For each element of x there are as many products as y has numbers. Their sum is due.",
            "Sum the products to one number, for each element of x alone. Then give the numbers "
            "the shape of x.",
        ),
        Slip(
            _other_vjp(lambda fn, x, step: (fn(x + step) - fn(x)) / 2),
            "wrong-gradient",
            _HALF,
            _TWO_POINTS,
        ),
        Slip(
            _other_vjp(lambda fn, x, step: (fn(x) - fn(x - step)) / 2),
            "wrong-gradient",
            _HALF,
            _TWO_POINTS,
        ),
        *(
            Slip(
                _other_vjp(lambda fn, x, step, h=h: (fn(x + h * step) - fn(x - h * step)) / 2),
                "wrong-gradient",
                _NOT_EPS.format(step=step),
                "Print the step and the number that you divide by, with eps=0.05.",
            )
            for h, step in [(1 / _EPS, "1"), (1e-6 / _EPS, "1e-6"), (1e-3 / _EPS, "1e-3")]
        ),
        Slip(
            _other_vjp(lambda fn, x, step: fn(x + step / 2) - fn(x - step / 2)),
            "wrong-gradient",
            "The two points are eps apart, half of it on each side. In the formula they are "
            "2 eps apart.",
            _TWO_POINTS,
        ),
        Slip(
            _never_put_back,
            "wrong-gradient",
            "The elements that were moved before stay moved in the later steps. In the formula "
            "one element is moved at a time.",
            "Print the step of the first two turns. Each turn needs a step of its own, with zeros "
            "everywhere else.",
        ),
        Slip(
            _other_vjp(weigh=lambda slopes, grad_y: (slopes @ grad_y).sum()),
            "wrong-gradient",
            "`@` is a product of matrices. In the formula each difference is multiplied by the "
            "element of grad_y in its own place.",
            "Write `*`, which multiplies element by element, and sum.",
        ),
        Slip(
            _other_vjp(own_eps=1.0),
            "wrong-gradient",
            _NOT_EPS.format(step="1"),
            "Print the step and the number that you divide by, with eps=0.05.",
        ),
        Slip(
            _other_vjp(lambda fn, x, step: fn(x + step) - fn(x)),
            "wrong-gradient",
            _ONE_SIDE,
            _TWO_POINTS,
        ),
        Slip(
            _other_vjp(lambda fn, x, step: fn(x) - fn(x - step)),
            "wrong-gradient",
            _ONE_SIDE,
            _TWO_POINTS,
        ),
        Slip(
            _by_rows,
            "wrong-gradient",
            "A whole row of x is moved at once, so that all numbers of a row get the same sum. "
            "In the formula i counts single elements.",
            "Run the loop over x.numel() places, and let each step move a single element.",
        ),
        Slip(
            _all_at_once,
            "wrong-gradient",
            "All elements of x are moved at once, so that each gets the sum of all the gradients.",
            "Run the loop over x.numel() places, and let each step move a single element.",
        ),
        Slip(
            lambda fn, x, grad_y, eps=1e-6: (fn(x + eps) - fn(x - eps)) / (2 * eps) * grad_y,
            "wrong-shape",
            "This is the shape of fn(x): all elements of x are moved at once, and nothing is "
            "summed. In the formula i counts the elements of x, and the sum is over those of y.",
            "Run a loop over x.numel() places. Let each step move a single element, and sum all "
            "products of this step to one number.",
        ),
        Slip(
            _other_vjp(lambda fn, x, step: (fn(x + step) - fn(x - step)) / 2 * step.max() ** 2),
            "wrong-factor",
            "The difference is multiplied by eps: Python reads `a / 2 * eps` as `(a / 2) * eps`.",
            "Put brackets around all that stands below the fraction bar.",
        ),
        Slip(
            _other_vjp(lambda fn, x, step: (fn(x + step) + fn(x - step)) / 2),
            "wrong-gradient",
            "The two values of fn are added, and their difference is due.",
            "Compare the sign between the two values with the numerator of the formula.",
        ),
        Slip(
            _other_vjp(weigh=lambda slopes, grad_y: slopes.sum() * grad_y.sum()),
            "wrong-gradient",
            "The differences and grad_y are summed apart, and the sums multiplied. In the formula "
            "each difference is multiplied by its own element of grad_y, before the sum.",
            "Multiply the two tensors element by element first, and sum the product.",
        ),
        Slip(
            _other_vjp(weigh=lambda slopes, grad_y: slopes.sum()),
            "grad-output-ignored",
            "The differences are summed as they are. In the formula each is multiplied by the "
            "element of grad_y in its place.",
            "Ask for each number in front of the sum where grad_y is in it.",
        ),
        Slip(
            _other_vjp(own_eps=1e-6),
            "wrong-gradient",
            "The step is another one than the argument eps: the check calls the function with "
            "eps=0.05.",
            "Search the code for numbers such as 1e-6, and use eps there.",
        ),
    ],
    "4.2": [
        Slip(
            _huber_by(lambda x, grad_y: (x * grad_y).clamp(-1, 1)),
            "not-linear-in-grad-output",
            "The product of x and grad_y is clipped: it stays between −1 and 1, however large "
            "grad_y is. The slope alone has these limits.",
            "Work out the slope from x alone first, and multiply by grad_y last.",
        ),
        Slip(
            _huber_by(lambda x, grad_y: torch.where(grad_y.abs() <= 1, x, x.sign()) * grad_y),
            "not-linear-in-grad-output",
            "It is wrong only where one of |x| and |grad_y| is above 1 and the other is not: the "
            "condition asks about grad_y, and forward asks about x.",
            "Look at the condition in backward: it decides which piece of forward x is on.",
        ),
        Slip(
            _huber(lambda x: torch.where(x.abs() <= 1, x, x.abs() - 0.5)),
            "wrong-gradient",
            "Outside of the middle this is the formula of forward, and not its slope.",
            "Differentiate |x| − 1/2 by x, for an x above 1 and for one below −1.",
        ),
        Slip(
            _huber(lambda x: torch.where(x.abs() <= 1, x**2 / 2, x.sign())),
            "wrong-gradient",
            "In the middle this is the formula of forward, and not its slope.",
            "Differentiate x²/2 by x.",
        ),
        Slip(
            _huber(lambda x: torch.where(x.abs() <= 1, x, x.abs())),
            "wrong-gradient",
            "Outside of the middle the slope is |x| here, which grows with x. But |x| − 1/2 is a "
            "straight line above 1, and one below −1.",
            "Differentiate |x| − 1/2 by x, for an x above 1 and for one below −1.",
        ),
        Slip(
            _huber(lambda x: x),
            "wrong-gradient",
            "The incoming gradient is used as it is now, as it must be. But x is the slope of the "
            "piece in the middle only: outside, forward is a straight line.",
            "Differentiate |x| − 1/2 by x, for an x above 1 and for one below −1.",
        ),
        Slip(
            _huber(lambda x: torch.where(x <= 1, x, x.sign())),
            "wrong-mask",
            "The condition asks about x, and forward asks about |x|: an x below −1 is taken for "
            "one of the middle.",
            "Try it with one x above 1 and one below −1.",
        ),
        Slip(
            _huber(lambda x: torch.where(x >= -1, x, x.sign())),
            "wrong-mask",
            "The condition has one limit, and forward has two: an x above 1 is taken for one of "
            "the middle.",
            "Try it with one x above 1 and one below −1.",
        ),
        Slip(
            _huber(lambda x: torch.where(x.abs() > 1, x, x.sign())),
            "wrong-mask",
            "The two pieces are swapped: the slope of the middle is used outside, and the other "
            "one in the middle.",
            "Read `torch.where` aloud: condition, what is taken where it holds, what elsewhere.",
        ),
        Slip(
            _huber(lambda x: torch.where(x.abs() <= 1, x, 1.0)),
            "wrong-gradient",
            "This backward has the same slope above 1 and below −1. But forward falls where x is "
            "below −1.",
            "Differentiate |x| − 1/2 by x, for an x below −1.",
        ),
        Slip(
            _huber(lambda x: torch.where(x.abs() <= 1, x, 0.0)),
            "wrong-mask",
            "Outside of the middle nothing comes back, as if forward were flat there. It is a "
            "straight line.",
            "Differentiate |x| − 1/2 by x, for an x above 1 and for one below −1.",
        ),
    ],
}
