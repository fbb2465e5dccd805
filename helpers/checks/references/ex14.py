"""Give the right answers to exercise 14, Compiler."""

import logging
from functools import lru_cache
from inspect import signature

import numpy as np
import torch
from scipy import special
from torch.autograd import Function

from helpers.checks.task import Slip
from helpers.checks.tasks.ex14 import can_tell_n, fake_said, new_op, one_of
from helpers.checks.values import NOT_LOOKED_AT


class Shrink(Function):
    """x of any shape; returns x / max(n, 1) with the norm n of x, of the same shape."""

    @staticmethod
    def forward(ctx, x):
        n = x.norm()
        ctx.save_for_backward(x, n)
        return x / n.clamp(min=1)

    @staticmethod
    def backward(ctx, grad_y):
        x, n = ctx.saved_tensors
        shrunk = grad_y / n - x * (x * grad_y).sum() / n**3
        return torch.where(n > 1, shrunk, grad_y)


def _fake(x):
    return x.new_empty(x.shape[0])


def _setup_context(ctx, inputs, output):
    (x,) = inputs
    ctx.save_for_backward(x, output)


def _backward(ctx, grad_y):
    x, y = ctx.saved_tensors
    return grad_y[:, None] * torch.exp(x - y[:, None])


def complete(op):
    """op takes x (N, D) and returns (N,); registers its fake and its backward."""
    op.register_fake(_fake)
    op.register_autograd(_backward, setup_context=_setup_context)


REFERENCES = {
    "14.1": Shrink,
    "14.2": complete,
    "14.3": ["one graph", "break", "one graph", "break", "break", "raises"],
}


class _Slipped(Shrink):
    """Shrink that computes by two formulas of its class."""

    @classmethod
    def made(cls, value=None, slope=None):
        """Return the Function with another forward or backward."""
        parts = {}
        if value:

            def forward(ctx, x):
                n = x.norm()
                ctx.save_for_backward(x, n)
                return value(x, n)

            parts["forward"] = staticmethod(forward)
        if slope:

            def backward(ctx, grad_y):  # by this name, which the compiler's message has
                return slope(*ctx.saved_tensors, grad_y)

            parts["backward"] = staticmethod(backward)
        return type("Shrink", (Shrink,), parts)


_FAR = 100


def _text(value, said, why, look, name="wrong-forward", place=0):
    """Return a slip of which one text is known, and nothing else is looked at."""

    def gives(x, grad_y):
        looked = place if x.abs().max() < _FAR else None  # another case may come there
        return [said if at == looked else NOT_LOOKED_AT for at in range(3)]

    return Slip(value, name, why, look, gives=gives)


def _breaking(value, said, why, look, behind=""):
    """Return the two slips of a line that breaks the graph: in forward, and in backward."""

    def slope(x, n, grad_y):
        return torch.where(n > 1, _shrunk(x, n, grad_y), grad_y) + 0 * value(x, n)

    return [
        _text(_Slipped.made(value), f"no graph: {said}", why, look),
        _text(
            _Slipped.made(slope=slope),
            f"no graph: {said} in backward",
            f"It is a line of backward. {behind or why}",
            look,
        ),
    ]


def _value(formula, why, look=""):
    """Return the slip of a forward, whatever comes of backward."""
    return Slip(
        _Slipped.made(formula),
        "wrong-forward",
        why,
        look or _FORMULA,
        gives=lambda x, grad_y: [NOT_LOOKED_AT, formula(x, x.norm()), NOT_LOOKED_AT],
    )


def _gradient(formula, why, look=""):
    """Return the slip of a backward, made of x, n and the incoming gradient."""
    return Slip(
        _Slipped.made(slope=formula),
        "wrong-gradient",
        why,
        look or _FORMULA,
        gives=lambda x, grad_y: [NOT_LOOKED_AT, NOT_LOOKED_AT, formula(x, x.norm(), grad_y)],
    )


def _nearly(formula, said, why, look):
    """Return the slip of a forward, or of a backward, that is wrong in its last digits alone."""
    place = len(signature(formula).parameters) - 1  # of y and grad_x
    name = ("wrong-forward", "wrong-gradient")[place - 1]

    def gives(x, grad_y):
        looked = place if can_tell_n(x, grad_y) else None
        return [said if at == looked else NOT_LOOKED_AT for at in range(3)]

    made = _Slipped.made(**{("value", "slope")[place - 1]: formula})
    return Slip(made, name, why, look, gives=gives)


def _printing(x, n):
    print("norm:", n)
    return x / n.clamp(min=1)


def _logging(x, n):
    logging.getLogger().debug("norm: %s", n)
    return x / n.clamp(min=1)


def _asking(x, n):
    return x / n if n > 1 else x


def _taking(x, n):
    return x / n if n.item() > 1 else x


@torch.compiler.disable
def _switched_off(x, n):
    return x / n.clamp(min=1)


def _in_scipy(x, n):
    return x / n.clamp(min=1) + torch.as_tensor(special.log1p(0 * x.numpy()))


def _completing(fake=_fake, slope=None, register=True):
    """Return complete with another fake, or with another backward, made of x, y and grad_y."""

    def slipped(op):
        if fake:
            op.register_fake(fake)
        backward = (lambda ctx, grad_y: slope(*ctx.saved_tensors, grad_y)) if slope else _backward
        if register:
            op.register_autograd(backward, setup_context=_setup_context)

    return slipped


def _softmax_in_scipy(x, y, grad_y):
    return grad_y[:, None] * torch.as_tensor(special.softmax(x.numpy(), axis=1))


def _asking_backward(x, y, grad_y):
    return grad_y[:, None] * torch.exp(x - y[:, None]) if y.sum() < 1e9 else 0 * x


@lru_cache(maxsize=1)
def _another_op():
    return new_op()


def _by_another_op(x, y, grad_y):
    return grad_y[:, None] * torch.exp(x - _another_op()(x)[:, None])


def _changing(place):
    def slope(*tensors):
        x, y, grad_y = tensors
        grad_x = grad_y[:, None] * torch.exp(x - y[:, None])
        tensors[place].add_(1)
        return grad_x

    return _completing(slope=slope)


def _without_setup(op):
    op.register_fake(_fake)
    op.register_autograd(_backward)


def _in_the_other_order(op):
    op.register_fake(_fake)

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output, *inputs)

    op.register_autograd(_backward, setup_context=setup_context)


def _without_keyword(op):
    op.register_fake(_fake)
    op.register_autograd(_backward, _setup_context)


def _assigned_fake(op):
    op.register_fake = _fake


def _assigned_backward(op):
    op.register_fake(_fake)
    op.register_autograd = _backward


def _tuple_saved(op):
    op.register_fake(_fake)

    def setup_context(ctx, inputs, output):
        x = inputs
        ctx.save_for_backward(x, output)

    op.register_autograd(_backward, setup_context=setup_context)


def _names_of_its_own(op):
    op.register_fake(_fake)
    op.register_autograd(_backward, setup_context=_backward)


_TENSOR = (
    "Let n stay a tensor, from `x.norm()` to the last line of backward. Where a line decides by n, "
    "`torch.where(n > 1, …, …)` chooses without asking."
)
_CHOOSE = (
    "Write both cases as tensors and let `torch.where(n > 1, …, …)` choose; `n.clamp(min=1)` is "
    "the larger one of n and 1."
)
_FORMULA = "Compare your lines with the two formulas of the task, factor by factor."
_PRINTS = "A `print` is left. To print is no tensor operation, so the compiler cannot read it."
_OUT = "Take it out, in forward and in backward."
_ASKS = (
    "An `if`, a `while` or an `and` asks about a tensor. The compiler reads with tensors that have "
    "no numbers, so nobody can answer."
)
_TAKES = (
    "A number is taken out of a tensor, as `.item()`, `.tolist()`, `float()` and the functions of "
    "`math` do, or a yes or no, as `bool()` does, or a mask between brackets, as in `grad_x[n > 1] "
    "= …`. It is taken in forward, or a line decides by it. When the compiler reads, nobody knows "
    "it."
)
_DECIDES = (
    "It decides by a number that was taken out of a tensor, in forward or in backward, as `if n <= "
    "1` does after `.item()`, `.tolist()`, `float()` or `math.sqrt()`; or a mask stands between "
    "brackets, as in `grad_x[n > 1] = …`. When the compiler reads, nobody knows that number. Leave "
    "n a tensor."
)
_LEAVES = (
    "A function of SciPy is left: the compiler knows NumPy's functions, and not those of SciPy."
)
_ADDED = (
    "Something small is added to n, or to a power of it. The formula has none of it.",
    "Take it away. `n.clamp(min=1)` is never 0, and where n is 0, `torch.where` takes the other "
    "case.",
)
_DIGITS = (
    "The numbers are right to 7 digits, as those of float32 are, and x has 16. A tensor on the way "
    "is float32, by `.float()` or a dtype of its own.",
    "Take x, n and grad_y as they are, without a dtype or a cast.",
)
_INDICES = "Compare backward with the formula of the task, index by index."
_EVERYWHERE = "The formula for n > 1 is used where n is at most 1, too. There, grad_x is g."
_DTYPE = "Take the dtype from x, as `x.new_empty(…)` does."
_SHAPE = "The task says which shape y has. `x.new_empty(…)` makes an empty tensor of that shape."


def _fake_slip(fake, why, look=""):
    return Slip(
        _completing(fake),
        "wrong-forward",
        why,
        look or _SHAPE,
        gives=lambda x, grad_y: [fake_said(fake, x), NOT_LOOKED_AT, NOT_LOOKED_AT],
    )


def _backward_slip(slope, why, look="", name="wrong-gradient"):
    def gives(x, grad_y):
        return [NOT_LOOKED_AT, slope(x, torch.logsumexp(x, 1), grad_y), NOT_LOOKED_AT]

    return Slip(_completing(slope=slope), name, why, look or _INDICES, gives=gives)


def _along(x, g):
    return x * (x * g).sum()


def _product(x, g, turned):
    return (x.T if turned else x) @ g if x.dim() == 2 else x * g


def _shrunk(x, n, g):
    return g / n - _along(x, g) / n**3


def _chosen(formula):
    return lambda x, n, g: torch.where(n > 1, formula(x, n, g), g)


def _per(dim, kept):
    """Shrink by the norm of each row or column."""

    def value(x, n):
        return x / x.norm(dim=dim, keepdim=kept).clamp(min=1)

    return value


_ROWS = "A norm is taken along one dimension. The n of the task is one number, over all elements."
_WHOLE = "`x.norm()` without an argument takes all elements."


SLIPS = {
    "14.1": [
        _text(
            torch.nn.Identity,
            "no Function",
            "What was handed over is no Function: none stands in the graph, and autograd works "
            "out the gradient by itself.",
            "Keep `class Shrink(Function)` with its forward and its backward, and repair these.",
        ),
        _text(
            Shrink.__new__(Shrink),  # what `Shrink()` gives, without its warning
            "an object",
            "`Shrink()` makes an object of the class.",
            "Hand over the class itself, `Shrink`, without brackets.",
        ),
        _text(
            type("Shrink", (Shrink,), {"apply": staticmethod(lambda x: Shrink.apply(x))}),
            "another apply",
            "`Shrink.apply` is not PyTorch's own any more.",
            "Leave `apply` alone, and do not compile it yourself: the check does. Repair forward "
            "and backward.",
        ),
        _text(
            _Slipped.made(lambda x, n: None),
            "no graph: a NoneType",
            "`forward` returned None: Python does so where no `return` is reached.",
            "End forward with `return` and the tensor y.",
        ),
        _text(
            _Slipped.made(lambda x, n: (x, n)),
            "no graph: a tuple",
            "`forward` returned several values. The task asks for y alone.",
            "Return y alone. What backward needs goes through `ctx.save_for_backward`.",
        ),
        *_breaking(_printing, "print", _PRINTS, _OUT),
        *_breaking(_asking, "if", _ASKS, _CHOOSE),
        *_breaking(_taking, "item", _TAKES, _TENSOR, _DECIDES),
        *_breaking(_in_scipy, "SciPy", _LEAVES, _TENSOR),
        *_breaking(_logging, "logging", "`logging` is like `print`: Python has to run it.", _OUT),
        _text(
            _Slipped.made(_switched_off),
            "no graph: disable",
            "`@torch.compiler.disable` forbids the compiler to read this function. With "
            "`fullgraph=True` it has to read all of it.",
            "Take the decorator away, and write what it hides with tensors.",
        ),
        _value(lambda x, n: x / n, "x is divided by n everywhere, where n < 1, too."),
        _value(
            lambda x, n: x / x.clamp(min=1),
            "Each element is divided by itself, or by 1 if it is smaller. The n of the task is one "
            "number, the norm of x.",
        ),
        *(
            _value(
                lambda x, n, other=other: torch.where(n > 1, x / n, other(x, n)),
                f"Where n is at most 1, y is {what}, and x is due: it is divided by 1 there.",
                "Divide by `n.clamp(min=1)`, or let `torch.where(n > 1, x / n, x)` choose.",
            )
            for what, other in (
                ("1", lambda x, n: 1.0),
                ("0", lambda x, n: 0.0),
                ("n", lambda x, n: n),
            )
        ),
        _value(
            lambda x, n: x / torch.where(n > 1, n, 0),
            "Where n is at most 1, x is divided by 0, and 1 is due.",
        ),
        *(
            _value(
                lambda x, n, factor=factor: x * factor(n),
                f"x is multiplied by the {which} one of n and 1. It is divided by the larger one.",
            )
            for which, factor in (
                ("larger", lambda n: n.clamp(min=1)),
                ("smaller", lambda n: n.clamp(max=1)),
            )
        ),
        *(
            _value(
                lambda x, n, other=other: x / other(x).clamp(min=1),
                f"x is divided by {what}. n is the root of the sum of the squares.",
                "`x.norm()` is n.",
            )
            for what, other in (
                ("the root of the mean of the squares", lambda x: (x * x).mean().sqrt()),
                ("the standard deviation", lambda x: x.std()),
                ("its sum", lambda x: x.sum()),
            )
        ),
        _value(
            lambda x, n: x / x.abs().max().clamp(min=1),
            "x is divided by its largest element. The norm is the root of the sum of the squares.",
        ),
        _value(
            lambda x, n: x / (n + 1),
            "1 is added to n. The task divides by the larger one of the two.",
            "`n.clamp(min=1)` is the larger one of n and 1.",
        ),
        _nearly(lambda x, n: x / (n + 1e-6).clamp(min=1), "something is added to n", *_ADDED),
        _nearly(lambda x, n: x / n.float().clamp(min=1), "right to 7 digits", *_DIGITS),
        _value(
            lambda x, n: x / n.clamp(max=1),
            "x is divided by the smaller one of n and 1: a limit is the wrong one, or the two "
            "cases are exchanged.",
            "`clamp(min=1)` lets nothing below 1 through, `clamp(max=1)` nothing above. "
            "`torch.where` takes its second argument where the condition holds.",
        ),
        _value(
            lambda x, n: x.clamp(min=1) / n,
            "The elements of x are clamped, where the larger one of n and 1 is due: "
            "`n.clamp(min=1)`.",
        ),
        _value(
            lambda x, n: x / (n * n).clamp(min=1),
            "n² stands in the place of n: the root of the sum is missing.",
        ),
        _value(
            lambda x, n: x / x.abs().sum().clamp(min=1),
            "x is divided by the sum of its absolute values. The norm is the root of the sum of "
            "the squares.",
        ),
        *(
            _value(_per(dim, kept), _ROWS, _WHOLE)
            for dim, kept in ((-1, True), (-1, False), (0, True))
        ),
        _value(
            lambda x, n: x / x.abs().clamp(min=1),
            "Each element is divided by its own absolute value: no norm is taken.",
        ),
        _gradient(
            lambda x, n, g: g / n.clamp(min=1),
            "The second term is missing: n depends on x, so it has a derivative, too.",
        ),
        _gradient(_shrunk, _EVERYWHERE),
        _gradient(lambda x, n, g: torch.nan_to_num(_shrunk(x, n, g)), _EVERYWHERE),
        _gradient(
            lambda x, n, g: torch.where(n >= 1, _shrunk(x, n, g), g),
            "Where n is exactly 1 the task says g: the condition is n > 1, and nothing is added.",
        ),
        _gradient(
            lambda x, n, g: torch.where(n < 1, _shrunk(x, n, g), g),
            "The two cases are exchanged: `where` takes the first where the condition holds.",
            _CHOOSE,
        ),
        _text(
            _Slipped.made(slope=lambda x, n, g: None),
            "None from backward",
            "Backward returned None: Python does so where no `return` is reached.",
            "End backward with `return` and the gradient of x.",
            name="missing-gradient",
            place=2,
        ),
        _gradient(
            lambda x, n, g: g / n.clamp(min=1) - (n > 1) * x * (x * g).sum() / n**3,
            "Where n is 0, the second term is 0 divided by 0, which is nan. A nan times 0 is "
            "nan again.",
            "Divide by `n.clamp(min=1)` there, too; or let `torch.where(n > 1, …, grad_y)` choose: "
            "it leaves out the numbers of the other case.",
        ),
        _gradient(
            lambda x, n, g: torch.where(n > 1, _shrunk(x, n, g), 1.0),
            "Where n is at most 1, ones come back, and g is due: the incoming gradient.",
        ),
        _gradient(
            lambda x, n, g: torch.where(n > 1, _shrunk(x, n, g), 0.0),
            "Where n is at most 1, zeros come back, and g is due: the incoming gradient.",
        ),
        _gradient(
            lambda x, n, g: torch.where(n > 1, _shrunk(x, n, g), x),
            "Where n is at most 1, x comes back, and g is due: the incoming gradient.",
        ),
        _gradient(
            _chosen(lambda x, n, g: g / n - x * (x * g).mean() / n**3),
            "In the second term a mean stands in the place of the sum.",
        ),
        _gradient(
            _chosen(lambda x, n, g: g / n - (x * g).sum() / n**3),
            "In the second term the factor x is missing before the sum.",
        ),
        _gradient(
            lambda x, n, g: (n <= 1) * g + _shrunk(x, n, g),
            "Where n is at most 1, both cases are added: the one for n > 1 has no mask.",
            "Let `torch.where(n > 1, …, grad_y)` choose one of the two.",
        ),
        _gradient(
            _chosen(lambda x, n, g: g / n - x * x.sum() * g / n**3),
            "In the second term x is summed alone. The sum is over the product x g.",
        ),
        _gradient(
            _chosen(lambda x, n, g: g / n - _along(x / n, g) / n**3),
            "The second term has y in place of x: y is saved, and x is due.",
        ),
        _gradient(lambda x, n, g: _shrunk(x, n.clamp(min=1), g), _EVERYWHERE),
        *(
            _gradient(
                _chosen(lambda x, n, g, first=first: first(n, g) - _along(x, g) / n**3),
                f"The first term is {what}, and g / n is due.",
            )
            for what, first in (
                ("g", lambda n, g: g),
                ("g n", lambda n, g: g * n),
                ("g / n²", lambda n, g: g / n**2),
                ("1 / n", lambda n, g: 1 / n),
                ("missing", lambda n, g: 0 * g),
            )
        ),
        *(
            _gradient(
                _chosen(lambda x, n, g, over=over: g / n - _along(x, g) / over(n)),
                f"The second term is divided by {what}, and n³ is due.",
            )
            for what, over in (
                ("n, as where brackets are around both terms", lambda n: n),
                ("n²", lambda n: n**2),
                ("n⁴", lambda n: n**4),
                ("3 n", lambda n: 3 * n),
                ("1", lambda n: 1),
            )
        ),
        *(
            _gradient(
                _chosen(lambda x, n, g, second=second: g / n - second(x, g) / n**3),
                f"In the second term stands {what}. The sum is over x g, and x is its factor.",
            )
            for what, second in (
                ("the sum of g alone", lambda x, g: x * g.sum()),
                ("a factor of 2 before the sum", lambda x, g: 2 * _along(x, g)),
                ("the sum of x² g, without a factor before it", lambda x, g: (x * x * g).sum()),
                ("the sum of x²", lambda x, g: x * (x * x).sum()),
                ("the norm of x g", lambda x, g: x * (x * g).norm()),
            )
        ),
        _gradient(
            _chosen(lambda x, n, g: _along(x, g) / n**3 - g / n),
            "Both terms have the wrong sign.",
        ),
        _gradient(
            lambda x, n, g: g,
            "g comes back everywhere, as if n were never above 1. So it is where n is the norm of "
            "y, which is at most 1.",
            "Save the norm of x, or x itself, and choose by it.",
        ),
        _gradient(
            lambda x, n, g: torch.where(n > 1, _shrunk(x, n, g), g / n),
            "Where n is at most 1, g is divided by n, and g itself is due.",
        ),
        _gradient(
            _chosen(lambda x, n, g: g / n - x * x * g / n**3),
            "In the second term x g is not summed: the sum over all elements is due there.",
        ),
        *(
            _gradient(
                _chosen(
                    lambda x, n, g, dim=dim, kept=kept: (
                        g / n - x * (x * g).sum(dim, keepdim=kept) / n**3
                    )
                ),
                "In the second term the sum runs along one dimension, and all elements are due.",
                "`(x * grad_y).sum()` without an argument is one number.",
            )
            for dim in (0, -1)
            for kept in (False, True)
        ),
        _gradient(
            _chosen(lambda x, n, g: g / n - g * (x * x).sum() / n**3),
            "In the second term x and grad_y are exchanged: the sum is over x g, and x is the "
            "factor before it.",
        ),
        _gradient(
            _chosen(lambda x, n, g: g / n - g * (x * g).sum() / n**3),
            "In the second term grad_y is the factor before the sum, and x is due.",
        ),
        *(
            _gradient(
                _chosen(lambda x, n, g, turned=turned: g / n - x * _product(x, g, turned) / n**3),
                "`@` is a product of matrices. The formula multiplies x and g element by element, "
                "and sums over all elements.",
                "Write `(x * grad_y).sum()`, which is one number.",
            )
            for turned in (False, True)
        ),
        _gradient(
            _chosen(lambda x, n, g: (g - _along(x, g)) / n**3),
            "The brackets are around both terms, so the first one is divided by n³, too: n is due.",
        ),
        *(
            _gradient(
                slope,
                "x and n are exchanged: `ctx.saved_tensors` gives them in the order in which they "
                "were saved.",
                "Save and unpack them in the same order: `ctx.save_for_backward(x, n)`, then "
                "`x, n = ctx.saved_tensors`.",
            )
            for slope in (
                lambda x, n, g: torch.where(x > 1, _shrunk(n, x, g), g),
                lambda x, n, g: torch.where(x <= 1, g, _shrunk(n, x, g)),
            )
        ),
        _nearly(
            _chosen(lambda x, n, g: _shrunk(x, n + 1e-6, g)), "something is added to n", *_ADDED
        ),
        _nearly(_chosen(lambda x, n, g: _shrunk(x, n.float(), g)), "right to 7 digits", *_DIGITS),
        _gradient(
            _chosen(lambda x, n, g: g / n + _along(x, g) / n**3),
            "The second term has the wrong sign.",
        ),
        _gradient(
            lambda x, n, g: torch.where(n > 1, g, _shrunk(x, n, g)),
            "The two cases are exchanged: `where` takes the first where the condition holds.",
            _CHOOSE,
        ),
        _gradient(
            lambda x, n, g: torch.where(x > 1, _shrunk(x, n, g), g),
            "`where` asks of each element of x whether it is above 1. The cases are those of n.",
        ),
        _gradient(
            lambda x, n, g: torch.where(x.abs() > 1, _shrunk(x, n, g), g),
            "`where` asks of each element of x whether it is above 1. The cases are those of n.",
        ),
        _gradient(
            lambda x, n, g: torch.where(g > 1, _shrunk(x, n, g), g),
            "`where` asks of each element of grad_y whether it is above 1. The cases are those of "
            "n.",
        ),
        _gradient(
            lambda x, n, g: torch.where(x.sum() > 1, _shrunk(x, n, g), g),
            "`where` asks of the sum of x whether it is above 1. The cases are those of n.",
        ),
        _gradient(
            lambda x, n, g: torch.where(g.norm() > 1, _shrunk(x, g.norm(), g), g),
            "The norm is that of grad_y. The n of the task is the norm of x.",
            "Take x from `ctx.saved_tensors`, or save n there, too.",
        ),
    ],
    "14.2": [
        _text(
            _completing(None),
            "no fake",
            "The op has no fake: nothing was registered for the `op` that was handed over.",
            "Register a function that takes x and returns an empty tensor, by `op.register_fake`, "
            "on `op` itself, the argument of `complete`.",
        ),
        _text(
            _assigned_fake,
            "assigned",
            "`op.register_fake = …` replaces the method, and registers nothing.",
            "Call it: `op.register_fake(…)`, or write `@op.register_fake` above the function.",
        ),
        _text(
            lambda op: op.register_fake()(_fake),
            "brackets",
            "`register_fake` wants the function itself. It got nothing, or the result of a call.",
            "Write `@op.register_fake` above the function, without brackets behind it; or "
            "`op.register_fake(fake)` with the name of the function alone.",
        ),
        *(
            _text(
                _changing(place),
                f"changes {name}",
                f"Backward writes into {name} itself: it does not stay as it was. "
                "Methods that end in an underscore, `*=` and the like do so.",
                "Compute a new tensor, as `x - y[:, None]` or `2 * grad_y` does.",
                name="modifies-input" if name != "y" else "wrong-gradient",
                place=1,
            )
            for place, name in enumerate(("x", "y", "grad_y"))
        ),
        _text(
            _completing(lambda ctx, x: x.new_empty(len(x))),
            "a fake with other arguments",
            "A fake takes what the op takes, here x alone. There is no `ctx`: nothing is saved.",
            "Write `def _(x):`.",
        ),
        _text(
            _completing(lambda x: torch.as_tensor(special.logsumexp(x.numpy(), axis=1))),
            "asks for numbers",
            "The fake asks for numbers. It is called with a tensor that has a shape and a dtype, "
            "and no numbers.",
            "Leave SciPy, `.item()` and `if` out of it, and make an empty tensor.",
        ),
        _text(
            lambda op: op.register_fake(lambda x: op(x)),
            "calls the op",
            "The fake calls the op, and the op calls its fake, without end.",
            "Make an empty tensor in the fake.",
        ),
        _text(
            _completing(lambda x: x[:, 0]),
            "a part of x",
            "The fake returns x itself or a view, which lies in the memory of another tensor. The "
            "op returns a new tensor.",
            "Make a new tensor, as `x.new_empty(…)` does.",
        ),
        _text(
            _completing(lambda x: None),
            "returns a NoneType",
            "The fake returned None, and no tensor: Python does so where no `return` is reached.",
            "End it with `return` and an empty tensor, as `x.new_empty(…)` makes it.",
        ),
        *(
            _text(
                _completing(lambda x, given=given: given),
                f"returns {one_of(given)}",
                "The fake returns a size, or another thing that is no tensor.",
                "Return an empty tensor, as `x.new_empty(…)` makes it; a size alone is none.",
            )
            for given in ((3,), torch.Size([3]), [3], 3, np.empty(3))
        ),
        _fake_slip(
            torch.empty_like,
            "The fake has the shape of x, (N, D). The op gives one number for each row.",
        ),
        _fake_slip(
            lambda x: torch.empty(x.shape[0]),
            "The fake is float32, whatever the dtype of x. `.float()` makes it so, and so does "
            "`torch.empty` without a dtype.",
            _DTYPE,
        ),
        *(
            _fake_slip(
                lambda x, shape=shape: torch.empty(shape(x)),
                f"The fake has the shape {named}, and is float32, whatever the dtype of x. The op "
                "gives one number for each row, in the dtype of x.",
            )
            for named, shape in (
                ("(N, D)", lambda x: x.shape),
                ("(D,)", lambda x: x.shape[1:]),
                ("(N, 1)", lambda x: (len(x), 1)),
                ("()", lambda x: ()),
                ("(3,), however many rows x has", lambda x: (3,)),
            )
        ),
        *(
            _fake_slip(
                lambda x, dtype=dtype: x.new_empty(x.shape[0], dtype=dtype),
                f"The fake is {str(dtype).removeprefix('torch.')}, whatever the dtype of x.",
                _DTYPE,
            )
            for dtype in (torch.float64, torch.float16, torch.int64, torch.bool)
        ),
        _fake_slip(
            lambda x: x.new_empty(3),
            "The fake has three numbers, however many rows x has.",
            "Take the number of rows from `x.shape`.",
        ),
        _fake_slip(
            lambda x: x.new_empty(x.shape[1]),
            "The fake has one number for each column of x, and the op gives one for each row.",
        ),
        _fake_slip(
            lambda x: x.new_empty(x.shape[0], 1),
            "The fake has the shape (N, 1). The op gives (N,), without a dimension of length 1.",
        ),
        _fake_slip(
            lambda x: x.new_empty(()),
            "The fake is a single number, and the op gives one for each row.",
        ),
        _text(
            _completing(register=False),
            "no backward",
            "The op has no backward: nothing was registered for the `op` that was handed over.",
            "Call `op.register_autograd(backward, setup_context=setup_context)`, on `op` itself.",
            name="wrong-gradient",
            place=1,
        ),
        _text(
            _assigned_backward,
            "assigned",
            "`op.register_autograd = …` replaces the method, and registers nothing.",
            "Call it: `op.register_autograd(backward, setup_context=setup_context)`.",
            name="missing-gradient",
            place=1,
        ),
        _text(
            _tuple_saved,
            "a tuple saved",
            "A tuple was saved, and a tensor is due. `inputs` is such a tuple, even where there is "
            "one input; so are two tensors in brackets of their own.",
            "Take x out of `inputs`, by `(x,) = inputs` with the comma, or by `inputs[0]`. Write "
            "`ctx.save_for_backward(x, output)` without inner brackets.",
            name="wrong-gradient",
            place=1,
        ),
        _text(
            _completing(slope=lambda x, y, grad_y: None),
            "None from backward",
            "Backward returned None: no `return` is reached, or a `return None` stands in the way, "
            "as where `ctx.needs_input_grad` is asked without a `not`.",
            "End backward with `return` and the gradient of x. `ctx.needs_input_grad[0]` is True "
            "where it is due.",
            name="missing-gradient",
            place=1,
        ),
        _text(
            _completing(slope=lambda x, y, grad_y: grad_y * torch.exp(x - y)),
            "two shapes that do not fit",
            "In backward, x is (N, D), and y and grad_y are (N,). PyTorch counts sizes from the "
            "last dimension: to stand beside the rows of x, each of them must be (N, 1).",
            "Print the shapes of x, y and grad_y in backward. An index with None puts in a "
            "dimension of length 1: try where.",
            name="wrong-gradient",
            place=1,
        ),
        _text(
            _completing(slope=lambda x, y, grad_y: grad_y @ torch.exp(x - y[:, None])),
            "another shape than x",
            "Backward returned a tensor of another shape. The gradient of x has the shape of x, "
            "(N, D).",
            "Write the shape of each factor beside the formula: (N,) for grad_y and y, (N, D) for "
            "x. `@` sums over a dimension, and the formula has no sum.",
            name="wrong-shape",
            place=1,
        ),
        _text(
            _in_the_other_order,
            "two tensors exchanged",
            "The two saved tensors stand in each other's place: `ctx.saved_tensors` gives them in "
            "the order in which they were saved.",
            "Save and unpack them in the same order: `ctx.save_for_backward(x, output)`, then "
            "`x, y = ctx.saved_tensors`.",
            name="wrong-gradient",
            place=1,
        ),
        _text(
            _completing(slope=lambda x, y, grad_y: (None, 0 * x)),
            "a gradient too many",
            "Backward returned several values, and the first is not the gradient of x. The op has "
            "one input, and so one gradient.",
            "Return the gradient of x alone.",
            name="wrong-gradient-count",
            place=1,
        ),
        _text(
            _without_setup,
            "no setup_context",
            "`setup_context=…` is missing where the backward is registered, so nothing was saved.",
            "Write `op.register_autograd(backward, setup_context=setup_context)`.",
            name="wrong-gradient",
            place=1,
        ),
        _text(
            _without_keyword,
            "setup_context without its name",
            "`register_autograd` takes one argument by its place, the backward.",
            "Write the name before the second: `setup_context=setup_context`.",
            name="wrong-gradient",
            place=1,
        ),
        _text(
            _names_of_its_own,
            "setup_context with other names",
            "PyTorch calls `setup_context` with a `ctx`, `inputs=…` and `output=…`, by these "
            "names. What was handed over takes others.",
            "Write `def setup_context(ctx, inputs, output)`, and register it by "
            "`setup_context=setup_context`.",
            name="wrong-gradient",
            place=1,
        ),
        _text(
            _completing(slope=_softmax_in_scipy),
            "backward leaves PyTorch",
            "The gradient is right, and the compiler cannot read how it is made: backward leaves "
            "PyTorch.",
            "Write backward in PyTorch's operations: the saved x and y are tensors.",
            place=2,
        ),
        _text(
            _completing(slope=_by_another_op),
            "no fake",
            "Backward calls an op that has no fake: another one than the `op` that was handed "
            "over, such as `log_sum_exp` of the page.",
            "Save the output of the op in `setup_context`: it is y, so backward need not compute "
            "it again.",
            place=2,
        ),
        _text(
            _completing(slope=_asking_backward),
            "no graph: item",
            "Backward decides by a number, as an `if` on a tensor does. The compiler reads with "
            "tensors that have none.",
            "Write backward without `if`. No case is needed: the formula holds for every x.",
            place=2,
        ),
        _backward_slip(
            lambda x, y, g: torch.exp(x - y[:, None]),
            "What comes in is not used: the numbers are those for a grad_y of ones.",
            "Multiply by grad_y, each row by its own number.",
        ),
        _backward_slip(
            lambda x, y, g: g.sum() * torch.exp(x - y[:, None]),
            "grad_y is summed over its rows. Each row of grad_x has the factor g of its own row.",
            "`grad_y[:, None]` has the shape (N, 1): one factor for each row.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.exp(x.float() - y.float()[:, None]),
            "x or y is float32 in backward, which has 7 digits: the numbers of a float64 x lose "
            "theirs.",
            "Save and use x and the output as they are, without a cast.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * x / y[:, None],
            "x is divided by y, and no e stands in it. The formula has e to the power of x − y.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.exp(x / y[:, None]),
            "In the exponent x is divided by y, and x − y is due.",
        ),
        *(
            _backward_slip(
                lambda x, y, g, dim=dim: g[:, None] * torch.exp(x - y[:, None]) / x.shape[dim],
                f"It is divided by the number of {what}. The formula has no mean.",
                name="sum-or-mean",
            )
            for dim, what in enumerate(("rows", "columns"))
        ),
        _backward_slip(
            lambda x, y, g: g.mean() * torch.exp(x - y[:, None]),
            "The mean of grad_y over the rows is used. Each row of grad_x has the factor g of its "
            "own row.",
            "`grad_y[:, None]` has the shape (N, 1): one factor for each row.",
        ),
        *(
            _backward_slip(
                lambda x, y, g, one=one: g[:, None] * torch.exp(x - one(y)),
                f"The {what} of y over all rows stands in the exponent. Each row has its own y.",
                "`y[:, None]` has the shape (N, 1): one y for each row.",
            )
            for what, one in (("mean", torch.mean), ("sum", torch.sum), ("largest", torch.max))
        ),
        _backward_slip(
            lambda x, y, g: torch.exp(g[:, None] * (x - y[:, None])),
            "grad_y stands in the exponent, and is a factor before it.",
            "Take `torch.exp` of x − y alone, and multiply what comes of it.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] + torch.exp(x - y[:, None]),
            "grad_y is added, and is a factor.",
        ),
        _backward_slip(
            lambda x, y, g: torch.exp(x - y[:, None]) / g[:, None],
            "It is divided by grad_y, and multiplied is due.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.log(x - y[:, None]),
            "A logarithm stands in the place of e to the power of x − y.",
            "`torch.exp` is the power of e.",
        ),
        *(
            _backward_slip(
                lambda x, y, g, more=more: g[:, None] * more(x, y) * torch.exp(x - y[:, None]),
                f"The gradient has one factor too many: {what}.",
            )
            for what, more in (
                ("x", lambda x, y: x),
                ("y", lambda x, y: y[:, None]),
                ("1 − e^(x − y)", lambda x, y: 1 - torch.exp(x - y[:, None])),
            )
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * (1 - torch.exp(x - y[:, None])),
            "It is 1 minus the right factor: e^(x − y) itself is due.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.sigmoid(x - y[:, None]),
            "`sigmoid` stands in the place of e to the power of x − y.",
            "`torch.exp` is the power of e.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * (torch.exp(x) - torch.exp(y)[:, None]),
            "e^x − e^y stands in the place of e^(x − y).",
            "Subtract first, and take `torch.exp` of the difference.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None].expand_as(x),
            "grad_y comes back for each element, without the factor e^(x − y). Its sum along a row "
            "is 1: the formula has no sum.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.softmax(x - y[:, None], 0),
            "The softmax runs down the columns. The sum of the task runs along each row.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.exp(-y[:, None]) * torch.ones_like(x),
            "x is left out of the exponent.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.exp(x) / torch.exp(x).sum(),
            "The sum below runs over all elements. The sum of the task runs along each row.",
            "Subtract y, which is one number for each row: its e^y is that sum.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.softmax(x, 0),
            "The softmax runs down the columns. The sum of the task runs along each row.",
        ),
        _backward_slip(
            lambda x, y, g: (g * g)[:, None] * torch.exp(x - y[:, None]),
            "grad_y is multiplied twice: its square stands in the gradient.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.exp(x) / y[:, None],
            "exp(x) is divided by y. As y is a logarithm, the sum itself is e^y.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.exp(x) / torch.exp(y)[:, None],
            "exp(x) overflows where exp(x − y) does not: it is inf for an x of 800.",
            "Subtract first. That is what log-sum-exp is for.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.exp(x),
            "y is left out of the exponent.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.exp(y[:, None] - x),
            "The exponent has the wrong sign: y − x stands in the place of x − y.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * (x - y[:, None]),
            "The exponential is missing: x − y itself stands in its place.",
        ),
        _backward_slip(
            lambda x, y, g: g[:, None] * torch.softmax(x.reshape(-1), 0).reshape(x.shape),
            "The sum runs over all elements. The sum of the task runs along each row.",
        ),
    ],
}
