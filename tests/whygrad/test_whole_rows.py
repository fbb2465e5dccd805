"""Where no law explains a wrong gradient, the report says what its numbers are."""

import pytest
import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.case import normal
from whygrad.diagnosing import diagnose

GRADCHECK = "`gradcheck`"  # what is left to say where nothing is known


class Product(Function):
    """A B, in batches too; a subclass returns a wrong gradient of A."""

    @staticmethod
    def forward(ctx, A, B):
        ctx.save_for_backward(A, B)
        return A @ B

    @classmethod
    def backward(cls, ctx, g):
        A, B = ctx.saved_tensors
        return cls.of(g, A, B), A.mT @ g


@pytest.mark.parametrize(
    ("of", "shapes", "said", "due"),
    [
        (lambda g, A, B: g @ B, [(3, 3), (3, 3)], "g @ B", "g @ B.T"),
        (lambda g, A, B: g @ B, [(4, 3), (3, 3)], "g @ B", "g @ B.T"),
        (lambda g, A, B: g @ B, [(2, 3, 3), (2, 3, 3)], "g @ B", "g @ B.mT"),
        (lambda g, A, B: g @ A.mT, [(3, 3), (3, 3)], "g @ A.T", "g @ B.T"),
        (lambda g, A, B: B.mT @ g, [(3, 3), (3, 3)], "B.T @ g", "g @ B.T"),
    ],
)
def test_a_product_of_square_matrices_is_told_by_its_factors(of, shapes, said, due):
    fn = type("Wrong", (Product,), {"of": staticmethod(of)})
    found = diagnose(fn, *(normal(*shape, seed=seed) for seed, shape in enumerate(shapes)))
    (one,) = found.findings
    assert (one.name, one.about) == ("wrong-gradient", "A")
    assert one.why.startswith(f"What came back is `{said}`, and `{due}` is due.")
    assert ("transposed" in one.why) == ("A" not in said)
    assert GRADCHECK not in repr(found)


def test_a_right_product_of_square_matrices_is_right():
    fn = type("Right", (Product,), {"of": staticmethod(lambda g, A, B: g @ B.mT)})
    for shape in ((3, 3), (2, 3, 3)):
        found = diagnose(fn, normal(*shape), normal(*shape, seed=1), strict=True)
        assert found.ok, found


def scaled(x, axes):
    return (x.var(axes, unbiased=False, keepdim=True) + 1e-5).rsqrt()


@pytest.mark.parametrize(
    ("shape", "axes", "lacks", "words"),
    [
        ((3, 6), (1,), "projection", "a number for each row, times x, and another number"),
        ((3, 6), (1,), "mean", "the same number for all of a row"),
        ((5, 2, 3), (0, 2), "projection", "a number for each row, times x, and another number"),
    ],
)
def test_the_term_that_a_norm_lacks_is_told_by_its_rows(shape, axes, lacks, words):
    class Norm(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return (x - x.mean(axes, keepdim=True)) * scaled(x, axes)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            rstd = scaled(x, axes)
            y = (x - x.mean(axes, keepdim=True)) * rstd
            mean = 0 if lacks == "mean" else g.mean(axes, keepdim=True)
            along = 0 if lacks == "projection" else y * (g * y).mean(axes, keepdim=True)
            return rstd * (g - mean - along)

    found = diagnose(Norm, normal(*shape))
    assert found.name == "wrong-gradient"
    where = f"dimension{'s' * (len(axes) > 1)} {' and '.join(map(str, axes))}."
    assert found.findings[0].why.endswith(f"{words}. A row lies along {where}")
    assert GRADCHECK not in repr(found)


def test_where_each_element_stands_for_itself_one_slope_is_shown():
    class Swish(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * torch.sigmoid(x)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            s = torch.sigmoid(x)
            return g * (s + s * (1 - s))  # `x *` is lost in the second term

    x = torch.tensor([0.5, 1.0, -2.0, 3.0], dtype=torch.float64)
    (one,) = diagnose(Swish, x).findings
    s = torch.sigmoid(x[2])
    mine, right = s + s * (1 - s), s + x[2] * s * (1 - s)
    assert one.why.startswith("Where x is -2, `g")
    assert f"multiplied by {mine:.4g}" in one.why
    assert f"should be by {right:.4g}" in one.why
    assert GRADCHECK not in one.look


def test_an_incoming_gradient_that_comes_back_unchanged_lacks_its_factor():
    class Bias(Function):
        @staticmethod
        def forward(ctx, x, b):
            ctx.save_for_backward(x, b)
            return torch.tanh(x + b)

        @staticmethod
        def backward(ctx, g):
            x, b = ctx.saved_tensors
            return g * (1 - torch.tanh(x + b) ** 2), g.sum(0)

    (one,) = diagnose(Bias, normal(4, 3), normal(3, seed=1)).findings
    assert one.about == "b"
    assert "derivative of the output by b is missing as a factor" in one.look
