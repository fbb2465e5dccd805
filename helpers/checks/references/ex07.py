"""Give the right answers to exercise 7, Sinh."""

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import exchanged, with_backward
from helpers.checks.task import Slip


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


def _wave(slope):
    """Return wave with another gradient, made of d, s, c and the incoming gradient of y."""
    slipped = with_backward(Wave, lambda ctx, grad_y, *_: slope(*ctx.saved_tensors, grad_y))
    return lambda x: slipped.apply(x)[0]


def _product(x):
    """Return the matrix product of d and s, with the right gradient of d s."""

    def forward(ctx, x):
        d, s, c = torch.exp(-x), torch.sin(x), torch.cos(x)
        ctx.save_for_backward(d, s, c)
        return torch.matmul(d, s), d, s, c

    return type("Wave", (Wave,), {"forward": staticmethod(forward)}).apply(x)[0]


def _wrong_y(formula, why, look):
    """Return the slip of a wave whose y is another one."""

    def forward(ctx, x):
        _, d, s, c = Wave.forward(ctx, x)
        return formula(x), d, s, c

    made = type("Wave", (Wave,), {"forward": staticmethod(forward)})
    return Slip(lambda x: made.apply(x)[0], "wrong-forward", why, look)


def _rms(size, mean=lambda hu: hu.mean(1, keepdim=True)):
    """Return RMSNorm with another r, or another m, in backward."""

    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        r = size(x)
        u = x / r
        h = grad_y * w
        return (h - u * mean(h * u)) / r, (grad_y * u).sum(0)

    return with_backward(RMSNorm, backward)


def _in_the_place_of_r(ctx, grad_y):
    x, w = ctx.saved_tensors
    return grad_y * x / _root_mean_square(x) / x.shape[1], torch.zeros_like(w)


def _exchanged(one, other, slope):
    return Slip(
        _wave(slope),
        "wrong-gradient",
        f"{one} and {other} stand in each other's place: the numbers are those of the formula with "
        "the two exchanged.",
        "Compare the order of `save_for_backward` with that of the unpacking, name by name. Then "
        "compare the formula with that of the task.",
    )


def _out_of_order(slope):
    return Slip(
        _wave(slope),
        "wrong-gradient",
        "d, s and c stand in each other's places: the numbers are those of the formula with all "
        "three in another order.",
        "Compare the order of `save_for_backward` with that of the unpacking, name by name.",
    )


def _other_slope(factor, name, slope):
    return Slip(
        _wave(slope),
        "wrong-gradient",
        f"What comes in for y is multiplied by {factor}, the derivative of {name}. The incoming "
        "gradients come in the order of the outputs: the first belongs to y.",
        "Put the `return` of forward beside the arguments of backward: after `ctx`, each output "
        "has its incoming gradient, in the same order.",
    )


def _lacking(term):
    return (
        f"These are the numbers of {term} alone. y is a product of two factors that depend on x, "
        "so its derivative has two terms."
    )


_SIGNS = "Compare the signs with those of the formula of the task, term by term."
_READ_Y = "Read the formula of y beside that of forward, factor by factor."
_PRINT_R = "Print r in forward and in backward: the two must be the same."
_PRINT_M = "Write the shape beside each name: m is (N, 1), a mean over the D numbers of a row."


def _wrong_r(size, what):
    why = f"r is another one in backward: the numbers are those of {what}."
    return Slip(_rms(size), "wrong-gradient", why, _PRINT_R)


SLIPS = {
    "7.1": [
        Slip(
            _wave(lambda d, s, c, g: g * d * (c + s)),
            "wrong-gradient",
            "A sign differs: the numbers are those of d (c + s).",
            _SIGNS,
        ),
        Slip(_wave(lambda d, s, c, g: g * d * c), "wrong-gradient", _lacking("d c"), _SIGNS),
        Slip(_wave(lambda d, s, c, g: -g * d * s), "wrong-gradient", _lacking("−d s"), _SIGNS),
        Slip(
            _wave(lambda d, s, c, g: g * (c - s)),
            "wrong-gradient",
            "The factor d is left out: the numbers are those of c − s.",
            "Read the formula factor by factor, and find each of them in your code.",
        ),
        _exchanged("d", "s", lambda d, s, c, g: g * s * (c - d)),
        _exchanged("d", "c", lambda d, s, c, g: g * c * (d - s)),
        Slip(
            _wave(lambda d, s, c, g: g * d * (s - c)),
            "wrong-sign",
            "These are the numbers of d (s − c): the two terms are turned, or s and c are unpacked "
            "in another order than they were saved.",
            "Compare the formula with that of the task, and the order of `save_for_backward` with "
            "that of the unpacking.",
        ),
        _out_of_order(lambda d, s, c, g: g * s * (d - c)),
        _out_of_order(lambda d, s, c, g: g * c * (s - d)),
        _other_slope("−d", "d", lambda d, s, c, g: -g * d),
        _other_slope("c", "s", lambda d, s, c, g: g * c),
        _other_slope("−s", "c", lambda d, s, c, g: -g * s),
        _wrong_y(
            lambda x: torch.exp(x) * torch.sin(x),
            "The numbers are those of eˣ sin x: the minus in the exponent is lost.",
            "d is the exponential of −x.",
        ),
        _wrong_y(
            lambda x: -torch.exp(x) * torch.sin(x),
            "The numbers are those of −eˣ sin x: the minus stands before the exponential.",
            "d is the exponential of −x: the minus belongs inside the brackets.",
        ),
        _wrong_y(
            lambda x: torch.exp(-x) + torch.sin(x),
            "The numbers are those of d + s. y is the product of the two.",
            _READ_Y,
        ),
        _wrong_y(
            lambda x: torch.exp(-x) * torch.cos(x),
            "The numbers are those of d c. y is d s.",
            _READ_Y,
        ),
        Slip(
            _product,
            "wrong-forward",
            "The numbers are those of the matrix product of d and s, as `@` and `matmul` give it.",
            "Element by element, a product is written with `*`.",
        ),
    ],
    "7.2": [
        exchanged(RMSNorm, "x", "w"),
        _wrong_r(lambda x: x.square().mean(1, keepdim=True), "an r without the root"),
        _wrong_r(lambda x: x.square().mean(1, keepdim=True).rsqrt(), "1 / r in place of r"),
        _wrong_r(lambda x: x.square().sum(1, keepdim=True).sqrt(), "a sum in place of the mean"),
        _wrong_r(
            lambda x: (x.square().sum(1, keepdim=True) / len(x)).sqrt(),
            "a sum that is divided by N, and not by D",
        ),
        _wrong_r(lambda x: x.std(1, keepdim=True), "the standard deviation, as `std` gives it"),
        _wrong_r(
            lambda x: x.std(1, keepdim=True, correction=0),
            "a standard deviation: the mean of the row is taken off first",
        ),
        _wrong_r(lambda x: x.square().mean(0, keepdim=True).sqrt(), "means down the columns"),
        _wrong_r(lambda x: x.square().mean().sqrt(), "one mean over all of x"),
        Slip(
            _rms(_root_mean_square, lambda hu: hu.sum(1, keepdim=True)),
            "wrong-gradient",
            "m is a sum here: the numbers are those of an m that is not divided by D.",
            _PRINT_M,
        ),
        Slip(
            _rms(_root_mean_square, lambda hu: hu.mean(0, keepdim=True)),
            "wrong-gradient",
            "m is a mean down the columns here, over the rows n.",
            _PRINT_M,
        ),
        Slip(
            _rms(_root_mean_square, lambda hu: hu.mean()),
            "wrong-gradient",
            "m is one mean over all rows here. Each row has its own.",
            _PRINT_M,
        ),
        Slip(
            with_backward(RMSNorm, _in_the_place_of_r),
            "wrong-gradient",
            "What comes in for y is used as if it came in for r. The incoming gradients come in "
            "the order of the outputs: the first belongs to y.",
            "Put the `return` of forward beside the arguments of backward: after `ctx`, each "
            "output has its incoming gradient, in the same order.",
        ),
    ],
}
