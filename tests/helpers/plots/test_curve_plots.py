"""`losses`, `bands` and `growth`: what they tell, how curves differ, and what is refused."""

import math
import re

import pytest
import torch

from helpers import plots

SIZES = [10, 100, 1000]


def bands(**curves):
    return plots.bands(title="Some runs", ylabel="accuracy", **curves)


def growth(**curves):
    return plots.growth(SIZES, title="Time", size="n", value="ms", **curves)


def test_the_first_loss_is_a_wide_line_below_dashed_ones_so_that_equal_curves_show():
    svg = plots.losses(custom=[2.0, 1.0], torch=[2.0, 1.0]).svg
    lines = re.findall(r'<path d="[^"]*" clip-path="[^"]*" style="([^"]*)"', svg)
    (wide,) = [i for i, style in enumerate(lines) if "stroke-width: 4.5" in style]
    (dashed,) = [i for i, style in enumerate(lines) if "stroke-dasharray: 6.4,4.8" in style]
    assert wide < dashed


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        ([1.0, 0.8, 0.6], [1.0, 0.8, 0.85], "Largest difference between a and b: 0.25."),
        ([1.0, math.inf, 1.0], [1.0, 2.0, math.nan], "a and b: below 1e-6."),
        ([1000.0, 9.0], [1000.0, 9.9], "relative difference between a and b: 0.0909."),
        ([3e7, 6e7], [3e7 * (1 + 1e-9), 6e7], "a and b: below 100."),  # as float32 rounds
    ],
)
def test_the_largest_difference_of_two_losses(a, b, told):
    assert told in plots.losses(a=a, b=b).text


@pytest.mark.parametrize("b", [[1.0, 2.0], [math.nan]])
def test_losses_that_cannot_be_compared_are_not(b):
    assert "difference" not in plots.losses(a=[1.0], b=b).text


@pytest.mark.parametrize(
    ("last", "logarithmic"), [(9.0, True), (11.0, False), (0.0, False), (-1.0, False)]
)
def test_more_than_two_decades_of_positive_losses_get_a_logarithmic_axis(last, logarithmic):
    text = plots.losses(a=[1000.0, last]).text
    assert ("The loss axis is logarithmic." in text) is logarithmic


@pytest.mark.parametrize(
    "curve",
    [
        [torch.tensor(2.0, requires_grad=True), torch.tensor(1.0)],
        torch.tensor([2.0, 1.0], requires_grad=True).double(),
        iter([2, 1]),
    ],
)
def test_a_curve_may_be_any_sequence_of_numbers(curve):
    assert "a: 2 at step 0, 1 at step 1." in plots.losses(a=curve).text


def test_bands_tell_the_span_of_the_runs_and_differ_in_more_than_colour():
    runs = torch.tensor([[0.5, 0.74, 0.93], [0.5, 0.7, 0.97], [0.5, 0.66, 1.0]])
    figure = bands(ours=runs, theirs=[[0.4, 0.4]])
    assert figure.text == (
        "Some runs\n"
        "ours, accuracy of 3 runs: 0.5 at step 0, 0.9 to 1.0 at step 2.\n"
        "theirs, accuracy of 1 run: 0.4 at step 0, 0.4 at step 1."
    )
    assert figure.svg.count("opacity: 0.2") == 2
    assert "stroke-dasharray: 8.14,3.52" in figure.svg


@pytest.mark.parametrize(
    ("plot", "curve"),
    [(plots.losses, curve) for curve in ([], torch.ones(3, 2), 1.0)]
    + [(bands, curve) for curve in ([[]], [[1.0, 2.0], [1.0]])]
    + [(growth, curve) for curve in ([1, 2], [1, 2, 0], [1, 2, math.inf])],
)
def test_a_curve_without_the_right_numbers_is_refused_by_its_name(plot, curve):
    with pytest.raises(ValueError, match=r"^ours must (have|be) "):
        plot(ours=curve)


@pytest.mark.parametrize("count", [0, 6])
def test_one_to_five_curves_are_drawn(count):
    with pytest.raises(TypeError, match=f"got {count}"):
        growth(**{f"c{number}": SIZES for number in range(count)})
