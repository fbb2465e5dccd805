"""Give the right answers to exercise 12, Memory and speed."""

import math

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import exchanged, with_backward
from helpers.checks.task import Slip

_C, _K = math.sqrt(2 / math.pi), 0.044715


class Gelu(Function):
    """x of any shape; returns GELU of x in its tanh form, of the same shape."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 0.5 * x * (1 + torch.tanh(_C * (x + _K * x**3)))

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        t = torch.tanh(_C * (x + _K * x**3))
        inner = _C * (1 + 3 * _K * x**2)
        return (0.5 * (1 + t) + 0.5 * x * (1 - t**2) * inner) * grad_y


class RowNorm(Function):
    """x (N, D); returns its rows with mean 0 and variance 1, (N, D)."""

    @staticmethod
    def forward(ctx, x):
        centred = x - x.mean(1, keepdim=True)
        s = (centred.square().mean(1, keepdim=True) + 1e-5).sqrt()
        y = centred / s
        ctx.save_for_backward(y, s)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        y, s = ctx.saved_tensors
        along = (grad_y * y).mean(1, keepdim=True)
        return (grad_y - grad_y.mean(1, keepdim=True) - y * along) / s


REFERENCES = {"12.1": Gelu, "12.2": RowNorm, "12.3": [8000, 5000, 4000, 0, 4000]}


def _slope(formula, why, look):
    """Return the slip of a GELU whose gradient is `formula` of x, t and the inner derivative."""

    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        t = torch.tanh(_C * (x + _K * x**3))
        return formula(x, t, _C * (1 + 3 * _K * x**2)) * grad_y

    return Slip(with_backward(Gelu, backward), "wrong-gradient", why, look)


def _with_t(t, x, c=_C, k=_K):
    return 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * c * (1 + 3 * k * x**2)


def _with_c(c, x):
    return _with_t(torch.tanh(c * (x + _K * x**3)), x, c)


def _value(formula, why, look):
    forward = staticmethod(lambda ctx, x: formula(x))
    wrong = type("Gelu", (Gelu,), {"forward": forward, "backward": staticmethod(_nothing)})
    return Slip(wrong, "wrong-forward", why, look)


def _by_sum(ctx, grad_y):
    return Gelu.backward(ctx, grad_y.sum())


def _by_the_error_function(ctx, grad_y):
    (x,) = ctx.saved_tensors
    return torch.ops.aten.gelu_backward(grad_y, x)


def _rounded(dtype, back):
    """Return the slip of a backward that has x with fewer digits, and may go on with these."""

    def slope(x, t, inner):
        rounded = x.to(dtype).to(x.dtype) if back else x.to(dtype)
        t = torch.tanh(_C * (rounded + _K * rounded**3))
        inner = _C * (1 + 3 * _K * rounded**2)
        return 0.5 * (1 + t) + 0.5 * rounded * (1 - t**2) * inner

    said = str(dtype).removeprefix("torch.")
    return _slope(
        slope,
        f"The numbers are those of an x rounded to {said}: it is saved with fewer digits.",
        "Save x with the dtype that it has.",
    )


def _nothing(ctx, grad_y):
    return torch.zeros_like(grad_y)


def _row(formula, why, look):
    """Return the slip of rows whose gradient is `formula` of y, s and the incoming gradient."""

    def backward(ctx, grad_y):
        return formula(*ctx.saved_tensors, grad_y)

    return Slip(with_backward(RowNorm, backward), "wrong-gradient", why, look)


def _mean(values):
    return values.mean(1, keepdim=True)


def _normalised(mean, s, why, look):
    """Return the slip of rows with other means or another s, and whatever gradient."""

    def forward(ctx, x):
        centred = x - mean(x)
        return centred / s(centred)

    members = {"forward": staticmethod(forward), "backward": staticmethod(_nothing)}
    return Slip(type("RowNorm", (RowNorm,), members), "wrong-forward", why, look)


def _root(variance):
    return (variance + 1e-5).sqrt()


def _unbiased(values):
    return values.var(1, keepdim=True)


class _Keeper:
    def save_for_backward(self, *saved):
        self.saved_tensors = saved


def _with_x(backward, why, look):
    """Return the slip of a backward of x, s and g."""

    def forward(ctx, x):
        keeper = _Keeper()
        y = RowNorm.forward(keeper, x)
        ctx.save_for_backward(x, keeper.saved_tensors[1])
        return y

    members = {
        "forward": staticmethod(forward),
        "backward": staticmethod(lambda ctx, g: backward(*ctx.saved_tensors, g)),
    }
    return Slip(type("RowNorm", (RowNorm,), members), "wrong-gradient", why, look)


def _of_s(x, inner, outer, g):
    """Return the gradient with one s in y, and another that it is divided by."""
    y = (x - _mean(x)) / inner
    return (g - _mean(g) - y * _mean(g * y)) / outer


def _not_there(name, look):
    """Return the slip of a backward that reads an attribute of ctx that is not there."""

    def backward(ctx, g):
        return getattr(ctx, name)

    return Slip(with_backward(RowNorm, backward), "raises", "", look)


def _wrong_means():
    """Yield slips in which one of the two means, or both, are taken over other numbers."""
    ways = {
        "over all of the batch": lambda t: t.mean(),
        "down the columns": lambda t: t.mean(0),
    }
    for said, other in ways.items():
        yield from _of_means(other, "{} is taken " + said + ". Each row has its own.", _ROW)
    sums = "{} is a sum here. A bar is a mean over the D numbers of a row."
    yield from _of_means(lambda t: t.sum(1, keepdim=True), sums, _ROW)


def _of_means(other, why, look):
    yield _row(
        lambda y, s, g: (g - other(g) - y * _mean(g * y)) / s, why.format("The mean of g"), look
    )
    yield _row(
        lambda y, s, g: (g - _mean(g) - y * other(g * y)) / s, why.format("The mean of g y"), look
    )


_ROW = "A mean over a row is `mean(1, keepdim=True)`, of the shape (N, 1)."
_LOST = (
    "The division by s is lost. Or the s of backward is made from y: the rows of y have the "
    "variance 1 already, so that s is 1."
)
_READ = "Read the formula of the task beside your line, factor by factor."
_TERMS = "The formula of grad_x has three terms in its bracket. Look which of them your line has."

SLIPS = {
    "12.1": [
        _slope(
            lambda x, t, inner: 0.5 * (1 + t),
            "These are the numbers of the first term alone. y is a product of two factors that "
            "depend on x, so its derivative has two terms.",
            "Add the term in which tanh is differentiated.",
        ),
        _slope(
            lambda x, t, inner: 0.5 * x * (1 - t**2) * inner,
            "These are the numbers of the second term alone. y is a product of two factors that "
            "depend on x, so its derivative has two terms.",
            "Add the term in which the factor x is differentiated.",
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t) * inner,
            "The square is lost: the numbers are those with 1 − t in the place of 1 − t².",
            _READ,
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t**2),
            "The derivative of the inside of tanh is lost: the numbers are those without "
            "c (1 + 3 k x²).",
            "By the chain rule, tanh(u) brings 1 − t² and the derivative of u.",
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * _C,
            "The numbers are those of c alone in the place of c (1 + 3 k x²).",
            "Differentiate x + k x³ once more on paper.",
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * _C * (1 + _K * x**2),
            "The 3 is lost: the numbers are those with k x² in the place of 3 k x².",
            "The derivative of x³ is 3 x².",
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * inner / _C,
            "The factor c of the second term is lost.",
            _READ,
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + x * (1 - t**2) * inner,
            "The ½ of the second term is lost.",
            _READ,
        ),
        _slope(
            lambda x, t, inner: (1 + t) + 0.5 * x * (1 - t**2) * inner,
            "The ½ of the first term is lost.",
            _READ,
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * (1 - t**2) * inner,
            "The x of the second term is lost.",
            _READ,
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 + t**2) * inner,
            "A sign differs: the numbers are those with 1 + t² in the place of 1 − t².",
            _READ,
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) - 0.5 * x * (1 - t**2) * inner,
            "A sign differs: the second term is taken away in the place of added.",
            _READ,
        ),
        _value(
            torch.nn.functional.gelu,
            "The numbers are those of `F.gelu` without an argument: GELU by the error function, "
            "which the tanh form comes near to.",
            "Write the formula of the task, or say `approximate='tanh'`.",
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * _C * (1 + 2 * _K * x),
            "The numbers are those with 2 k x in the place of 3 k x².",
            "The derivative of x³ is 3 x².",
        ),
        _slope(
            lambda x, t, inner: _with_t(torch.tanh(_C * (x + 10 * _K * x**3)), x, k=10 * _K),
            "The k of backward is ten times as large: the numbers are those of 0.44715.",
            "Compare k with the task, digit by digit: 0.044715.",
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * _C * (1 + 30 * _K * x**2),
            "The k of the second term is ten times as large: the numbers are those of 0.44715.",
            "Compare k with the task, digit by digit: 0.044715.",
        ),
        _slope(
            lambda x, t, inner: _with_t(torch.tanh(_C * (x + 10 * _K * x**3)), x),
            "The k of t is ten times as large in backward: the numbers are those of 0.44715.",
            "Compare k with the task, digit by digit: 0.044715.",
        ),
        _value(
            lambda x: 0.5 * x * (1 + torch.tanh(_C * (x + 10 * _K * x**3))),
            "k is ten times as large: the numbers are those of 0.44715.",
            "Compare k with the task, digit by digit: 0.044715.",
        ),
        Slip(
            with_backward(Gelu, _by_sum),
            "wrong-gradient",
            "The slope is right, but one number multiplies it in every place: the sum of `grad_y`.",
            "Multiply by `grad_y` itself, element by element.",
        ),
        _rounded(torch.float16, back=False),
        _rounded(torch.float16, back=True),
        _rounded(torch.bfloat16, back=False),
        _rounded(torch.bfloat16, back=True),
        *(
            _value(
                lambda x, other=other: 0.5 * x * (1 + other(_C * (x + _K * x**3))),
                f"The numbers are those of `{other.__name__}` in the place of `tanh`.",
                "Compare the name of the function with the task, letter by letter.",
            )
            for other in (torch.atanh, torch.tan, torch.sinh, torch.sigmoid, torch.atan)
        ),
        _slope(
            lambda x, t, inner: _with_t(torch.atanh(_C * (x + _K * x**3)), x),
            "The t of backward is that of `atanh`, the inverse function, and due is `tanh`.",
            "Compare the line of t in backward with that in forward.",
        ),
        Slip(
            with_backward(Gelu, _by_the_error_function),
            "wrong-gradient",
            "The numbers are those of GELU by the error function: PyTorch's own gradient takes it, "
            "unless `approximate='tanh'` is said. The tanh form is near to it.",
            "Write the formula of the task.",
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * (_C + 3 * _K * x**2),
            "c multiplies the 1 alone: the brackets around 1 + 3 k x² are lost.",
            _READ,
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t * 2) * inner,
            "The numbers are those with 2 t in the place of t², which is `t**2`.",
            _READ,
        ),
        _value(
            lambda x: 0.5 * x * (1 + torch.tanh(2 / math.pi * (x + _K * x**3))),
            "The numbers are those of 2 / π in the place of √(2 / π): the root is lost.",
            "Print c: it is to be 0.798.",
        ),
        _slope(
            lambda x, t, inner: _with_c(2 / math.pi, x),
            "In backward the numbers are those of 2 / π in place of √(2 / π): the root is lost.",
            "Print c: it is to be 0.798.",
        ),
        _value(
            lambda x: 0.5 * x * (1 + torch.tanh(_C * (x + _K * x * 3))),
            "The numbers are those of x * 3 in the place of x³, which is `x**3`.",
            _READ,
        ),
        _slope(
            lambda x, t, inner: _with_t(torch.tanh(_C * (x + _K * x * 3)), x),
            "The numbers are those of x * 3 in the place of x³, in the t of backward.",
            "Write x³ as `x**3`, as in forward.",
        ),
        _value(
            lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 * math.pi) * (x + _K * x**3))),
            "The numbers are those of √(2π) in the place of √(2 / π).",
            "Print c: it is to be 0.798.",
        ),
        _slope(
            lambda x, t, inner: _with_c(math.sqrt(2 * math.pi), x),
            "The numbers are those of √(2π) in the place of √(2 / π), in backward.",
            "Print c: it is to be 0.798.",
        ),
        _slope(
            lambda x, t, inner: _with_t(torch.tanh(x + _K * x**3), x),
            "The t of backward lacks the c inside of tanh.",
            "Compare the line of t in backward with that in forward.",
        ),
        _slope(
            lambda x, t, inner: _with_t(
                torch.tanh(_C * (y := 0.5 * x * (1 + t)) + _C * _K * y**3), y
            ),
            "The numbers are those at y in the place of x: y is saved, and taken for x.",
            "Save x: the formula of grad_x is one of x, and t of x.",
        ),
        _value(
            lambda x: 0.5 * x * (1 + torch.tanh(x + _K * x**3)),
            "The factor c inside of tanh is lost.",
            _READ,
        ),
        _value(
            lambda x: x * (1 + torch.tanh(_C * (x + _K * x**3))),
            "The ½ in front is lost: every number is twice what is due.",
            _READ,
        ),
        _value(
            lambda x: 0.5 * (1 + torch.tanh(_C * (x + _K * x**3))),
            "The factor x in front is lost.",
            _READ,
        ),
        _value(
            lambda x: 0.5 * x * (1 + torch.tanh(_C * x + _K * x**3)),
            "c multiplies x alone here: the brackets around x + k x³ are lost.",
            _READ,
        ),
        _value(
            lambda x: 0.5 * x * (1 + torch.tanh(_C * (x + _K * x**2))),
            "The numbers are those with x² in the place of x³.",
            _READ,
        ),
        _value(
            lambda x: 0.5 * x * (1 + torch.tanh(_C * (x + (_K * x) ** 3))),
            "k is cubed as well: the numbers are those of (k x)³ in the place of k x³.",
            "Put the brackets away: `**` comes before `*`.",
        ),
        _slope(
            lambda x, t, inner: _with_t(torch.tanh(_C * (x + (_K * x) ** 3)), x),
            "The numbers are those of (k x)³ in the place of k x³, in the t of backward.",
            "Put the brackets away: `**` comes before `*`.",
        ),
        _value(
            lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2) / math.pi * (x + _K * x**3))),
            "The root is taken of 2 alone, and not of 2 / π.",
            "Print c: it is to be 0.798.",
        ),
        _slope(
            lambda x, t, inner: _with_c(math.sqrt(2) / math.pi, x),
            "In backward the root is taken of 2 alone, and not of 2 / π.",
            "Print c: it is to be 0.798.",
        ),
        _value(
            lambda x: 0.5 * x * (1 - torch.tanh(_C * (x + _K * x**3))),
            "A sign differs: the numbers are those with 1 − t in the place of 1 + t.",
            _READ,
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t) ** 2 * inner,
            "The numbers are those with (1 − t)² in the place of 1 − t².",
            _READ,
        ),
        _slope(
            lambda x, t, inner: 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * _C * (1 + 3 * _K * x),
            "The numbers are those with 3 k x in the place of 3 k x².",
            "The derivative of x³ is 3 x².",
        ),
    ],
    "12.2": [
        _not_there(
            "centred",
            "This task keeps no tensor on `ctx`, so backward does without `ctx.centred`: "
            "centred / s is y, which is saved.",
        ),
        _not_there(
            "s",
            "This task keeps no tensor on `ctx`: hand s to `ctx.save_for_backward`, and take it "
            "from `ctx.saved_tensors` in backward.",
        ),
        _row(
            lambda y, s, g: (g - _mean(g)) / s,
            "The term of y is lost: that is the way through s.",
            _TERMS,
        ),
        _row(
            lambda y, s, g: (g - y * _mean(g * y)) / s,
            "The mean of the incoming gradient is not taken off: that is the way through μ.",
            _TERMS,
        ),
        _row(
            lambda y, s, g: g / s,
            "The means are lost: μ and s depend on x, too.",
            _TERMS,
        ),
        _row(
            lambda y, s, g: g - _mean(g) - y * _mean(g * y),
            _LOST,
            _READ,
        ),
        _row(lambda y, s, g: (g - _mean(g) - y * _mean(g * y)) / _root(_mean(y**2)), _LOST, _READ),
        _row(
            lambda y, s, g: (g - _mean(g) - y * _mean(g * y)) * s,
            "It is multiplied by s and not divided: the numbers are those with s in the place of "
            "1 / s.",
            _READ,
        ),
        _row(
            lambda y, s, g: (g - _mean(g) - y * _mean(g * y) / s) / s,
            "The mean of g y is divided by s. That was due for centred: y is divided already.",
            "centred / s is y. Where centred becomes y, its division by s goes away.",
        ),
        _row(
            lambda y, s, g: (g - _mean(g) - y * s * _mean(g * y * s)) / s,
            "The numbers are those with centred in the place of y.",
            "centred / s is y. The formula needs y in both places.",
        ),
        _row(
            lambda y, s, g: (g - g.mean() - y * (g * y).mean()) / s,
            "The means are taken over all of the batch. Each row has its own.",
            "A mean over a row is `mean(1, keepdim=True)`, of the shape (N, 1).",
        ),
        _row(
            lambda y, s, g: (g - g.mean(0) - y * (g * y).mean(0)) / s,
            "The means are taken down the columns. Each row has its own.",
            "A mean over a row is `mean(1, keepdim=True)`, of the shape (N, 1).",
        ),
        _row(
            lambda y, s, g: (g - g.sum(1, keepdim=True) - y * (g * y).sum(1, keepdim=True)) / s,
            "Sums stand in the place of the means.",
            "A bar is a mean over the D numbers of a row.",
        ),
        _row(
            lambda y, s, g: (g - _mean(g) + y * _mean(g * y)) / s,
            "A sign differs: the term of y is added, and it is to be taken away.",
            _READ,
        ),
        *_wrong_means(),
        exchanged(RowNorm, "y", "s"),
        _row(
            lambda y, s, g: (g - _mean(g) - y * _mean(g * y * s)) / s,
            "The mean is s times too large: y s is centred, and y is due in its place.",
            _READ,
        ),
        _row(
            lambda y, s, g: (g - _mean(g) - _mean(g * y)) / s,
            "The factor y of the last term is lost.",
            _READ,
        ),
        _row(
            lambda y, s, g: (g - _mean(g) - y.half() * _mean(g * y.half())) / s,
            "The numbers are those of a y rounded to float16: it is saved with fewer digits.",
            "Save y with the dtype that it has.",
        ),
        _row(
            lambda y, s, g: (g - _mean(g) - y * _mean(g * y)) / s**2,
            "It is divided by s², the variance with ε. s is its root.",
            "Look where the root is taken, and what is saved.",
        ),
        _row(
            lambda y, s, g: (g - _mean(g) - y * _mean(g * y)) / (s**2 - 1e-5),
            "It is divided by the variance v, and not by s, the root of v + ε.",
            "Look where the root is taken, and what is saved.",
        ),
        _row(
            lambda y, s, g: (g - _mean(g) - y * _mean(g * y)) / (s**2 - 1e-5).sqrt(),
            "The ε is missing in the s of backward: the numbers are those of the root of v alone.",
            "s is the root of v + 1e-5. Save the s of forward, or compute it in the same way.",
        ),
        _row(
            lambda y, s, g: (g - _mean(g) - y * _mean(g * y)) / s.mean(),
            "The s of backward is one number for all rows. Each row has its own.",
            _ROW,
        ),
        *(
            _with_x(
                lambda x, s, g, of=of, wide=wide: _of_s(x, s if wide else of(x), of(x), g),
                "The s of backward is made of a variance that is divided by D − 1, as `x.var(1)` "
                "and `x.std(1)` do. That of forward is divided by D.",
                "Save the s of forward: it is the column that may be kept. Or say `correction=0`, "
                "with ε added before the root.",
            )
            for wide in (False, True)
            for of in (
                lambda x: _root(_unbiased(x)),
                lambda x: x.std(1, keepdim=True),
                lambda x: x.std(1, keepdim=True) + 1e-5,
            )
        ),
        _with_x(
            lambda x, s, g: _of_s(x, s, _unbiased(x), g),
            "It is divided by the variance, and by one divided by D − 1 besides, as `x.var(1)` is. "
            "Due is s, the root of v + ε, with a v that is divided by D.",
            "Look where the root is taken, and what is saved.",
        ),
        _with_x(
            lambda x, s, g: (g - _mean(g) - x / s * _mean(g * x / s)) / s,
            "The y of backward is x / s: the mean of the row is not taken off.",
            "y is (x − μ) / s.",
        ),
        _with_x(
            lambda x, s, g: (g - _mean(g) - x * _mean(g * x)) / s,
            "The numbers are those with x in the place of y.",
            "y is (x − μ) / s. Compute it in backward, or save it in the place of x.",
        ),
        _normalised(
            lambda x: x.mean(0),
            lambda c: _root(_mean(c**2)),
            "The mean is taken down the columns. Each row has its own.",
            _ROW,
        ),
        _normalised(
            lambda x: x.mean(0),
            lambda c: _root((c**2).mean(0)),
            "Mean and variance are taken down the columns. Each row has its own.",
            _ROW,
        ),
        _normalised(
            _mean,
            lambda c: _root((c**2).mean(0)),
            "The variance is taken down the columns. Each row has its own.",
            _ROW,
        ),
        _normalised(
            lambda x: x.mean(),
            lambda c: _root((c**2).mean()),
            "Mean and variance are taken over all of the batch. Each row has its own.",
            _ROW,
        ),
        _normalised(
            _mean,
            lambda c: _root((c**2).mean()),
            "The variance is taken over all of the batch. Each row has its own.",
            _ROW,
        ),
        _normalised(
            lambda x: x.mean(),
            lambda c: _root(_mean(c**2)),
            "The mean is taken over all of the batch. Each row has its own.",
            _ROW,
        ),
        _normalised(
            _mean,
            lambda c: _root(_unbiased(c)),
            "The variance is divided by D − 1, as `x.var(1)` and `x.std(1)` do, and not by D.",
            "Say `correction=0`, or take the mean of the squares.",
        ),
        _normalised(
            _mean,
            lambda c: _unbiased(c).sqrt(),
            "The variance is divided by D − 1, as `x.var(1)` and `x.std(1)` do, and not by D; and "
            "the 1e-5 is lost.",
            "Say `correction=0`, or take the mean of the squares, and add 1e-5 before the root.",
        ),
        _normalised(
            _mean,
            lambda c: _mean(c**2) + 1e-5,
            "It is divided by the variance v + 1e-5, and not by its root.",
            "s is the root.",
        ),
        _normalised(
            _mean,
            lambda c: _root((c**2).sum(1, keepdim=True)),
            "A sum of squares stands in the place of the variance, their mean.",
            "Divide the sum by D, or take the mean.",
        ),
    ],
}
