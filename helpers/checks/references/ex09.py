"""Give the right answers to exercise 9, ctx."""

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
from helpers.checks.task import Slip


class ClampInPlace(Function):
    """x of any shape, limit a number; writes x between -limit and limit, and returns x."""

    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x.abs() < limit)
        ctx.mark_dirty(x)
        return x.clamp_(-limit, limit)

    @staticmethod
    def backward(ctx, grad_y):
        (inside,) = ctx.saved_tensors
        return grad_y * inside, None


class Bell(Function):
    """x of any shape, a number; returns exp(-a x²), of the same shape."""

    @staticmethod
    def forward(ctx, x, a):
        y = torch.exp(-a * x**2)
        ctx.save_for_backward(x, y)
        ctx.a = a
        return y

    @staticmethod
    def backward(ctx, grad_y):
        x, y = ctx.saved_tensors
        return -2 * ctx.a * x * y * grad_y, None


REFERENCES = {
    "9.1": ClampInPlace,
    "9.2": Bell,
    "9.3": ["grad", "wrong", "right", "wrong", "apply", "grad"],
}


def _clamp(inside, mark=True, write=True, ends=lambda limit: (-limit, limit)):
    """Return ClampInPlace with another mask; unmarked, with a new output, or with other limits."""

    def forward(ctx, x, limit):
        ctx.save_for_backward(inside(x, limit))
        if mark:
            ctx.mark_dirty(x)
        return x.clamp_(*ends(limit)) if write else x.clamp(*ends(limit))

    return type("ClampInPlace", (ClampInPlace,), {"forward": staticmethod(forward)})


def _inside(x, limit):
    return x.abs() < limit


def _sign(x, limit):
    return x.sign()


def _everywhere(x, limit):
    return torch.ones_like(x, dtype=torch.bool)


def _nowhere(x, limit):
    return torch.zeros_like(x, dtype=torch.bool)


_ALL_PASS = (
    "Both incoming gradients pass everywhere. Either backward has no mask, or the mask is made "
    "after the write: then no number lies outside of the limits any more. A mask that backward "
    "makes of a saved `x` comes after it, too: what is saved is the tensor, not a copy. Or the "
    "mask is True for every number: `|` between two conditions asks for one of them, `&` for both."
)
_NONE_PASS = (
    "No incoming gradient passes anywhere. Either the mask is False everywhere, or it is one "
    "False for the whole tensor, as `.all()` makes it: each number needs its own."
)
_TIMES_X = (
    "Both incoming gradients are multiplied by x, as it is after the write. The formula has no x "
    "in it: where a number lay inside, g comes back as it is, and elsewhere 0. That takes a mask "
    "of True and False. If there is one: of two calls of `save_for_backward` only the last counts."
)
_OUTSIDE = (
    "Where x lay outside of the limits, a gradient comes back: g times the sign of x. The numbers "
    "outside get 0. There the output is a limit, whatever x was, so its derivative is 0."
)
_TIMES_LIMIT = (
    "Where x lay outside of the limits, a gradient comes back: g times `limit`. The numbers "
    "outside get 0. There the output is a limit, whatever x was, so its derivative is 0."
)
_WHERE_0 = (
    "Multiply `grad_y` by a mask of True and False alone: True counts as 1, inside of the limits, "
    "and False as 0, outside."
)
_ABOVE = (
    "Numbers below `-limit` get 0, and numbers above `limit` do not: the mask knows the lower "
    "limit alone. Or the upper limit was written before the mask was made: then nothing lies "
    "above it any more."
)
_BOTH_SIDES = (
    "Make the mask of both conditions, and before the first write. Try it with a number on each "
    "side of both limits, and print the mask."
)
_SQUARED = (
    "The mask compares the square of x with `limit`, so with another limit than the one of the "
    "task: x² < limit holds up to the root of `limit`."
)
_ONE_LIMIT = "Only one of the two limits is kept: the numbers beyond the other one are still there."
_RAISED = (
    "`limit` is taken for the lower limit, and there is no upper one: each number below `limit` "
    "becomes `limit`."
)
_TURNED = "The two limits are turned round: then every number becomes the second one, `-limit`."
_MASK_FIRST = (
    "Make the mask in the first line of forward, before the write, and print its sum. If only "
    "`grad_later` passes then, the write is not announced."
)
_UNMARKED = (
    "What comes in for `x` itself, `grad_later`, passes at every place: autograd was not told of "
    "the write, and still takes `x` for the tensor that it was before the call."
)
_MARK = (
    "Announce the write with `ctx.mark_dirty`: it is a call, with the tensor in brackets. It "
    "belongs into `forward`, above the `return`: a line below it never runs. Announce and return "
    "the very `x` that came in; `x.detach()` makes another tensor of it."
)
_NOT_WRITTEN = (
    "The output is right, but the tensor that was handed over still holds its old numbers: the "
    "write went into a copy, or a new tensor was made, and the write is to go into `x` itself."
)


def _bell(slope):
    """Return Bell with another gradient, made of x, y and a."""

    def backward(ctx, grad_y):
        x, y = ctx.saved_tensors
        return slope(x, y, ctx.a) * grad_y, None

    return with_backward(Bell, backward)


SLIPS = {
    "9.1": [
        Slip(_clamp(_inside, mark=False), "modifies-input", _UNMARKED, _MARK),
        Slip(_clamp(_everywhere), "wrong-mask", _ALL_PASS, _MASK_FIRST),
        Slip(
            _clamp(lambda x, limit: x < limit),
            "wrong-mask",
            "The mask knows the upper limit alone: numbers below `-limit` were written over, too. "
            "Or the lower limit was written before the mask was made.",
            _BOTH_SIDES,
        ),
        Slip(_clamp(lambda x, limit: x > -limit), "wrong-mask", _ABOVE, _BOTH_SIDES),
        Slip(
            _clamp(_inside, mark=False, write=False),
            "wrong-forward",
            _NOT_WRITTEN,
            "`x.clamp(…)` and `torch.clamp` make a new tensor, and `x.clone()` a copy; `x.data "
            "= …` only gives x another memory. The method that ends in an underscore writes; call "
            "it on the argument itself.",
        ),
        Slip(
            _clamp(_nowhere),
            "wrong-mask",
            _NONE_PASS,
            "Print the mask, and its shape beside that of `x`.",
        ),
        Slip(
            _clamp(lambda x, limit: torch.where(x.abs() < limit, 1.0, limit)),
            "wrong-gradient",
            _TIMES_LIMIT,
            _WHERE_0,
        ),
        Slip(
            _clamp(lambda x, limit: 2.0 * _inside(x, limit)),
            "wrong-factor",
            "Autograd adds `grad_y` and `grad_later` by itself, before it calls your backward: "
            "what comes in is the sum.",
            "Return the incoming gradient once, where x lay inside.",
        ),
        *(
            Slip(_clamp(slope), "wrong-gradient", _OUTSIDE, _WHERE_0)
            for slope in (_sign, lambda x, limit: _sign(x, limit).where(x.abs() >= limit, 1.0))
        ),
        Slip(
            _clamp(lambda x, limit: x**2 < limit),
            "wrong-mask",
            _SQUARED,
            "Compare `x.abs()` with `limit`, or x with both limits.",
        ),
        Slip(
            _clamp(lambda x, limit: x),
            "wrong-gradient",
            _TIMES_X,
            "Save a mask alone, made before the write, in one call.",
        ),
        *(
            Slip(
                _clamp(_inside, ends=ends),
                "wrong-forward",
                why,
                "`clamp_` takes the lower limit first, then the upper one.",
            )
            for ends, why in (
                (lambda limit: (-limit, None), _ONE_LIMIT),
                (lambda limit: (None, limit), _ONE_LIMIT),
                (lambda limit: (limit, None), _RAISED),
                (lambda limit: (limit, -limit), _TURNED),
            )
        ),
    ],
    "9.2": [
        Slip(
            _bell(lambda x, y, a: -2 * a * x),
            "wrong-gradient",
            "The factor y is missing: the numbers are those of −2 a x g.",
            "The formula has five factors. Find each of them in your backward.",
        ),
        Slip(
            _bell(lambda x, y, a: -2 * x * y),
            "wrong-gradient",
            "The factor a is missing: the numbers are those of −2 x y g.",
            "The formula has five factors. Find each of them in your backward.",
        ),
        Slip(
            _bell(lambda x, y, a: -2 * a * y),
            "wrong-gradient",
            "The factor x is missing: the numbers are those of −2 a y g.",
            "The formula has five factors. Find each of them in your backward.",
        ),
        Slip(
            _bell(lambda x, y, a: -2 * a * x.abs() * y),
            "wrong-gradient",
            "x is taken for positive: the numbers are those of −2 a |x| y g. Where x is computed "
            "from y, its sign is lost: x and −x have the same y.",
            "Backward needs x itself: save x and y, both in one call.",
        ),
        Slip(
            _bell(lambda x, y, a: -2 * a * x * x),
            "wrong-gradient",
            "x stands in the place of y: `ctx.saved_tensors` has one entry for each tensor, in the "
            "order in which they were saved.",
            "Compare the line that saves with the line that unpacks, name by name.",
        ),
        Slip(
            _bell(lambda x, y, a: -2 * a * y * y),
            "wrong-gradient",
            "y stands in the place of x. If `save_for_backward` is called twice, only the last "
            "call counts.",
            "Save both tensors in one call, and unpack them in the same order.",
        ),
    ],
}
