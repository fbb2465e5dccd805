"""The right answers to exercises 6 to 8, held to PyTorch's own functions and to their own code."""

import re

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.nn import functional as F

from helpers.checks.references import ex06, ex07, ex08
from tests.answers import ROOT

SHAPES = [(), (5,), (4, 3), (2, 3, 4), (0, 3)]


def numbers(*shape: int, seed: int = 0) -> torch.Tensor:
    """Return normal numbers in float64 that require a gradient."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()


def agree(fn, own, inputs) -> None:
    """Compare values, gradients and second derivatives with those of PyTorch's own function."""
    torch.testing.assert_close(all_derivatives(fn, inputs), all_derivatives(own, inputs))


def all_derivatives(fn, inputs) -> list[torch.Tensor]:
    y = fn(*inputs)
    grad_y = numbers(*y.shape, seed=9)
    first = torch.autograd.grad(y, inputs, grad_y, create_graph=True)
    weighted = sum((grad.sin() * numbers(*grad.shape, seed=8)).sum() for grad in first)
    return [y, *first, *torch.autograd.grad(weighted, [*inputs, grad_y])]


@pytest.mark.parametrize(
    ("fn", "own"),
    [
        (ex06.Inverse.apply, torch.reciprocal),
        (ex07.wave, lambda x: torch.sin(x).div(torch.exp(x))),
        (ex08.LogOne.apply, lambda x: torch.square(x).log1p()),
        (ex08.Erf.apply, torch.special.erf),
    ],
    ids=["inverse", "wave", "log-one", "erf"],
)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_function_of_one_variable_is_pytorchs_own_twice_differentiated(fn, own, shape):
    x = numbers(*shape).detach()
    x = (x + 0.5 * x.sign()).requires_grad_()  # away from 0
    agree(fn, own, (x,))
    if x.numel():
        assert gradcheck(fn, x)
        assert gradgradcheck(fn, x)


@pytest.mark.parametrize("start", [2.5, 1, -0.5])
@pytest.mark.parametrize(("rows", "columns"), [(4, 3), (1, 1), (3, 3), (0, 2)])
def test_growth_is_a_power_of_pytorch_twice_differentiated(rows, columns, start):
    def own(x, rate):
        return start * torch.pow(torch.exp(x), rate)

    def growth(x, rate):
        return ex06.Growth.apply(x, rate, start)

    inputs = numbers(rows, columns), numbers(columns, seed=1)
    agree(growth, own, inputs)
    assert gradcheck(growth, inputs)
    assert gradgradcheck(growth, inputs)


@pytest.mark.parametrize(("rows", "columns"), [(4, 3), (1, 1), (3, 3), (0, 2)])
def test_softmax_is_softmax_twice_differentiated(rows, columns):
    x = numbers(rows, columns)
    agree(ex06.Softmax.apply, lambda x: F.softmax(x, dim=1), (x,))
    if rows:
        assert gradcheck(ex06.Softmax.apply, x)
        assert gradgradcheck(ex06.Softmax.apply, x)


@pytest.mark.parametrize(("rows", "columns"), [(4, 3), (1, 2), (3, 3), (0, 2)])
def test_rms_norm_is_rms_norm_twice_differentiated(rows, columns):
    def own(x, w):
        return F.rms_norm(x, (columns,), w, eps=0.0)

    inputs = numbers(rows, columns), numbers(columns, seed=1)
    agree(ex07.RMSNorm.apply, own, inputs)
    if rows:
        assert gradcheck(ex07.RMSNorm.apply, inputs)
        assert gradgradcheck(ex07.RMSNorm.apply, inputs)


def test_all_four_outputs_of_wave_have_the_right_gradient():
    x = numbers(2, 3)
    assert gradcheck(ex07.Wave.apply, x)
    assert gradgradcheck(ex07.Wave.apply, x)


@pytest.mark.parametrize("fn", [ex08.LogOneBackward.apply, ex08.ErfBackward.apply])
def test_the_second_functions_have_the_right_gradients(fn):
    inputs = numbers(2, 3), numbers(2, 3, seed=1)
    assert gradcheck(fn, inputs)
    assert gradgradcheck(fn, inputs)


@pytest.mark.parametrize(
    ("number", "name"), [(6, "Growth"), (7, "rms_norm"), (8, "Erf")], ids=["6.2", "7.2", "8.2"]
)
def test_the_broken_code_is_right_at_first_order_only(number, name):
    broken = _run(number, f"answer-{number}-2", cut=True)[name]
    inputs = {
        6: (numbers(3, 2), numbers(2, seed=1), 2.5),
        7: (numbers(3, 2), numbers(2, seed=1)),
        8: (numbers(3, 2),),
    }[number]
    fn = broken.apply if isinstance(broken, type) else broken
    assert gradcheck(fn, inputs)
    assert not gradgradcheck(fn, inputs, raise_exception=False)


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
