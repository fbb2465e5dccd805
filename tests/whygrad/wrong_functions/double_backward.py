"""Second derivatives with a wrong or missing term."""

import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, positive, wrong


class CubeGradient(Function):
    """3 x² g; a subclass says what its own gradients are."""

    @staticmethod
    def forward(ctx, x, g):
        ctx.save_for_backward(x, g)
        return 3 * x**2 * g

    @classmethod
    def backward(cls, ctx, g2):
        return cls.terms(*ctx.saved_tensors, g2)


class Cube(Saved):
    """x³ with a second Function for its gradient."""

    compute = staticmethod(lambda x: x**3)
    gradient = CubeGradient

    @classmethod
    def backward(cls, ctx, g):
        (x,) = ctx.saved_tensors
        return cls.gradient.apply(x, g)


@wrong("second-order-missing", normal(4), reference=lambda x: x**3, order=2)
class CubeNoTermOfG(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (6 * x * g * g2, None))


@wrong("second-order-missing", normal(2, 2), order=2)
class CubeNoTermOfX(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (None, 3 * x**2 * g2))


@wrong("second-order-factor", normal(4), order=2)
class CubeWrongFactor(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (3 * x * g * g2, 3 * x**2 * g2))


@wrong("second-order-grad-output-ignored", normal(3), reference=lambda x: x**3, order=2)
class CubeForgetsG(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (6 * x * g2, 3 * x**2 * g2))


@wrong("second-order-swapped", normal(3), order=2)
class CubeTermsSwapped(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (3 * x**2 * g2, 6 * x * g * g2))


@wrong("second-order-sign", normal(4), order=2)
class CubeMinusForG(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (6 * x * g * g2, -3 * x**2 * g2))


@wrong("second-order-grad-output-ignored", normal(3, 2), order=2)
class CubeForgetsG2(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (6 * x * g, 3 * x**2 * g2))


@wrong("second-order-wrong", normal(4), order=2)
class CubeKeepsG(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (6 * x * g * g2, 3 * x**2 * g * g2))


@wrong("second-order-wrong", normal(3), reference=lambda x: x**3, order=2)
class CubeSlopeTwice(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (3 * x**2 * g * g2, 3 * x**2 * g2))


class QuotientGradient(Function):
    """The gradient of a in a / b; a subclass says what its own gradients are."""

    @staticmethod
    def forward(ctx, g, a, b):
        ctx.save_for_backward(g, a, b)
        return g / b

    @classmethod
    def backward(cls, ctx, g2):
        return cls.terms(*ctx.saved_tensors, g2)


class Quotient(Function):
    """a / b, with a second Function for the gradient of a."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a / b

    @classmethod
    def backward(cls, ctx, g):
        a, b = ctx.saved_tensors
        return cls.gradient.apply(g, a, b), -g * a / b**2


@wrong("second-order-sign", normal(3), positive(3, seed=1), order=2)
class QuotientPlus(Quotient):
    class gradient(QuotientGradient):  # noqa: N801
        terms = staticmethod(lambda g, a, b, g2: (g2 / b, None, g * g2 / b**2))


@wrong("second-order-swapped", normal(3), positive(3, seed=1), reference=torch.div, order=2)
class QuotientSwapped(Quotient):
    class gradient(QuotientGradient):  # noqa: N801
        terms = staticmethod(lambda g, a, b, g2: (-g * g2 / b**2, None, g2 / b))


@wrong("second-order-factor", normal(2, 3), positive(2, 3, seed=1), order=2)
class QuotientTwice(Quotient):
    class gradient(QuotientGradient):  # noqa: N801
        terms = staticmethod(lambda g, a, b, g2: (g2 / b, None, -2 * g * g2 / b**2))


class Damped(Function):
    """exp(-x) sin x, with its factors and cos x as further outputs."""

    @staticmethod
    def forward(ctx, x):
        d, s, c = torch.exp(-x), torch.sin(x), torch.cos(x)
        ctx.save_for_backward(d, s, c)
        return d * s, d, s, c

    @classmethod
    def backward(cls, ctx, *grads):
        return cls.terms(*ctx.saved_tensors, *grads)


def _right(d, s, c, g, gd, gs, gc):
    return g * d * (c - s) - gd * d + gs * c - gc * s


def _damped(x):
    return torch.exp(-x) * torch.sin(x)


class _NoneUsed(Damped):
    terms = staticmethod(lambda d, s, c, g, gd, gs, gc: g * d * (c - s))


class _OneForgotten(Damped):
    terms = staticmethod(lambda d, s, c, g, gd, gs, gc: g * d * (c - s) - gd * d + gs * c)


class _WrongSign(Damped):
    terms = staticmethod(lambda *given: _right(*given) + 2 * given[4] * given[0])


class _Exchanged(Damped):
    terms = staticmethod(lambda d, s, c, g, gd, gs, gc: _right(d, s, c, g, gd, gc, gs))


@wrong("second-order-extra-ignored", normal(4), order=2)
def damped_extras_ignored(x):
    return _NoneUsed.apply(x)[0]


@wrong("second-order-extra-ignored", normal(2, 2), reference=_damped, order=2)
def damped_one_extra_ignored(x):
    return _OneForgotten.apply(x)[0]


@wrong("second-order-extra-wrong", normal(4), reference=_damped, order=2)
def damped_extra_with_wrong_sign(x):
    return _WrongSign.apply(x)[0]


@wrong("second-order-extra-wrong", normal(3), order=2)
def damped_extras_exchanged(x):
    return _Exchanged.apply(x)[0]
