"""`plots.heatmaps`: every number in text and picture, one scale, sizes that fit a notebook."""

import re

import numpy as np
import pytest
import torch

from helpers import plots
from helpers.plots.canvas import readable_on
from helpers.plots.heatmap_plot import arrange
from helpers.plots.matrix import read
from whygrad.look import PICTURE, PLOT

MINUS = "\N{MINUS SIGN}"


def words(svg: str) -> list[str]:
    """Give the texts of a picture; Matplotlib notes each beside its glyphs."""
    return re.findall(r"<!-- (.*?) -->", svg, flags=re.DOTALL)


def size(svg: str) -> tuple[float, float]:
    return tuple(
        float(re.search(rf'\b{side}="([\d.]+)pt"', svg)[1]) for side in ("width", "height")
    )


def test_small_matrices_are_printed_in_full():
    grad = torch.tensor([[1.5, -2.25, 0.0], [3.0, -0.01, 2.0]])
    assert plots.heatmaps(grad_W=grad, transposed=grad.T).text == (
        "Heat maps of grad_W, transposed\n"
        "grad_W: shape (2, 3), from -2.25 to 3\n"
        "    1.5  -2.25      0\n"
        "      3  -0.01      2\n"
        "transposed: shape (3, 2), from -2.25 to 3\n"
        "    1.5      3\n"
        "  -2.25  -0.01\n"
        "      0      2"
    )


def test_numbers_stand_in_the_cells_up_to_64_of_them():
    values = torch.arange(64.0).reshape(8, 8) * 1.01
    written = words(plots.heatmaps(a=-values).svg)
    assert f"{MINUS}63.63" in written
    assert f"{MINUS}63.63" not in words(plots.heatmaps(a=-torch.arange(65.0) * 1.01).svg)


@pytest.mark.parametrize("shape", [(1,), (64,), (2, 32), (8, 8), (64, 1), (3, 1)])
def test_written_numbers_have_room_and_the_figure_fits_the_page(shape):
    matrix = read("a", -1e-5 * torch.ones(shape, dtype=torch.float64) / 3)  # "-3.333e-06"
    layout = arrange([matrix], "a")
    (box,) = layout.boxes
    rows, columns = matrix.cells.shape
    letter, line = 0.6 * box.font / 72, box.font / 72
    room = (box.width / columns, box.height / rows)
    across, along = reversed(room) if box.upright else room
    assert across >= 10 * letter
    assert along >= line
    assert layout.width <= 9.8


def test_many_matrices_go_on_further_lines_and_do_not_overlap():
    layout = arrange([read(f"matrix_{i}", torch.ones(3, 4)) for i in range(7)], "seven")
    assert layout.width <= 9.8
    boxes = [*layout.boxes, layout.bar]
    assert len({box.top for box in layout.boxes}) > 1
    for i, one in enumerate(boxes):
        assert one.left + one.width <= layout.width
        assert one.top + one.height <= layout.height
        for other in boxes[:i]:
            beside = one.left >= other.left + other.width or other.left >= one.left + one.width
            assert beside or one.top >= other.top + other.height


def test_the_same_value_has_the_same_colour_in_every_matrix():
    svg = plots.heatmaps(a=[[2.0]], b=[[2.0, -4.0, 0.0]]).svg
    fills = re.findall(r'style="fill: (#\w+); stroke: #ffffff', svg)
    assert len(fills) == 4
    assert fills[0] == fills[1]
    assert len(set(fills)) == 3
    grey = re.findall("..", fills[3][1:])
    assert (
        max(int(part, 16) for part in grey) - min(int(part, 16) for part in grey) <= 2
    )  # 0: white


def test_text_is_readable_on_every_colour_of_the_scale():
    import matplotlib

    for colour in matplotlib.colormaps[PLOT["colours"]](np.linspace(0, 1, 101))[:, :3]:
        linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
        luminance = linear @ [0.2126, 0.7152, 0.0722]
        ink = 1.0 if readable_on(tuple(colour)) == PICTURE["light_ink"] else 0.0
        light, dark = max(luminance, ink), min(luminance, ink)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_more_than_2000_cells_are_a_png_and_fewer_an_svg():
    small, large = plots.heatmaps(a=torch.ones(40, 50)), plots.heatmaps(a=torch.ones(40, 51))
    assert small.png is None
    assert small.svg.startswith("<svg")
    assert large.svg is None
    assert large.png.startswith(b"\x89PNG")
    assert large.text == "Heat map of a\na: shape (40, 51), every number 1"


def test_rounding_errors_are_written_as_zero():
    assert "  1  0" in plots.heatmaps(a=torch.tensor([1.0, 3e-8])).text
    assert "  1  0" in plots.heatmaps(a=[1.0, 1e-17]).text
    assert "1  1e-07" in plots.heatmaps(a=[1.0, 1e-7]).text.replace("      ", "")


def test_cells_that_are_not_finite_are_named():
    figure = plots.heatmaps(a=torch.tensor([[1.0, torch.nan], [torch.inf, -2.0]]))
    assert "from -2 to 1, 2 not finite" in figure.text
    assert {"nan", "inf", "1", f"{MINUS}2"} <= set(words(figure.svg))
    assert "no finite number" in plots.heatmaps(a=[torch.nan]).text


@pytest.mark.parametrize(
    "values",
    [
        torch.tensor([0, 1]),
        torch.tensor([False, True]),
        torch.tensor([0.0, 1.0], dtype=torch.bfloat16),
        torch.tensor([0.0, 1.0], requires_grad=True),
        np.array([0, 1], dtype=np.int8),
        [0, 1],
    ],
)
def test_any_kind_of_real_numbers_is_accepted(values):
    assert plots.heatmaps(a=values).text == "Heat map of a\na: shape (2,), from 0 to 1\n  0  1"


@pytest.mark.parametrize(
    ("matrices", "kind", "message"),
    [
        ({}, TypeError, "pass at least one matrix by name"),
        ({"g": None}, TypeError, "g is None: if it is a gradient, run backward first"),
        ({"g": "no"}, TypeError, "g holds <U2 values: pass numbers"),
        ({"g": torch.ones(())}, ValueError, r"g has shape \(\): pass one or two dimensions"),
        ({"g": torch.ones(2, 2, 2)}, ValueError, r"g has shape \(2, 2, 2\): pass one or two"),
        ({"g": torch.ones(0, 3)}, ValueError, r"g is empty \(shape \(0, 3\)\)"),
        ({"g": torch.ones(2) * 1j}, ValueError, r"g is complex: pass its \.real"),
        ({"g": [[1.0], [1.0, 2.0]]}, ValueError, "g has rows of different lengths"),
    ],
)
def test_wrong_matrices_get_one_clear_sentence(matrices, kind, message):
    with pytest.raises(kind, match=message):
        plots.heatmaps(**matrices)


def test_figures_are_not_gigantic():
    for figure in (
        plots.heatmaps(a=torch.ones(8, 8), b=torch.ones(8, 8)),
        plots.heatmaps(a=torch.ones(10, 150)),
        plots.losses(a=[1.0, 2.0]),
        plots.derivatives(torch.exp, order=2),
    ):
        width, height = size(figure.svg)
        assert width <= 9.8 * 72
        assert height <= 9 * 72
