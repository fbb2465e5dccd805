"""The right answers to exercises 3 to 5, held to PyTorch's own functions and to their own code."""

import re

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.nn import functional as F

from helpers.checks.references import ex03, ex04, ex05
from tests.answers import ROOT


def numbers(*shape: int, seed: int = 0) -> torch.Tensor:
    """Return normal numbers in float64 that require a gradient."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()


def agree(fn, own, inputs) -> None:
    """Compare the values and all gradients of a Function with those of PyTorch's own function."""
    wanted = [value for value in inputs if value is not None]
    mine, right = fn(*inputs), own(*inputs)
    grad_y = numbers(*right.shape, seed=9).detach()
    torch.testing.assert_close(mine, right)
    for one, other in zip(
        torch.autograd.grad(mine, wanted, grad_y),
        torch.autograd.grad(right, wanted, grad_y),
        strict=True,
    ):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("shape", [(), (5,), (4, 3), (2, 3, 4), (0, 3)], ids=str)
def test_square_is_torch_square_twice_differentiated(shape):
    x = numbers(*shape)
    agree(ex05.Square.apply, torch.square, (x,))
    if x.numel():
        assert gradcheck(ex05.Square.apply, x)
        assert gradgradcheck(ex05.Square.apply, x)


@pytest.mark.parametrize(("rows", "columns"), [(4, 3), (1, 1), (3, 3), (0, 2)])
def test_weighted_square_is_a_product_of_pytorch_twice_differentiated(rows, columns):
    inputs = numbers(rows, columns), numbers(columns, seed=1)
    agree(ex05.WeightedSquare.apply, lambda x, w: torch.square(x).mul(w), inputs)
    assert gradcheck(ex05.WeightedSquare.apply, inputs)
    assert gradgradcheck(ex05.WeightedSquare.apply, inputs)


@pytest.mark.parametrize(("rows", "columns"), [(4, 3), (1, 1), (3, 3), (0, 2)])
def test_scale_shift_is_addcmul(rows, columns):
    inputs = numbers(rows, columns), numbers(columns, seed=1), numbers(columns, seed=2)
    agree(ex03.ScaleShiftFunction.apply, lambda x, w, b: torch.addcmul(b, x, w), inputs)
    assert gradcheck(ex03.ScaleShiftFunction.apply, inputs)


@pytest.mark.parametrize(("rows", "columns"), [(5, 3), (1, 1), (4, 4), (0, 2)])
def test_learned_slope_is_prelu(rows, columns):
    inputs = numbers(rows, columns), numbers(columns, seed=1)
    agree(ex03.LearnedSlopeFunction.apply, F.prelu, inputs)
    assert gradcheck(ex03.LearnedSlopeFunction.apply, inputs)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(("n", "t", "n_in", "n_out"), [(3, 2, 4, 5), (1, 1, 1, 1), (0, 2, 3, 2)])
def test_sequence_linear_is_linear(n, t, n_in, n_out, bias):
    b = numbers(n_out, seed=2) if bias else None
    inputs = numbers(n, t, n_in), numbers(n_out, n_in, seed=1), b
    agree(ex03.SequenceLinearFunction.apply, F.linear, inputs)
    assert gradcheck(ex03.SequenceLinearFunction.apply, inputs)


@pytest.mark.parametrize("shape", [(), (5,), (4, 3), (2, 3, 4), (0, 3)], ids=str)
def test_huber_is_huber_loss(shape):
    x = (3 * numbers(*shape)).detach().requires_grad_()
    agree(ex04.Huber.apply, lambda x: F.huber_loss(x, torch.zeros_like(x), reduction="none"), (x,))
    assert gradcheck(ex04.Huber.apply, x)


@pytest.mark.parametrize("shape", [(), (4,), (3, 4), (2, 3, 2)], ids=str)
def test_numerical_vjp_is_what_autograd_returns(shape):
    def fn(x):
        return torch.stack([torch.sin(x), x**2 * x.sum()])

    x, grad_y = numbers(*shape), numbers(2, *shape, seed=1).detach()
    (right,) = torch.autograd.grad(fn(x), x, grad_y)
    found = ex04.numerical_vjp(fn, x.detach(), grad_y)
    assert found.shape == x.shape
    torch.testing.assert_close(found, right, rtol=1e-7, atol=1e-8)


def test_numerical_vjp_makes_the_error_of_its_step():
    x, one = torch.tensor(1.0, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64)
    # ((1 + h)³ - (1 - h)³) / 2h = 3 + h²
    assert ex04.numerical_vjp(lambda x: x**3, x, one, eps=0.1).item() == pytest.approx(3.01)


def test_the_test_that_4_2_quotes_passes_the_broken_huber():
    broken = _run(4, "answer-4-2", cut=True)["Huber"]
    point = torch.tensor([0.5, -0.25, 0.75], dtype=torch.float64, requires_grad=True)
    assert gradcheck(broken.apply, point)


def _text(number: int) -> str:
    (path,) = (ROOT / "lessons").glob(f"{number:02}_*.exercise.md")
    return path.read_text(encoding="utf-8")


def _run(number: int, *cells: str, cut: bool = False) -> dict:
    """Run some cells of an exercise's source; return what they define.

    Args:
        number: of the exercise.
        cells: ids of the cells, after that with the imports.
        cut: leave out the solutions.
    """
    names: dict = {}
    for cell in ("set-up", *cells):
        (code,) = re.findall(rf"^:id: {cell}\n(.*?)^```$", _text(number), re.DOTALL | re.MULTILINE)
        exec(code.partition("### BEGIN SOLUTION")[0] if cut else code, names)
    return names
