"""`plots.bands`: the text tells where the runs begin and end, the picture shows mean and band."""

import math
import re

import pytest
import torch

from helpers import plots

RUNS = torch.tensor([[0.5, 0.74, 0.93], [0.5, 0.7, 0.97], [0.5, 0.66, 1.0]])


def drawn(**curves):
    return plots.bands(title="Some runs", ylabel="accuracy", **curves)


def test_the_text_tells_the_span_of_the_runs_at_the_first_and_the_last_step():
    assert drawn(ours=RUNS, theirs=[[0.4, 0.4]]).text == (
        "Some runs\n"
        "ours, accuracy of 3 runs: 0.5 at step 0, 0.9 to 1.0 at step 2.\n"
        "theirs, accuracy of 1 run: 0.4 at step 0, 0.4 at step 1."
    )
    text = plots.bands(title="T", ylabel="loss", decimals=2, ours=RUNS).text
    assert "0.50 at step 0, 0.93 to 1.00 at step 2." in text


def test_each_curve_has_a_band_and_a_line_that_differ_in_more_than_colour():
    svg = drawn(a=RUNS, b=RUNS / 2).svg
    assert len(re.findall(r"opacity: 0.2", svg)) == 2
    assert len(re.findall(r"stroke-dasharray: 8.14,3.52", svg)) >= 1  # the second is dashed
    assert drawn(a=RUNS, b=RUNS / 2).svg == svg


@pytest.mark.parametrize("runs", [[], [[]], [[1.0, 2.0], [1.0]], [[1.0, math.nan]], [1.0, 2.0]])
def test_what_is_no_table_of_finite_numbers_is_refused(runs):
    with pytest.raises(ValueError, match="ours must have"):
        drawn(ours=runs)


def test_one_to_five_curves_are_drawn():
    for curves in ({}, {f"c{number}": RUNS for number in range(6)}):
        with pytest.raises(TypeError, match=f"got {len(curves)}"):
            drawn(**curves)
