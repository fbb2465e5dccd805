"""`plots.derivatives`: the numbers it tells, what it refuses, and what it leaves alone."""

import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import plots
from helpers.plots.derivative_plot import FINITE, OWN, PYTORCH, sample
from tests.whygrad.graph.functions import Square

SQUARE = """\
    x                     -3  -1.5     0   1.5     3
f   your autograd          9  2.25     0  2.25     9
f′  your autograd         -6    -3     0     3     6
    finite differences    -6    -3     0     3     6
Largest difference from finite differences: f′ below 1e-7."""


def test_square_is_told_by_its_closed_form():
    text = plots.derivatives(Square.apply, torch.square, order=2).text
    assert (
        text
        == """\
Square: f, f′ and f″ at five of 201 points
    x                     -3  -1.5     0   1.5     3
f   your autograd          9  2.25     0  2.25     9
    PyTorch                9  2.25     0  2.25     9
f′  your autograd         -6    -3     0     3     6
    PyTorch               -6    -3     0     3     6
    finite differences    -6    -3     0     3     6
f″  your autograd          2     2     2     2     2
    PyTorch                2     2     2     2     2
    finite differences     2     2     2     2     2
Largest difference from PyTorch: f below 1e-8, f′ below 1e-8, f″ below 1e-8.
Largest difference from finite differences: f′ below 1e-7, f″ below 1e-5."""
    )


def test_a_kink_has_three_answers_in_text_and_picture():
    figure = plots.derivatives(lambda x: x.clamp(min=0), torch.relu, order=2)
    assert "f below 1e-8, f′ 1 at x = 0." in figure.text
    assert "f′ 0.5 at x = 0." in figure.text
    drawn = re.findall(r"<!-- (.*?) -->", figure.svg)
    assert "x = 0: ◆ yours 1, ✕ PyTorch 0" in drawn
    assert "finite differences: 1 outside the picture" in drawn
    assert drawn.count(OWN) == drawn.count(PYTORCH) == 1  # one legend for all
    assert "f\N{HAIR SPACE}″(x)" in drawn


def test_a_wrong_derivative_is_seen_without_a_reference():
    text = plots.derivatives(lambda x: 3 * x**2 - 2 * x.detach() ** 2).text
    assert "PyTorch" not in text
    assert "Largest difference from finite differences: f′ 12." in text


@pytest.mark.parametrize(
    ("fn", "reason", "times"),
    [
        (lambda x: 2 * x * x.detach() - x.detach() ** 2, "none: the gradient has no history", 1),
        (lambda x: x.detach() ** 2, "none: f has no history", 2),
    ],
)
def test_a_derivative_without_history_is_said_and_does_not_stop_the_plot(fn, reason, times):
    figure = plots.derivatives(fn, torch.square, order=2)
    assert figure.text.count(reason) == times
    assert "    finite differences     2     2     2     2     2" in figure.text
    assert reason in figure.svg.partition("</desc>")[2]


def test_a_function_that_does_not_use_x_has_derivative_zero():
    weight = torch.ones(201, dtype=torch.float64, requires_grad=True)
    text = plots.derivatives(lambda x: weight * 2).text
    assert re.search(r"f′  your autograd( +0){5}\n", text)
    assert weight.grad is None


def test_differences_are_taken_where_both_are_finite():
    text = plots.derivatives(torch.log, lambda x: x.log()).text
    assert re.search(r"f   your autograd +nan +nan +-inf +0.4055 +1.099\n", text)
    assert "PyTorch: f below 1e-8 where both are finite" in text
    assert "from PyTorch" not in plots.derivatives(torch.abs, lambda x: x * torch.nan).text


@given(st.floats(-100, 100), st.floats(0.01, 100), st.floats(-5, 5), st.floats(-5, 5))
@settings(max_examples=25, deadline=None)
def test_finite_differences_of_a_parabola_are_its_slopes(low, width, a, b):
    x, panels = sample(lambda x: a * x * x + b * x, None, low, low + width, 2)
    first, second = (panel[FINITE].values[::10] for panel in panels[1:])
    torch.testing.assert_close(first, (2 * a * x + b)[::10], rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(second, torch.full_like(second, 2 * a), rtol=1e-3, atol=1e-2)


def test_the_middle_of_a_symmetric_range_is_exactly_zero():
    assert sample(torch.exp, None, -7.7, 7.7, 1)[0][100] == 0


@pytest.mark.parametrize(
    ("fn", "title", "shown"),
    [
        (torch.nn.PReLU(dtype=torch.float64), None, "PReLU: f and f′ at five"),
        (lambda x: x, None, "f and f′ at five"),
        (torch.exp, "My exp", "My exp at five"),
    ],
)
def test_the_title_is_the_name_of_the_function_if_it_has_one(fn, title, shown):
    assert plots.derivatives(fn, title=title).text.startswith(shown)


class InPlace(Square):
    """It writes into its incoming gradient."""

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output.mul_(2 * x)


@pytest.mark.parametrize("fn", [Square.apply, InPlace.apply])
def test_the_readers_mode_and_a_backward_in_place_do_not_matter(fn):
    with torch.no_grad():
        assert plots.derivatives(fn).text.endswith(SQUARE)
        assert not torch.is_grad_enabled()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fn": torch.sum}, r"returned \(torch.float64, \(\)\) for \(torch.float64, \(201,\)\)"),
        ({"fn": lambda x: 1.0}, "returned <class 'float'>"),
        ({"fn": torch.exp, "reference": torch.Tensor.float}, r"returned \(torch.float32"),
        ({"fn": torch.exp, "order": 3}, r"order must be 1 .* or 2 .*: got 3"),
    ],
)
def test_wrong_arguments_get_one_clear_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        plots.derivatives(**arguments)
