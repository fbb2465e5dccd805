"""`plots.derivatives`: the numbers it tells, what it refuses, and what it leaves alone."""

import math
import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import plots
from helpers.plots.derivative_samples import FINITE, OWN, sample
from tests.helpers.plots.functions import MyReLU, SinhBad, TimesThree
from tests.whygrad.graph.functions import Square


def row(text: str, mark: str, name: str) -> list[str]:
    """Give the cells of one row of the table."""
    current = ""
    for line in text.splitlines()[1:]:
        current = line[:3].strip() or current
        if current == mark and line[4:22].strip() == name:
            return line[22:].split()
    raise AssertionError(f"no row {mark} {name} in\n{text}")


def test_square_is_told_by_its_closed_form():
    text = plots.derivatives(Square.apply, torch.square, order=2).text
    assert text.startswith("Square: f, f′ and f″ at five of 201 points\n")
    for name in ("your autograd", "PyTorch"):
        assert row(text, "f", name) == ["9", "2.25", "0", "2.25", "9"]
    for name in ("your autograd", "PyTorch", "finite differences"):
        assert row(text, "f′", name) == ["-6", "-3", "0", "3", "6"]
        assert row(text, "f″", name) == ["2"] * 5
    assert "Largest difference from PyTorch: f below 1e-8, f′ below 1e-8, f″ below 1e-8." in text
    assert "Largest difference from finite differences: f′ below 1e-7, f″ below 1e-5." in text


def test_the_kink_of_relu_has_three_answers():
    text = plots.derivatives(MyReLU.apply, torch.relu).text
    at_zero = [row(text, "f′", n)[2] for n in ("your autograd", "PyTorch", "finite differences")]
    assert at_zero == ["1", "0", "0.5"]
    assert "from PyTorch: f below 1e-8, f′ 1 at x = 0." in text
    assert "from finite differences: f′ 0.5 at x = 0." in text


def test_a_wrong_derivative_is_seen_without_a_reference():
    text = plots.derivatives(TimesThree.apply).text
    assert "PyTorch" not in text
    assert "Largest difference from finite differences: f′ 12." in text


def test_a_gradient_without_history_is_said_and_does_not_stop_the_plot():
    figure = plots.derivatives(SinhBad.apply, torch.sinh, order=2)
    assert " ".join(row(figure.text, "f″", "your autograd")) == (
        "none: the gradient has no history"
    )
    assert row(figure.text, "f″", "PyTorch")[-1] == f"{math.sinh(3):.4g}"
    assert figure.svg.startswith("<svg")


def test_a_function_without_history_has_no_derivative_at_all():
    text = plots.derivatives(lambda x: x.detach() ** 2, order=2).text
    for mark in ("f′", "f″"):
        assert " ".join(row(text, mark, "your autograd")) == "none: f has no history"
    assert row(text, "f′", "finite differences") == ["-6", "-3", "0", "3", "6"]


def test_a_function_that_does_not_use_x_has_derivative_zero():
    weight = torch.ones(201, dtype=torch.float64, requires_grad=True)
    text = plots.derivatives(lambda x: weight * 2).text
    assert row(text, "f′", "your autograd") == ["0"] * 5
    assert weight.grad is None


def test_values_that_are_not_finite_are_counted():
    text = plots.derivatives(torch.log, lambda x: x.log()).text
    assert row(text, "f", "your autograd") == ["nan", "nan", "-inf", "0.4055", "1.099"]
    assert "Not finite: f by your autograd, at 101 of 201 points." in text
    assert "Not finite: f′ by PyTorch, at 1 of 201 points." in text


def test_nothing_finite_is_still_a_figure():
    figure = plots.derivatives(lambda x: x * math.nan, torch.square)
    assert "Largest difference from PyTorch: f nowhere both finite" in figure.text
    assert figure.svg.startswith("<svg")


@pytest.mark.parametrize("fn", [torch.exp, torch.nn.Softplus(), lambda x: x.tanh()])
def test_autograd_and_finite_differences_agree_on_smooth_functions(fn):
    _, panels = sample(fn, None, -2.0, 2.0, 2)
    for panel in panels[1:]:
        own, finite = panel.curves[OWN].values[::10], panel.curves[FINITE].values
        torch.testing.assert_close(own, finite, rtol=1e-6, atol=1e-6)


@given(st.floats(-100, 100), st.floats(0.01, 100), st.floats(-5, 5), st.floats(-5, 5))
@settings(max_examples=25, deadline=None)
def test_finite_differences_of_a_parabola_are_its_slopes(low, width, a, b):
    x, panels = sample(lambda x: a * x * x + b * x, None, low, low + width, 2)
    first, second = (panel.curves[FINITE].values for panel in panels[1:])
    torch.testing.assert_close(first, (2 * a * x + b)[::10], rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(second, torch.full_like(second, 2 * a), rtol=1e-3, atol=1e-2)


def test_the_middle_of_a_symmetric_range_is_exactly_zero():
    for high in (0.1, 1.0, 3.0, 7.7):
        assert sample(torch.exp, None, -high, high, 1)[0][100] == 0


def test_a_module_gives_its_name_and_keeps_its_gradients():
    module = torch.nn.PReLU(dtype=torch.float64)
    module.weight.grad = torch.tensor([7.0], dtype=torch.float64)
    text = plots.derivatives(module, order=2).text
    assert text.startswith("PReLU: f, f′ and f″")
    assert module.weight.grad.item() == 7.0


def test_a_lambda_needs_no_name_and_a_title_replaces_it():
    assert plots.derivatives(lambda x: x).text.startswith("f and f′ at five")
    assert plots.derivatives(lambda x: x, title="Id <1>").text.startswith("Id <1> at five")


def test_grad_mode_and_random_numbers_are_left_alone():
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    with torch.no_grad():
        text = plots.derivatives(lambda x: x * x + 0 * torch.rand_like(x)).text
        assert not torch.is_grad_enabled()
    assert row(text, "f′", "your autograd")[-1] == "6"
    assert torch.equal(torch.rand(3), expected)
    with torch.inference_mode():
        assert plots.derivatives(Square.apply).text == plots.derivatives(Square.apply).text


def test_a_backward_may_write_into_its_incoming_gradient():
    class InPlace(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clamp(min=0)

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            grad_output[x < 0] = 0
            return grad_output

    text = plots.derivatives(InPlace.apply).text
    assert row(text, "f′", "your autograd") == ["0", "0", "1", "1", "1"]


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"fn": torch.sum}, ValueError, r"fn returned shape \(\) for an input of shape \(201,\)"),
        ({"fn": lambda x: 1.0}, TypeError, "fn returned a float: it must return one tensor"),
        ({"fn": lambda x: x.float()}, ValueError, "fn returned float32 for a float64 input"),
        ({"fn": torch.exp, "reference": torch.sum}, ValueError, r"^reference returned shape"),
        ({"fn": torch.exp, "order": 3}, ValueError, r"order must be 1 .* or 2 .*: got 3"),
        ({"fn": torch.exp, "low": 1.0, "high": 1.0}, ValueError, "low must be below high"),
        ({"fn": torch.exp, "high": math.inf}, ValueError, "low must be below high, both finite"),
    ],
)
def test_wrong_arguments_get_one_clear_sentence(arguments, kind, message):
    with pytest.raises(kind, match=message) as caught:
        plots.derivatives(**arguments)
    assert "\n" not in str(caught.value)


def test_the_picture_shows_each_curve_and_the_note():
    svg = plots.derivatives(MyReLU.apply, torch.relu, order=2).svg
    drawn = re.findall(r"<!-- (.*?) -->", svg)
    assert drawn.count("your autograd") == drawn.count("PyTorch") == 1  # one legend for all
    for words in (
        "f\N{HAIR SPACE}′(x)",
        "f\N{HAIR SPACE}″(x)",
        "finite differences: 1 outside the picture",
        "x",
    ):
        assert words in drawn
    assert any("none: the gradient has no history" in words for words in drawn)
    assert "x = 0: ◆ yours 1, ✕ PyTorch 0" in drawn
