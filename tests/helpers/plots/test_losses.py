"""`plots.losses`: coinciding curves both show, and the text says how they compare."""

import math
import re

import numpy as np
import pytest
import torch

from helpers import plots


def test_coinciding_curves_are_said_to_coincide():
    curve = [3.0, 2.0, 1.5, 1.25]
    assert plots.losses(custom=curve, torch=torch.tensor(curve)).text == (
        "Loss at each step\n"
        "custom: 3 at step 0, 1.25 at step 3.\n"
        "torch: 3 at step 0, 1.25 at step 3.\n"
        "Largest difference between custom and torch: below 1e-5."
    )


def test_coinciding_curves_differ_in_width_dashes_and_markers():
    svg = plots.losses(custom=[2.0, 1.0], torch=[2.0, 1.0]).svg
    lines = re.findall(r'<path d="[^"]*" clip-path="[^"]*" style="([^"]*)"', svg)
    wide = [style for style in lines if "stroke-width: 4.5" in style]
    dashed = [style for style in lines if "stroke-dasharray: 6.4,4.8" in style]
    assert len(wide) == len(dashed) == 1
    assert lines.index(wide[0]) < lines.index(dashed[0])  # the wide one lies below


def test_the_largest_difference_is_a_number_where_curves_part():
    text = plots.losses(a=[1.0, 0.8, 0.6], b=[1.0, 0.8, 0.85], c=[1.0, 0.7, 0.6]).text
    assert "between a and b: 0.25." in text
    assert "between a and c: 0.1." in text


def test_more_than_two_decades_of_positive_losses_get_a_logarithmic_axis():
    wide = {"a": [1000.0, 9.0], "b": [1000.0, 9.9]}
    text = plots.losses(**wide).text
    assert "The loss axis is logarithmic." in text
    assert "Largest relative difference between a and b: 0.0909." in text
    for narrow in ([100.0, 1.0], [1000.0, 0.0], [1000.0, -1.0]):
        assert "logarithmic" not in plots.losses(a=narrow).text


def test_large_losses_in_float32_do_not_report_noise():
    steps = torch.linspace(1, 2, 50)
    text = plots.losses(a=(steps * 3e7), b=(steps * 3e7).double() * (1 + 1e-9)).text
    assert "between a and b: below 100." in text


def test_steps_that_are_not_finite_are_told():
    figure = plots.losses(a=[1.0, math.inf, math.nan], b=[1.0, 2.0, 3.0])
    assert "a: not finite at 2 steps, first at step 1." in figure.text
    assert "difference between a and b: below 1e-6." in figure.text
    figure = plots.losses(a=[math.nan], b=[1.0])
    assert "No difference between a and b: there is no step where both are finite." in figure.text


def test_curves_of_different_length_are_compared_where_both_exist():
    text = plots.losses(a=[1.0, 0.5], b=[1.0, 0.25, 0.1]).text
    assert "difference between a and b over the first 2 steps: 0.25." in text


@pytest.mark.parametrize(
    "curve",
    [
        [torch.tensor(2.0, dtype=torch.float64), torch.tensor(1.0)],
        (value for value in (2.0, 1.0)),
        np.array([2, 1]),
        torch.tensor([2.0, 1.0], requires_grad=True),
    ],
)
def test_a_curve_may_be_any_sequence_of_numbers(curve):
    assert "a: 2 at step 0, 1 at step 1." in plots.losses(a=curve).text


@pytest.mark.parametrize(
    ("curves", "kind", "message"),
    [
        ({}, TypeError, r"pass one to five curves by name, .*: got 0"),
        ({f"c{i}": [1.0] for i in range(6)}, TypeError, "got 6"),
        ({"a": []}, ValueError, "a is empty: pass one loss per step"),
        ({"a": torch.ones(3, 2)}, ValueError, "a must be a sequence of numbers"),
        ({"a": 1.0}, ValueError, "a must be a sequence of numbers"),
        ({"a": [None]}, ValueError, "a must be a sequence of numbers"),
    ],
)
def test_wrong_curves_get_one_clear_sentence(curves, kind, message):
    with pytest.raises(kind, match=message):
        plots.losses(**curves)
