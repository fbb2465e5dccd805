"""Show matrices as heat maps on one shared scale, side by side; sizes are in inches."""

from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.colors import Normalize, to_rgb
from torch import Tensor

from helpers.plots.canvas import canvas, readable_on, to_png, to_svg
from helpers.plots.matrix import Matrix, read
from whygrad.figure import Figure
from whygrad.look import PICTURE, PLOT

_MOST_VECTOR_CELLS = 2_000
_WIDEST = 8.0  # what heat maps may take of a line, so that the figure fits a notebook's column
_LEFT, _GAP, _RIGHT = 0.75, 0.7, 1.05
_TITLE, _HEAD, _FOOT = 0.4, 0.5, 0.55
_LETTER = 0.085  # the width of a letter of a title


@dataclass(frozen=True)
class Box:
    """Where something is drawn; for a matrix also how its numbers are written."""

    left: float
    top: float
    width: float
    height: float
    matrix: Matrix | None = None
    font: float = 9.0
    upright: bool = False


@dataclass(frozen=True)
class Layout:
    """The size of a figure and its boxes."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    bar: Box

    def fractions(self, box: Box) -> tuple[float, float, float, float]:
        """Give a box as Matplotlib wants it: left, bottom, width, height as parts of the figure."""
        return (
            box.left / self.width,
            1 - (box.top + box.height) / self.height,
            box.width / self.width,
            box.height / self.height,
        )


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


def arrange(matrices: list[Matrix], title: str) -> Layout:
    """Place matrices from left to right, and the colour bar at the right of them all."""
    boxes, left, top, tallest, right = [], _LEFT, _TITLE + _HEAD, 0.0, 0.0
    for matrix in matrices:
        cell_width, cell_height = _cell(matrix, len(matrices))
        rows, columns = matrix.cells.shape
        width, height = columns * cell_width, max(rows * cell_height, 0.5)
        # A title may be wider than its heat map.
        column = max(width, _LETTER * max(len(matrix.name), len(str(matrix.shape))))
        if boxes and left + column > _LEFT + _WIDEST:
            left, top, tallest = _LEFT, top + tallest + _FOOT + _HEAD, 0.0
        upright = matrix.small and cell_width < _needs(matrix)
        font = 7.5 if upright and cell_width < 0.16 else 9.0
        place = left + (column - width) / 2
        boxes.append(Box(place, top, width, height, matrix, font, upright))
        tallest = max(tallest, height)
        right = max(right, left + column)
        left += column + _GAP
    bottom = top + tallest
    wide = max(right + _RIGHT, 0.1 * len(title) + 0.4)
    first = boxes[0].top
    bar = Box(right + 0.25, first, 0.16, max(bottom - first, 0.9))
    return Layout(wide, max(bottom, first + bar.height) + _FOOT, tuple(boxes), bar)


def _cell(matrix: Matrix, count: int) -> tuple[float, float]:
    """Give a cell's width and height: room for its number, or square where that fits."""
    rows, columns = matrix.cells.shape
    if matrix.small:
        needs = _needs(matrix)
        return (needs, 0.38) if needs * columns <= _WIDEST else (_WIDEST / columns, needs)
    most_wide = max((_WIDEST - _GAP * (count - 1)) / min(count, 3), 2.0)
    side = min(most_wide / columns, 3.2 / rows, 0.3)
    return max(side, 0.6 / columns), max(side, 0.5 / rows)


def _needs(matrix: Matrix) -> float:
    longest = max(len(number) for row in matrix.written() for number in row)
    return max(0.09 * longest + 0.1, 0.5)


def _draw(figure, layout: Layout, title: str, vector: bool) -> None:
    figure.text(0.5, 1 - 0.22 / layout.height, title, ha="center", va="center", fontsize=12)
    largest = max(box.matrix.largest for box in layout.boxes) or 1.0
    scale = matplotlib.cm.ScalarMappable(Normalize(-largest, largest), PLOT["colours"])
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
    colours = matplotlib.colormaps[PLOT["colours"]].with_extremes(bad=PICTURE["missing"])
    edges = {"edgecolors": PICTURE["paper"], "linewidth": 0.8} if matrix.small else {"linewidth": 0}
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
        background = (
            scale.to_rgba(number)[:3] if np.isfinite(number) else to_rgb(PICTURE["missing"])
        )
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
