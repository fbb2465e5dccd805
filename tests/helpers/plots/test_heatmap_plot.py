"""`plots.heatmaps`: every number in text and picture, one scale, sizes that fit a notebook."""

import re

import matplotlib
import numpy as np
import pytest
import torch

from helpers import plots
from helpers.plots.heatmap_plot import arrange, read, readable_on
from whygrad.look import PICTURE, PLOT

MINUS = "\N{MINUS SIGN}"


def words(**matrices) -> list[str]:
    """Give the texts of a picture; Matplotlib notes each beside its glyphs."""
    return re.findall(r"<!-- (.*?) -->", plots.heatmaps(**matrices).svg, flags=re.DOTALL)


def test_each_of_several_matrices_is_told():
    assert plots.heatmaps(a=[1.5], b=torch.ones(2, 1)).text == (
        "Heat maps of a, b\n"
        "a: shape (1,), from 1.5 to 1.5\n  1.5\n"
        "b: shape (2, 1), from 1 to 1\n  1\n  1"
    )


def test_numbers_are_in_the_cells_if_there_is_room():
    values = torch.arange(64.0) * -1.01
    assert f"{MINUS}63.63" in words(a=values.reshape(8, 8))
    assert f"{MINUS}63.63" not in words(a=values)


def test_the_svg_of_a_large_matrix_stays_small():
    figure = plots.heatmaps(a=torch.arange(30_000.0).reshape(150, 200))
    assert len(figure.svg) < 200_000
    assert figure.text == "Heat map of a\na: shape (150, 200), from 0 to 3e+04"


def test_many_matrices_go_on_further_lines_and_do_not_overlap():
    matrices = [torch.ones(3, 4), torch.ones(8, 8) / -3e5, torch.ones(64), torch.ones(10, 150)]
    boxes = arrange([read(f"matrix_{i}", values) for i, values in enumerate(2 * matrices)])
    starts, ends = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    assert ends[:, 0].max() <= 9
    for i, start in enumerate(starts):
        assert (start >= ends[:i]).any(axis=1).all()  # right of the others, or below


def test_the_same_value_has_the_same_colour_in_every_matrix_and_zero_is_white():
    svg = plots.heatmaps(a=[[2.0]], b=[[2.0, -4.0, 0.0]]).svg
    two, same, minus_four, zero = re.findall(r'style="fill: #(\w+); stroke: #ffffff', svg)
    assert two == same != minus_four
    assert np.ptp(list(bytes.fromhex(zero))) <= 2


def test_numbers_are_readable_on_every_colour_of_the_scale():
    for colour in matplotlib.colormaps[PLOT["colours"]](np.linspace(0, 1, 101))[:, :3]:
        linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
        luminance = linear @ [0.2126, 0.7152, 0.0722]
        ink = 1.0 if readable_on(colour) == PICTURE["light_ink"] else 0.0
        light, dark = max(luminance, ink), min(luminance, ink)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.parametrize(
    ("values", "written"),
    [
        (torch.tensor([1.0, 3e-8]), "  1  0"),
        ([1.0, 1e-17], "  1  0"),
        ([1.0, 1e-7], "      1  1e-07"),
        ([1, 10_000_000], "      1  1e+07"),
    ],
)
def test_only_rounding_errors_are_written_as_zero(values, written):
    assert plots.heatmaps(a=values).text.splitlines()[-1] == written


def test_cells_that_are_not_finite_are_named():
    values = torch.tensor([[1.0, torch.nan], [torch.inf, -2.0]])
    assert "from -2 to 1, 2 not finite" in plots.heatmaps(a=values).text
    assert {"nan", "inf", "1", f"{MINUS}2"} <= set(words(a=values))


@pytest.mark.parametrize(
    "values",
    [
        torch.tensor([False, True]),
        torch.tensor([0.0, 1.0], dtype=torch.bfloat16, requires_grad=True),
        np.array([0, 1], dtype=np.int8),
    ],
)
def test_any_kind_of_real_numbers_is_accepted(values):
    assert plots.heatmaps(a=values).text == "Heat map of a\na: shape (2,), from 0 to 1\n  0  1"


@pytest.mark.parametrize(
    ("matrices", "kind", "message"),
    [
        ({}, TypeError, "pass at least one matrix by name"),
        ({"g": None}, TypeError, "g is None: if it is a gradient, run backward first"),
        ({"g": torch.ones(2, 2, 2)}, ValueError, r"of shape \(2, 2, 2\): .*reshape"),
        ({"g": torch.ones(2) * 1j}, ValueError, "g is torch.complex64 .*: pass real numbers"),
        ({"g": [torch.nan]}, ValueError, "g has no finite number"),
    ],
)
def test_wrong_matrices_get_one_clear_sentence(matrices, kind, message):
    with pytest.raises(kind, match=message):
        plots.heatmaps(**matrices)
