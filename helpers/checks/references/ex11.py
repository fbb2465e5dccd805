"""Give the right answers to exercise 11, Functions under torch.func."""

import numpy as np
import torch
from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
from helpers.checks.task import Slip


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


def _slope(formula, why, look):
    """Return the slip of a Swish whose gradient is `formula` of x, a, s, and the output."""

    def setup_context(ctx, inputs, output):
        Swish.setup_context(ctx, inputs, output)
        ctx.save_for_backward(inputs[0], output)

    def backward(ctx, grad_y):
        x, y = ctx.saved_tensors
        return formula(x, ctx.a, torch.sigmoid(ctx.a * x), y) * grad_y, None

    members = {"setup_context": staticmethod(setup_context), "backward": staticmethod(backward)}
    return Slip(type("Swish", (Swish,), members), "wrong-gradient", why, look)


def _of(x, a, s):
    return s + a * x * s * (1 - s)


def _quotient(s, why):
    """Return the slip of a Swish that makes s of its output, whose derivative at 0 is lost."""
    slip = _slope(lambda x, a, _, y: _of(x, a, s(x, y)), why, _AGAIN)
    return Slip(slip.value, "second-order-wrong", why, _AGAIN)


def _at_one_and_a_half(x, a):
    return Swish.forward(x, 1.5)


def _written(ctx, grad_y):
    (x,) = ctx.saved_tensors
    s = torch.sigmoid(ctx.a * x) * grad_y
    return _of(x, ctx.a, s) * grad_y, None


def _tangent(formula, why, look):
    """Return the slip of an Angle whose tangent is `formula` of a, b and their tangents."""

    def jvp(ctx, a_t, b_t):
        return formula(*ctx.saved_tensors, a_t, b_t)

    return Slip(type("Angle", (Angle,), {"jvp": staticmethod(jvp)}), "wrong-jvp", why, look)


_AGAIN = "Compute s again from the saved x, with `torch.sigmoid`, in the first line of backward."
_A = "Use the `a` that is handed over. `ctx.a` has it in backward, once `setup_context` set it."
_READ = "Read the formula of the task beside your line, factor by factor."
_FACTORS = "The two factors of `jvp` are those of backward: b and −a, over a² + b²."
_NAN = "Here that is y / x at x = 0."

SLIPS = {
    "11.1": [
        _slope(
            lambda x, a, s, y: s + x * s * (1 - s),
            "The factor a of the second term is lost.",
            "Differentiate the inside of the sigmoid, a x: it brings an a.",
        ),
        _slope(
            lambda x, a, s, y: _of(x, a, torch.sigmoid(x)),
            "In backward s is taken at x, and not at a x.",
            "Compare the line of s in backward with that in forward.",
        ),
        _slope(
            lambda x, a, s, y: _of(x, a, y),
            "The numbers are those with y in the place of s: `output` is saved, and taken for s.",
            "What forward returns is y, and not s. Save x, and compute s of it in backward.",
        ),
        _slope(
            lambda x, a, s, y: _of(y, a, torch.sigmoid(a * y)),
            "The numbers are those at y in the place of x: `output` is saved, and taken for x.",
            "Save x, which is the first of `inputs`: the formula of grad_x is one of x.",
        ),
        _slope(
            lambda x, a, s, y: _of(x, 1.5, torch.sigmoid(1.5 * x)),
            "Backward has 1.5 in the place of a. That is one example: the check hands over others.",
            _A,
        ),
        _slope(
            lambda x, a, s, y: _of(x, a, torch.sigmoid(1.5 * x)),
            "The s of backward has 1.5 in the place of a. That is one example: the check hands "
            "over others.",
            _A,
        ),
        _slope(
            lambda x, a, s, y: _of(x, 1.5, s),
            "The second term has 1.5 in the place of a. That is one example: the check hands over "
            "others.",
            _A,
        ),
        Slip(
            type("Swish", (Swish,), {"forward": staticmethod(_at_one_and_a_half)}),
            "wrong-forward",
            "Forward has 1.5 in the place of a. That is one example: the check hands over others. "
            "If forward uses `a`, look what `.apply` is called with.",
            _A,
        ),
        _slope(
            lambda x, a, s, y: s + a * s * (1 - s),
            "The factor x of the second term is lost.",
            _READ,
        ),
        _slope(
            lambda x, a, s, y: s - a * x * s * (1 - s),
            "A sign differs: the second term is taken away, and it is to be added.",
            _READ,
        ),
        _slope(
            lambda x, a, s, y: s,
            "The second term is lost: s depends on x, too.",
            "y is a product of two factors that depend on x, so its derivative has two terms.",
        ),
        _slope(
            lambda x, a, s, y: a * x * s * (1 - s),
            "The first term is lost, in which the factor x is differentiated.",
            "y is a product of two factors that depend on x, so its derivative has two terms.",
        ),
        Slip(
            with_backward(Swish, _written),
            "not-linear-in-grad-output",
            "`grad_y` is multiplied into s, as `s *= grad_y` does, and the formula uses s again.",
            "Leave s as it is, and multiply by `grad_y` once, at the end.",
        ),
        _quotient(lambda x, y: torch.where(x == 0, 0.5, y / x), _NAN),
        _quotient(lambda x, y: (y / x).nan_to_num(0.5), _NAN),
        _quotient(
            lambda x, y: torch.where(x == 0, 0.5, y / torch.where(x == 0, 1.0, x)),
            "At x = 0 the term of s is lost: a number that stands there in the place of y / x is a "
            "constant for autograd.",
        ),
    ],
    "11.2": [
        _tangent(
            lambda a, b, a_t, b_t: b * a_t - a * b_t,
            "The denominator a² + b² is lost.",
            _FACTORS,
        ),
        _tangent(
            lambda a, b, a_t, b_t: (b * a_t - a * b_t) / (a**2 + b**2).sqrt(),
            "It is divided by the root of a² + b². That is due for a length.",
            _FACTORS,
        ),
        _tangent(
            lambda a, b, a_t, b_t: (b * a_t - a * b_t) / (a + b) ** 2,
            "It is divided by (a + b)², the square of the sum. Due is the sum of the squares.",
            "Write a² + b² as `a**2 + b**2`.",
        ),
        _tangent(
            lambda a, b, a_t, b_t: (b - a) / (a**2 + b**2),
            "`jvp` does not use its tangents: these are the two factors alone, added up.",
            "Multiply each factor by the tangent of its input, then add.",
        ),
        _tangent(
            lambda a, b, a_t, b_t: torch.arctan2(a_t, b_t),
            "That is forward of the tangents. Due is the derivative of forward times the tangents.",
            _FACTORS,
        ),
        _tangent(
            lambda a, b, a_t, b_t: (a * a_t - b * b_t) / (a**2 + b**2),
            "a and b are exchanged. The saved tensors may be named in another order than they were "
            "saved in.",
            _FACTORS,
        ),
        _tangent(
            lambda a, b, a_t, b_t: (b * a_t + a * b_t) / (a**2 + b**2),
            "A sign differs: the term of b_t is added, and it is to be taken away.",
            _FACTORS,
        ),
        _tangent(
            lambda a, b, a_t, b_t: (b * b_t - a * a_t) / (a**2 + b**2),
            "Each factor is multiplied by the tangent of the other input.",
            _FACTORS,
        ),
    ],
}
