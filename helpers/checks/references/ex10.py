"""Give the right answers to exercise 10, Bending gradients."""

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
from helpers.checks.task import Slip


class SignThrough(Function):
    """The sign of x; grad_y comes through where |x| ≤ 1."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sign(x)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() <= 1, grad_y, 0)


class ReverseBranch(Function):
    """x + z; the gradient of z is reversed and scaled."""

    @staticmethod
    def forward(ctx, x, z, factor):
        ctx.factor = factor
        return x + z

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y, -ctx.factor * grad_y, None


class Limit(Function):
    """x as it is; the gradient is shortened to the length `most`."""

    @staticmethod
    def forward(ctx, x, most):
        ctx.most = most
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_y):
        length = grad_y.square().sum().sqrt()
        if length <= ctx.most:
            return grad_y, None
        return ctx.most / length * grad_y, None


def _through(grad_y, x):
    return (x.abs() <= 2) | (grad_y * x > 0)


def rule(grad_y, x):
    """Return what comes through the rounding to −2 … 2."""
    return torch.where(_through(grad_y, x), grad_y, 0)


REFERENCES = {
    "10.1": SignThrough,
    "10.2": ReverseBranch,
    "10.3": Limit,
    "10.4": [-6.0, -15.0, -20.0],
    "10.5": rule,
}


def _sign(where):
    """Return SignThrough with another window."""

    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return torch.where(where(x, grad_y), grad_y, 0)

    return with_backward(SignThrough, backward)


def _branch(of_x, of_z):
    """Return ReverseBranch with other numbers in front of the incoming gradient."""

    def backward(ctx, grad_y):
        return of_x(ctx.factor) * grad_y, of_z(ctx.factor) * grad_y, None

    return with_backward(ReverseBranch, backward)


def _branch_forward(forward):
    """Return ReverseBranch with another forward."""

    def kept(ctx, x, z, factor):
        ctx.factor = factor
        return forward(x, z, factor)

    return type("ReverseBranch", (ReverseBranch,), {"forward": staticmethod(kept)})


def _limit(length, scale=lambda length, most: most / length):
    """Return Limit with another length, or another scale for a gradient that is too long."""

    def backward(ctx, grad_y):
        found = length(grad_y)
        scaled = torch.nan_to_num(scale(found, ctx.most) * grad_y, posinf=0.0)
        return torch.where(found <= ctx.most, grad_y, scaled), None

    return with_backward(Limit, backward)


def _length(grad):
    return grad.square().sum().sqrt()


def _sign_by(slope):
    """Return SignThrough with another slope."""

    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return slope(x) * grad_y

    return with_backward(SignThrough, backward)


def _no_brackets(ctx, grad_y):
    (x,) = ctx.saved_tensors
    return (grad_y * x.abs() <= 1).to(x.dtype)


def _sign_forward(forward):
    """Return SignThrough with another forward."""

    def kept(ctx, x):
        ctx.save_for_backward(x)
        return forward(x)

    return type("SignThrough", (SignThrough,), {"forward": staticmethod(kept)})


class _LimitsForward(Limit):
    """The value is shortened as well."""

    @staticmethod
    def forward(ctx, x, most):
        ctx.most = most
        return x * torch.clamp(most / x.square().sum().sqrt(), max=1)


class _LengthOfX(Limit):
    """The length of x takes the place of that of the gradient."""

    @staticmethod
    def forward(ctx, x, most):
        ctx.most, ctx.length = most, x.square().sum().sqrt()
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_y):
        scale = ctx.most / ctx.length if ctx.length > ctx.most else 1
        return scale * grad_y, None


def _by_element(ctx, grad_y):
    """Compare each element with the limit, and shorten it by the length of all."""
    shorter = ctx.most / _length(grad_y) * grad_y
    return torch.where(grad_y.abs() <= ctx.most, grad_y, shorter), None


def _where(through):
    """Return the rule with another condition."""
    return lambda grad_y, x: torch.where(through(grad_y, x), grad_y, 0)


_WINDOW = (
    "Print `x`, the mask and what comes back below each other, with an `x` at −2, −1, 0, 1, 2."
)
_GIVEN = (
    "The given forward was right, and this one gives other values: y = x + z. Only the gradient "
    "is reversed and scaled."
)
_BACK = "Put the line of the given forward back, and work on backward."
_TWICE = "Read both formulas of the task beside your `return` line: which of the two has a λ?"
_MINUS = "Read both formulas of the task beside your `return` line: which of the two has a minus?"
_PRINT_LENGTH = "Print the length in backward, and its shape: it is one number, the root of a sum."
_PAIRS = (
    "Call it with an `x` of −4, 0 and 4, once with a `grad_y` of ones, once with one of −1, and "
    "say for each of the six numbers which sentence of the task it belongs to."
)
_MASK = "This is a mask. The rule gives the gradient that is due: the incoming one, or 0."
_OF_G = "Wherever something comes through, it is the incoming gradient, unchanged."
_STEP = f"What comes back is where a step ends, x − g. {_OF_G} The optimizer makes the step."
_ONE_FOR_ALL = (
    "`.all()` makes one decision for the whole tensor. One for each element is due: some come "
    "through, and others do not."
)
_EACH = "Print the condition: it is to have the shape of x. `torch.where` takes such a condition."
_CASES = (
    "Call `y.backward(g)` with a `g` that is shorter than `most`, and with one that is longer, and "
    "print what comes back."
)


def _mask(where, why, look=_WINDOW):
    return Slip(_sign(where), "wrong-mask", why, look)


def _asks_the_largest(ctx, grad_y):
    if grad_y.abs().max() <= ctx.most:  # of no elements, that raises
        return grad_y, None
    return ctx.most / _length(grad_y) * grad_y, None


def _divides_by(count):
    """The number of something takes the place of the length."""

    def backward(ctx, grad_y):
        shorter = ctx.most / count(grad_y) * grad_y
        return (grad_y if count(grad_y) <= ctx.most else shorter), None

    return with_backward(Limit, backward)


def _other_length(length, what):
    why = f"The length is another number: what comes back is shortened by {what}."
    return Slip(_limit(length), "wrong-gradient", why, _PRINT_LENGTH)


SLIPS = {
    "10.1": [
        Slip(
            _sign(lambda x, grad_y: x.abs() < 0),
            "missing-gradient",
            "Zeros are the derivative of the sign. Here backward is to return something else, on "
            "purpose. If you wrote a window: zeros come back as well if one condition decides for "
            "the whole tensor (`.all()`), if `backward` has no `return`, or if the output is not "
            "a tensor of floats.",
            "Print what backward returns, and the dtype of `y`. Then read the second formula of "
            "the task: where does the incoming gradient come through?",
        ),
        Slip(
            with_backward(SignThrough, _no_brackets),
            "not-linear-in-grad-output",
            "Python reads `grad_y * x.abs() <= 1` as `(grad_y * x.abs()) <= 1`: what comes back is "
            "a mask, made of the product.",
            "Put brackets around the condition on x, before it is multiplied.",
        ),
        _mask(
            lambda x, grad_y: x.abs() <= 9,
            "The window is missing. A mask on the sign itself misses as well: |y| ≤ 1 holds for "
            "every y.",
        ),
        *(
            _mask(
                lambda x, grad_y, most=most: x.abs() <= most,
                "The window is too wide: some of what lies outside of −1 to 1 passes. x itself "
                "decides, not the rounded x.",
            )
            for most in (1.5, 2.0)
        ),
        _mask(
            lambda x, grad_y: x <= 1,
            "Only one side of the window is asked: every x below −1 is let through.",
        ),
        _mask(
            lambda x, grad_y: x >= -1,
            "Only one side of the window is asked: every x above 1 is let through.",
        ),
        _mask(lambda x, grad_y: x.abs() > 1, "What is to pass is stopped, and the rest passes."),
        _mask(
            lambda x, grad_y: x.abs() < 1,
            "The ends of the window are left out: at exactly −1 and 1 the gradient passes, too.",
            "Look for `<` where the task says ≤.",
        ),
        _mask(
            lambda x, grad_y: (x > -1) & (x <= 1),
            "The end −1 is left out: at exactly −1 the gradient passes, too.",
            "Look for `>` where the task says ≤, on both sides.",
        ),
        _mask(
            lambda x, grad_y: (x >= -1) & (x < 1),
            "The end 1 is left out: at exactly 1 the gradient passes, too.",
            "Look for `<` where the task says ≤, on both sides.",
        ),
        _mask(
            lambda x, grad_y: grad_y.abs() <= 1,
            "The condition asks whether the incoming gradient lies in the window. It is to ask x.",
            "Save x in forward, and ask it.",
        ),
        _mask(
            lambda x, grad_y: (x.abs() <= 1) & (x != 0),
            "At exactly 0 nothing comes through, and 0 lies in the window.",
        ),
        _mask(
            lambda x, grad_y: x.abs() <= 0.5,
            "The window is too narrow: it is to reach from −1 to 1.",
        ),
        *(
            Slip(
                _sign_by(slope),
                "wrong-gradient",
                f"Inside the window the gradient is multiplied by {what}. It is to come through "
                "as it is.",
                _WINDOW,
            )
            for slope, what in [
                (lambda x: x * (x.abs() <= 1), "x"),
                (lambda x: x.sign() * (x.abs() <= 1), "the sign of x"),
                (lambda x: x.abs() * (x.abs() <= 1), "|x|"),
                (lambda x: (1 - x.abs()).clamp(min=0), "1 − |x|"),
            ]
        ),
        Slip(
            _sign_by(lambda x: x.abs()),
            "wrong-gradient",
            "The gradient is multiplied by |x|, and there is no window.",
            _WINDOW,
        ),
        Slip(
            _sign_by(lambda x: 1 - x**2),
            "wrong-gradient",
            "The gradient is multiplied by 1 − x². The task asks for a window: 1 or 0, and "
            "nothing else.",
            _WINDOW,
        ),
        Slip(
            _sign_by(lambda x: (1 - x**2).clamp(min=0)),
            "wrong-gradient",
            "Inside the window the gradient is multiplied by 1 − x². It is to come through as it "
            "is.",
            _WINDOW,
        ),
        Slip(
            _sign_by(lambda x: x.clamp(-1, 1)),
            "wrong-gradient",
            "The gradient is multiplied by the clamped x: this is the value of the line from −1 "
            "to 1, and its slope is due, which is 1 inside and 0 outside.",
            _WINDOW,
        ),
        Slip(
            _sign_by(lambda x: 1 - x.tanh() ** 2),
            "wrong-gradient",
            "This is the slope of tanh, another smooth stand-in. The task asks for a window: 1 or "
            "0, and nothing between.",
            _WINDOW,
        ),
        Slip(
            _sign_forward(lambda x: x + (torch.sign(x) - x)),
            "wrong-forward",
            "`x + (sign(x) − x)` rounds: beside a very large x the 1 is lost. The short form with "
            "`detach` has no place in a Function, whose backward is written by hand.",
            "Return the sign itself.",
        ),
        Slip(
            _sign_forward(torch.round),
            "wrong-forward",
            "This rounds x to a whole number. The task asks for its sign: −1, 0 or 1.",
            "Call it with an `x` of −1.7, −0.2, 0.2 and 1.7.",
        ),
        *(
            Slip(
                _sign_forward(forward),
                "wrong-forward",
                f"At x = 0 it gives {found}, and 0 is due. Everywhere else it is right.",
                "Call it with an `x` of −1, 0 and 1.",
            )
            for forward, found in [
                (lambda x: torch.where(x >= 0, 1, -1).to(x.dtype), "1"),
                (lambda x: torch.where(x > 0, 1, -1).to(x.dtype), "−1"),
            ]
        ),
    ],
    "10.2": [
        Slip(
            _branch_forward(lambda x, z, factor: x - z),
            "wrong-forward",
            _GIVEN,
            _BACK,
        ),
        Slip(
            _branch_forward(lambda x, z, factor: x - factor * z),
            "wrong-forward",
            _GIVEN,
            _BACK,
        ),
        Slip(
            _branch_forward(lambda x, z, factor: x + factor * z),
            "wrong-forward",
            _GIVEN,
            _BACK,
        ),
        Slip(
            _branch(lambda factor: 1, lambda factor: -1),
            "wrong-factor",
            "The gradient is reversed, and `factor` is not in it.",
            "forward keeps `factor` on `ctx`. Use it in backward.",
        ),
        Slip(
            _branch(lambda factor: 1, lambda factor: factor),
            "wrong-sign",
            "The gradient is scaled by `factor`, and not reversed. There may be two minus signs, "
            "such as one in forward and one in backward: they cancel.",
            _MINUS,
        ),
        Slip(
            _branch(lambda factor: 1, lambda factor: 1),
            "wrong-factor",
            "z gets the incoming gradient as it is, without −λ: this is the plain derivative.",
            _TWICE,
        ),
        Slip(
            _branch(lambda factor: -factor, lambda factor: -factor),
            "wrong-factor",
            "Both branches are reversed. x is to get the incoming gradient as it is. If the two "
            "gradients are one tensor, a write in place changes both.",
            "Print `grad_x is grad_z`, and both gradients beside the formulas of the task.",
        ),
        Slip(
            _branch(lambda factor: -1, lambda factor: -factor),
            "wrong-sign",
            "Both branches are reversed. x is to get the incoming gradient as it is.",
            _TWICE,
        ),
        *(
            Slip(
                _branch(lambda factor: 1, of_z),
                "wrong-sign",
                "It is right for a `factor` above 0. With one below 0, −λ g has the sign of g, and "
                "here it does not.",
                "Look for `abs`, `max` or `clamp`: λ goes into the formula as it is.",
            )
            for of_z in (lambda factor: -abs(factor), lambda factor: -max(factor, 0))
        ),
        Slip(
            _branch(lambda factor: 1, lambda factor: -1 / factor),
            "wrong-factor",
            "The gradient is divided by `factor`. It is to be multiplied by it.",
            _TWICE,
        ),
        Slip(
            _branch(lambda factor: 1, lambda factor: 1 - factor),
            "wrong-factor",
            "λ g is taken off g here. The reversed gradient is −λ g alone.",
            _TWICE,
        ),
    ],
    "10.3": [
        Slip(
            _limit(_length, lambda length, most: 1),
            "wrong-gradient",
            "It comes back as it came in, though it is longer than `most`. Either nothing is "
            "shortened, or the comparison goes the wrong way round. `clip_grad_norm_` shortens the "
            "`.grad` of parameters, not the tensor that it is called with.",
            _CASES,
        ),
        Slip(
            with_backward(Limit, lambda ctx, grad_y: (grad_y.clamp(-ctx.most, ctx.most), None)),
            "wrong-gradient",
            "Each element is clipped by itself, which turns the gradient into another direction. "
            "Here one factor for all of them is due.",
            "Work out one length for the whole gradient, and multiply all of it by one number.",
        ),
        Slip(
            with_backward(Limit, lambda ctx, grad_y: (grad_y.clamp(max=ctx.most), None)),
            "wrong-gradient",
            "Each element is clipped by itself, and at one side only. Here one factor for all of "
            "them is due.",
            "Work out one length for the whole gradient, and multiply all of it by one number.",
        ),
        Slip(
            _limit(_length, lambda length, most: 1 / length),
            "wrong-factor",
            "It is shortened to the length 1, not to `most`.",
            _CASES,
        ),
        Slip(
            _limit(_length, lambda length, most: 1 / most),
            "wrong-gradient",
            "It is divided by `most`. The fraction of the task is c divided by the length.",
            _CASES,
        ),
        Slip(
            _limit(_length, lambda length, most: most),
            "wrong-gradient",
            "It is multiplied by `most`, and the length is not divided by.",
            _CASES,
        ),
        Slip(
            _limit(_length, lambda length, most: 0),
            "wrong-gradient",
            "A gradient that is too long is not shortened here: nothing of it comes back.",
            _CASES,
        ),
        Slip(
            _limit(_length, lambda length, most: length / most),
            "wrong-gradient",
            "The fraction stands on its head: the length is divided by `most` here.",
            _CASES,
        ),
        *(
            Slip(
                _limit(_length, lambda length, most, added=added: most / (length + added)),
                "wrong-gradient",
                "Something is added to the length before the division, so that what comes back is "
                "shorter than `most`. A length of 0 never gets so far: it is not above `most`.",
                _CASES,
            )
            for added in (1.0, 0.1, 1e-2, 1e-3, 1e-4)
        ),
        Slip(
            _LengthOfX,
            "wrong-gradient",
            "The length is that of x. It is to be that of the incoming gradient.",
            _PRINT_LENGTH,
        ),
        Slip(
            _LimitsForward,
            "wrong-forward",
            "The value is shortened. Forward hands x on as it is; only the gradient is limited.",
            "Move the limit from forward to backward.",
        ),
        Slip(
            with_backward(Limit, _by_element),
            "wrong-gradient",
            "Each element is compared with `most` by itself. One comparison for the whole "
            "gradient is due: that of its length.",
            _PRINT_LENGTH,
        ),
        *(
            Slip(
                _divides_by(count),
                "wrong-gradient",
                f"The number of {what} stands in the place of the length. The length is the root "
                "of the sum of the squares.",
                _PRINT_LENGTH,
            )
            for count, what in ((len, "rows"), (torch.numel, "elements"))
        ),
        Slip(
            with_backward(
                Limit,
                lambda ctx, grad_y: (grad_y - (_length(grad_y) - ctx.most).clamp(min=0), None),
            ),
            "wrong-gradient",
            "A number is taken off each element. Multiply all of them by one number.",
            _CASES,
        ),
        Slip(
            with_backward(Limit, _asks_the_largest),
            "wrong-gradient",
            "The condition compares the largest element with `most`. The length decides: it is the "
            "root of the sum of the squares, and 0 where there is no element.",
            _PRINT_LENGTH,
        ),
        _other_length(
            lambda grad: grad.square().sum(0, keepdim=True).sqrt(), "the length of each column"
        ),
        _other_length(lambda grad: grad.square().sum(), "a sum of squares without the root"),
        _other_length(
            lambda grad: grad.square().sum(-1, keepdim=True).sqrt(), "the length of each row"
        ),
        _other_length(lambda grad: grad.square().mean().sqrt(), "the root of a mean"),
        _other_length(lambda grad: grad.abs().sum(), "the sum of the absolute values"),
        _other_length(lambda grad: grad.abs().mean(), "the mean of the absolute values"),
        _other_length(lambda grad: grad.sum(), "the plain sum, in which no element is squared"),
        _other_length(
            lambda grad: grad.sum().sqrt(), "the root of the sum, in which no element is squared"
        ),
        _other_length(
            lambda grad: grad.abs().sum().sqrt(), "the root of the sum of the absolute values"
        ),
        _other_length(torch.std, "the standard deviation, which takes the mean off"),
        _other_length(
            lambda grad: grad.abs().max() if grad.numel() else grad.sum(), "the largest element"
        ),
    ],
    "10.5": [
        Slip(
            _where(lambda grad_y, x: (x.abs() < 2) | (grad_y * x > 0)),
            "wrong-mask",
            "The ends of the window are left out: at exactly −2 and 2 every gradient passes, too.",
            "Look for `<` where the task says ≤.",
        ),
        Slip(
            lambda grad_y, x: torch.where(x.abs() <= (2 | (grad_y * x > 0)), grad_y, 0),
            "wrong-mask",
            "`|` binds tighter than `<=`: without brackets, Python first joins 2 with the second "
            "condition, which makes 2 or 3, and then compares |x| with that.",
            "Put brackets around each condition, and `|` between them.",
        ),
        *(
            Slip(
                _where(condition),
                "wrong-mask",
                "A large gradient with the sign of x is stopped: the step would jump over 0. The "
                "sign decides, not where the step ends.",
                _PAIRS,
            )
            for condition in (
                lambda grad_y, x: (x.abs() <= 2) | ((x - grad_y).abs() < x.abs()),
                lambda grad_y, x: (x.abs() <= 2) | ((x - grad_y).abs() <= x.abs()),
                lambda grad_y, x: (x.abs() <= 2) | ((x - 0.1 * grad_y).abs() < x.abs()),
            )
        ),
        *(
            Slip(
                _where(condition),
                "wrong-mask",
                "It is asked where the step ends, and not which sign the gradient has: a step from "
                "far out need not end within the window, and one from near it may jump over it.",
                _PAIRS,
            )
            for condition in (
                lambda grad_y, x: (x.abs() <= 2) | ((x - grad_y).abs() <= 2),
                lambda grad_y, x: (x.abs() <= 2) | ((x - 0.1 * grad_y).abs() <= 2),
                lambda grad_y, x: (x - grad_y).abs() <= 2,
            )
        ),
        *(
            Slip(
                lambda grad_y, x, other=other: torch.where(
                    _through(grad_y, x), x - grad_y, other(x)
                ),
                "wrong-gradient",
                _STEP,
                _PAIRS,
            )
            for other in (lambda x: x, torch.zeros_like)
        ),
        Slip(
            lambda grad_y, x: x - grad_y,
            "wrong-gradient",
            _STEP,
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) | ((x - grad_y).sign() == x.sign())),
            "wrong-mask",
            "It is asked whether a step keeps the sign of x. The sign of the gradient decides.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) | (grad_y > x)),
            "wrong-mask",
            "The gradient is compared with x in size. Its sign is to be compared with that of x.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() > 2) | (grad_y * x > 0)),
            "wrong-mask",
            "The first condition is turned round: everything passes outside, and the signs are "
            "asked inside.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: ~_through(grad_y, x)),
            "wrong-mask",
            "It is turned round: what is to pass is stopped, and the other way about. "
            "`torch.where` takes its second argument where the condition holds.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) | (grad_y.abs() <= 2)),
            "wrong-mask",
            "The second condition asks the size of the gradient. It is to compare two signs.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) & (grad_y * x >= 0)),
            "wrong-mask",
            "Both conditions are asked for at once. One of the two is enough.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) | (grad_y * x > 2)),
            "wrong-mask",
            "The product is compared with 2. It tells of the two signs, and these by 0 alone.",
            _PAIRS,
        ),
        Slip(
            lambda grad_y, x: torch.where(x.abs() <= 2, grad_y, x),
            "wrong-gradient",
            f"Outside, x itself comes back. {_OF_G}",
            _PAIRS,
        ),
        *(
            Slip(
                _where(lambda grad_y, x, end=end: (x.abs() <= end) | (grad_y * x > 0)),
                "wrong-mask",
                "The window is too wide: some x beyond 2 counts as inside.",
                "Compare the end of your window with the task.",
            )
            for end in (2.2, 3)
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() > 2) & (grad_y * x > 0)),
            "wrong-mask",
            "Inside nothing comes through, and there everything is to pass.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) ^ (grad_y * x > 0)),
            "wrong-mask",
            "Where both conditions hold, nothing passes: one is enough, and both are, too.",
            "`^` is true where exactly one of the two holds, `|` where at least one does.",
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) | (grad_y > 0) & (x > 0)),
            "wrong-mask",
            "Below −2 no gradient passes. There, one with the sign of x is to pass, too: a "
            "negative one.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() < 2.5) | (grad_y * x > 0)),
            "wrong-mask",
            "An x such as 2.3 counts as inside: the window is too wide, or the rounded x is "
            "asked. x itself decides.",
            "Call it with an `x` of −2.3 and 2.3, and a `grad_y` of the other sign: 0 is due.",
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 1) | (grad_y * x > 0)),
            "wrong-mask",
            "The window is too narrow: it is to reach from −2 to 2.",
            _PAIRS,
        ),
        Slip(
            lambda grad_y, x: rule(x, grad_y),
            "wrong-gradient",
            "The two arguments are exchanged: what comes back are numbers of x. The incoming "
            "gradient comes first, and x second.",
            "Compare the first line of your function with `rule(grad_y, x)` in the task.",
        ),
        *(
            Slip(of_mask, "grad-output-ignored", _MASK, _PAIRS)
            for of_mask in (
                lambda grad_y, x: (x.abs() <= 2) | (grad_y * x > 0),
                lambda grad_y, x: ((x.abs() <= 2) | (grad_y * x > 0)).to(x.dtype),
            )
        ),
        *(
            Slip(of_x, "wrong-gradient", f"What comes back is {what}. {_OF_G}", _PAIRS)
            for of_x, what in (
                (lambda grad_y, x: torch.round(x), "the rounded x"),
                (lambda grad_y, x: x.clamp(-2, 2), "x, clamped"),
                (
                    lambda grad_y, x: torch.round(x).clamp(-2, 2),
                    "the value of the layer, its forward",
                ),
                (
                    lambda grad_y, x: torch.where(_through(grad_y, x), torch.round(x), 0),
                    "the rounded x, where a gradient comes through",
                ),
                (lambda grad_y, x: torch.where(_through(grad_y, x), x, 0), "x where it is to pass"),
            )
        ),
        Slip(
            lambda grad_y, x: torch.where(x.abs() <= 2, grad_y, grad_y * x.sign()),
            "wrong-gradient",
            "Outside, the gradient is multiplied by the sign of x, and no sign is compared: all "
            "comes through, and some of it is turned.",
            _PAIRS,
        ),
        Slip(
            lambda grad_y, x: rule(grad_y, x).sign(),
            "wrong-gradient",
            "What comes back are signs. The gradient comes through as it is, with its size.",
            _PAIRS,
        ),
        Slip(
            lambda grad_y, x: (x.abs() <= 2) * grad_y + (grad_y * x > 0) * grad_y,
            "wrong-gradient",
            "The two cases are added: where both hold, twice the gradient comes back.",
            _PAIRS,
        ),
        Slip(
            lambda grad_y, x: torch.where(x.abs() <= 2, grad_y, rule(grad_y, x).abs()),
            "wrong-gradient",
            "Outside, the gradient comes back without its sign. It comes through as it is: below "
            "−2 a negative one passes, and stays negative.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) | (x > 0)),
            "wrong-mask",
            "Outside, only the sign of x is asked. It is to be that of the gradient as well.",
            _PAIRS,
        ),
        Slip(
            lambda grad_y, x: grad_y if (x.abs() <= 2).all() else grad_y * (grad_y * x > 0),
            "wrong-mask",
            _ONE_FOR_ALL,
            _EACH,
        ),
        Slip(
            lambda grad_y, x: grad_y if _through(grad_y, x).all() else torch.zeros_like(grad_y),
            "wrong-mask",
            _ONE_FOR_ALL,
            _EACH,
        ),
        Slip(
            _where(lambda grad_y, x: x.abs() <= 2),
            "wrong-mask",
            "Outside nothing comes through. There, a gradient with the sign of x is to pass.",
            _PAIRS,
        ),
        Slip(
            lambda grad_y, x: (x.abs() <= 2).to(x.dtype),
            "grad-output-ignored",
            _MASK,
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) | (grad_y * x < 0)),
            "wrong-mask",
            "Outside, the wrong sign passes: a step against such a gradient brings x further out.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) | (grad_y > 0)),
            "wrong-mask",
            "Below −2 a negative gradient is to pass: it has the sign of x there.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x.abs() <= 2) & (grad_y * x > 0)),
            "wrong-mask",
            "Both conditions are asked for at once. One of the two is enough.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: grad_y * x > 0),
            "wrong-mask",
            "The signs decide everywhere. Inside, every gradient comes through.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (x <= 2) | (grad_y * x > 0)),
            "wrong-mask",
            "Only one side is asked: every x below −2 counts as inside.",
            _PAIRS,
        ),
        Slip(
            _where(lambda grad_y, x: (grad_y.abs() <= 2) | (grad_y * x > 0)),
            "wrong-mask",
            "The first condition asks the size of the gradient. It is to ask that of x.",
            _PAIRS,
        ),
        Slip(
            lambda grad_y, x: grad_y,
            "wrong-mask",
            "Everything comes through. Outside, a gradient without the sign of x is stopped.",
            _PAIRS,
        ),
        Slip(
            lambda grad_y, x: grad_y.clamp(-2, 2),
            "wrong-gradient",
            "The gradient is clipped. Nothing is clipped in this task: it comes through, or not.",
            _PAIRS,
        ),
    ],
}
