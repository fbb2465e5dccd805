"""Second derivatives with a wrong or missing term."""

from torch.autograd import Function

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, wrong

HIDDEN = "second-order-lost|second-order-wrong"


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


@wrong("second-order-wrong", normal(4), reference=lambda x: x**3, order=2)
class CubeNoTermOfG(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (6 * x * g * g2, None))


@wrong("second-order-wrong", normal(2, 2), order=2)
class CubeNoTermOfX(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (None, 3 * x**2 * g2))


@wrong("second-order-wrong", normal(4), order=2)
class CubeWrongFactor(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (3 * x * g * g2, 3 * x**2 * g2))


@wrong("second-order-wrong", normal(3), reference=lambda x: x**3, order=2)
class CubeForgetsG(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (6 * x * g2, 3 * x**2 * g2))


@wrong("second-order-wrong", normal(3), order=2)
class CubeTermsSwapped(Cube):
    class gradient(CubeGradient):  # noqa: N801
        terms = staticmethod(lambda x, g, g2: (3 * x**2 * g2, 6 * x * g * g2))
