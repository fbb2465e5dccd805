"""Show matrices as heat maps on one shared scale."""

import matplotlib
import numpy as np
from matplotlib.colors import Normalize, to_rgb
from torch import Tensor

from helpers.plots.canvas import canvas, readable_on, to_png, to_svg
from helpers.plots.heatmap_layout import Box, Layout, arrange
from helpers.plots.matrix import read
from whygrad.figure import Figure

_MOST_VECTOR_CELLS = 2_000
_NO_NUMBER = "#b0b0b0"
_COLOURS = "RdBu_r"  # blue, white, red: told apart with any kind of colour vision


def heatmaps(*, title: str | None = None, **matrices: Tensor | np.ndarray | list) -> Figure:
    """Show matrices as heat maps side by side, on one scale with 0 in its middle.

    Matrices of at most 64 cells have their numbers written into the cells.

    Args:
        title: the title above the heat maps.
        matrices: one- or two-dimensional tensors, arrays or nested lists, by name.

    Returns:
        A figure with an SVG; with a PNG above 2,000 cells in all.

    Raises:
        TypeError: there is no matrix, or one is None.
        ValueError: one is empty, complex, ragged, or has more than two dimensions.

    >>> print(heatmaps(grad_W=[[1.0, -2.0], [0.0, 0.5]]).text)
    Heat map of grad_W
    grad_W: shape (2, 2), from -2 to 1
        1   -2
        0  0.5
    """
    if not matrices:
        raise TypeError("pass at least one matrix by name, as in heatmaps(grad_W=W.grad)")
    read_matrices = [read(name, values) for name, values in matrices.items()]
    title = title or f"Heat map{'s' * (len(matrices) > 1)} of {', '.join(matrices)}"
    text = "\n".join([title, *(line for matrix in read_matrices for line in matrix.describe())])
    vector = sum(matrix.cells.size for matrix in read_matrices) <= _MOST_VECTOR_CELLS
    layout = arrange(read_matrices, title)
    with canvas(layout.width, layout.height) as figure:
        _draw(figure, layout, title, vector)
        if vector:
            return Figure(text, svg=to_svg(figure, title, text))
        return Figure(text, png=to_png(figure))


def _draw(figure, layout: Layout, title: str, vector: bool) -> None:
    figure.text(0.5, 1 - 0.22 / layout.height, title, ha="center", va="center", fontsize=12)
    largest = max(box.matrix.largest for box in layout.boxes) or 1.0
    scale = matplotlib.cm.ScalarMappable(Normalize(-largest, largest), _COLOURS)
    for box in layout.boxes:
        _draw_matrix(figure.add_axes(layout.fractions(box)), box, scale, vector)
    bar = figure.colorbar(scale, cax=figure.add_axes(layout.fractions(layout.bar)))
    bar.set_label("value")
    bar.outline.set_linewidth(0.6)
    bar.ax.locator_params(nbins=5)
    bar.formatter.set_powerlimits((-2, 3))  # short numbers fit beside the bar


def _draw_matrix(axis, box: Box, scale, vector: bool) -> None:
    matrix = box.matrix
    rows, columns = matrix.cells.shape
    shown = np.ma.masked_invalid(matrix.cells)
    colours = matplotlib.colormaps[_COLOURS].with_extremes(bad=_NO_NUMBER)
    edges = {"edgecolors": "white", "linewidth": 0.8} if matrix.small else {"linewidth": 0}
    axis.pcolormesh(shown, cmap=colours, norm=scale.norm, rasterized=not vector, **edges)
    axis.set(xlim=(0, columns), ylim=(rows, 0), title=f"{matrix.name}\n{matrix.shape}")
    axis.set(xlabel="column" if matrix.two_dimensional else "index")
    axis.set_xticks(*_ticks(columns, box.width / 0.3))
    axis.set_yticks(*_ticks(rows, box.height / 0.2))
    if matrix.two_dimensional:
        axis.set_ylabel("row")
    else:
        axis.set_yticks([])
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    if matrix.small:
        _write_numbers(axis, box, scale)


def _ticks(count: int, most: float) -> tuple[list[float], list[str]]:
    steps = [k * 10**p for p in range(8) for k in (1, 2, 5)]
    step = next(s for s in steps if count / s <= max(most, 1))
    places = range(0, count, step)
    return [place + 0.5 for place in places], [str(place) for place in places]


def _write_numbers(axis, box: Box, scale) -> None:
    written = box.matrix.written()
    for (row, column), number in np.ndenumerate(box.matrix.cells):
        background = scale.to_rgba(number)[:3] if np.isfinite(number) else to_rgb(_NO_NUMBER)
        axis.text(
            column + 0.5,
            row + 0.5,
            written[row][column].replace("-", "\N{MINUS SIGN}"),
            ha="center",
            va="center",
            fontsize=box.font,
            rotation=90 if box.upright else 0,
            color=readable_on(background),
        )
