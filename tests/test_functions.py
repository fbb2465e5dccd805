"""The Functions that the lessons define, held to PyTorch's own."""

import ast
from functools import cache
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck

from course.building.source import read_lesson

LESSONS = Path(__file__).parents[1] / "lessons"
# lesson, name of the function in it, PyTorch's own
CASES = {
    "Square": ("05_square", "Square", torch.square),
    "Exp": ("06_exp", "Exp", torch.exp),
    "Exp, input saved": ("06_exp", "ExpSavingInput", torch.exp),
    "Tanh": ("06_exp", "Tanh", torch.tanh),
    "sinh": ("07_sinh", "sinh", torch.sinh),
    "sinh, recomputed": ("07_sinh", "SinhRecompute", torch.sinh),
    "Cube": ("08_cube", "Cube", lambda x: x**3),
}
INPUTS = {
    "scalar": lambda: torch.tensor(0.7),
    "vector": lambda: torch.linspace(-2, 2, 5),
    "matrix": lambda: torch.linspace(-2, 2, 6).reshape(2, 3),
    "transposed": lambda: torch.linspace(-2, 2, 6).reshape(2, 3).T,
    "every second": lambda: torch.linspace(-2, 2, 8)[::2],
    "expanded": lambda: torch.tensor([0.5, -1.5]).expand(3, 2),
    "empty": lambda: torch.zeros(0),
    "empty rows": lambda: torch.zeros(0, 3),
}


@cache
def definitions(lesson: str) -> dict:
    """Run what a lesson imports and defines, and nothing else of it."""
    names: dict = {"__name__": lesson}
    for cell in read_lesson(LESSONS / f"{lesson}.md").notebook.cells:
        if cell.cell_type == "code":
            tree = ast.parse(cell.source)
            kinds = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef)
            tree.body = [node for node in tree.body if isinstance(node, kinds)]
            exec(compile(tree, f"{lesson}, {cell.id}", "exec"), names)
    return names


def case(name: str):
    lesson, defined, reference = CASES[name]
    found = definitions(lesson)[defined]
    return getattr(found, "apply", found), reference


def derivatives(fn, x, grad_y, weights):
    """The value, the gradient, and the gradients of the gradient with respect to x and grad_y."""
    x, grad_y = (t.detach().requires_grad_() for t in (x, grad_y))
    y = fn(x)
    (grad_x,) = torch.autograd.grad(y, x, grad_y, create_graph=True)
    second = torch.autograd.grad(grad_x, (x, grad_y), weights)
    return y.detach(), grad_x.detach(), *second


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("name", CASES)
def test_value_and_both_orders_are_those_of_pytorch(name, kind, dtype):
    fn, reference = case(name)
    x = INPUTS[kind]().to(dtype)
    generator = torch.Generator().manual_seed(0)
    grad_y, weights = torch.randn(2, *x.shape, generator=generator, dtype=dtype)
    ours = derivatives(fn, x, grad_y, weights)
    for mine, theirs in zip(ours, derivatives(reference, x, grad_y, weights), strict=True):
        assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype)
        torch.testing.assert_close(mine, theirs)


@pytest.mark.parametrize("name", CASES)
def test_a_non_contiguous_incoming_gradient_is_taken(name):
    fn, reference = case(name)
    x = INPUTS["matrix"]().double()
    grad_y = torch.linspace(1, 2, 6, dtype=torch.float64).reshape(3, 2).T
    weights = torch.ones(1, 1, dtype=torch.float64).expand(2, 3)
    ours, theirs = (derivatives(f, x, grad_y, weights) for f in (fn, reference))
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("name", CASES)
def test_both_checks_of_pytorch_pass(name):
    fn, _ = case(name)
    x = INPUTS["matrix"]().double().requires_grad_()
    assert gradcheck(fn, x)
    assert gradgradcheck(fn, x)


@pytest.mark.parametrize("name", CASES)
def test_inputs_and_incoming_gradient_stay_as_they_were(name):
    fn, _ = case(name)
    x = INPUTS["matrix"]().double()
    grad_y, weights = torch.full_like(x, 2), torch.full_like(x, 3)
    kept = [t.clone() for t in (x, grad_y, weights)]
    derivatives(fn, x, grad_y, weights)
    assert all(map(torch.equal, (x, grad_y, weights), kept))


@pytest.mark.parametrize("name", CASES)
@settings(deadline=None, max_examples=25)
@given(
    point=st.floats(-3, 3),
    first=st.floats(-10, 10),
    second=st.floats(-10, 10),
    factor=st.floats(-10, 10),
)
def test_backward_is_linear_in_its_incoming_gradient(name, point, first, second, factor):
    fn, _ = case(name)
    x = torch.tensor([point], dtype=torch.float64, requires_grad=True)
    y = fn(x)

    def vjp(g: float) -> float:
        incoming = torch.tensor([g], dtype=torch.float64)
        return torch.autograd.grad(y, x, incoming, retain_graph=True)[0].item()

    expected = factor * vjp(first) + vjp(second)
    assert vjp(factor * first + second) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def bessel_j0(x):
    """J0(x), of the shape of x, as the mean of cos(x sin t) over all angles t.

    PyTorch's own J0 and J1 are off by 3e-7 near x = 5 (torch 2.13), and have no derivative.
    """
    angles = torch.linspace(0, 2 * torch.pi, 65, dtype=x.dtype)[:-1]
    return torch.cos(x[..., None] * torch.sin(angles)).mean(-1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("kind", INPUTS)
def test_bessel_function_is_right_to_second_order(kind, dtype):
    x = 3 * INPUTS[kind]().to(dtype)
    grad_y, weights = torch.full_like(x, 0.5), torch.full_like(x, 2)
    ours = derivatives(definitions("08_cube")["BesselJ"].apply, x, grad_y, weights)
    for mine, theirs in zip(ours, derivatives(bessel_j0, x, grad_y, weights), strict=True):
        assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype)
        torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("lesson", "name"),
    [
        ("05_square", "SquareData"),
        ("05_square", "SquareDetached"),
        ("06_exp", "ExpSavingClone"),
        ("06_exp", "ExpReturningAnother"),
        ("07_sinh", "SinhBad"),
        ("07_sinh", "SinhBadSaved"),
        ("08_cube", "CubeDetached"),
        ("08_cube", "CubeNoX"),
        ("08_cube", "CubeNoG"),
    ],
)
def test_the_counter_examples_fail_only_at_second_order(lesson, name):
    fn = definitions(lesson)[name].apply
    x = INPUTS["matrix"]().double().requires_grad_()
    assert gradcheck(fn, x)
    assert not gradgradcheck(fn, x, raise_exception=False)


def test_clamp_at_a_bound_has_the_slope_that_lesson_2_tells_for_this_version():
    version = tuple(map(int, torch.__version__.split(".")[:2]))
    x = torch.zeros((), requires_grad=True)
    x.clamp(min=0).backward()
    assert x.grad.item() == (1 if version < (2, 14) else 0)
