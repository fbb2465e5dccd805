"""Show matrices as heat maps on one shared scale, side by side; sizes are in inches."""

from dataclasses import dataclass

import matplotlib
import numpy as np
import torch
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from torch import Tensor

from helpers.plots.canvas import paint
from whygrad.figure import Figure
from whygrad.look import PICTURE, PLOT
from whygrad.rounding import short

_MOST_WRITTEN = 64
_WIDEST = 8.0  # what heat maps may take of a line, so that the figure fits a notebook's column
_LEFT, _GAP, _RIGHT = 0.75, 0.7, 1.05
_TOP, _HEAD, _FOOT = 0.9, 0.5, 0.55
_LETTER = 0.085  # the width of a letter of a name


@dataclass(frozen=True)
class Matrix:
    """A matrix as float64, of one or two dimensions; numbers that are not finite are masked.

    `numbers` is how they are written, of shape (rows, columns); empty if they are more than 64.
    """

    name: str
    values: np.ma.MaskedArray
    numbers: np.ndarray

    @property
    def longest(self) -> int:
        """The length of its longest number, 0 if none is written."""
        return max(map(len, self.numbers.flat), default=0)

    @property
    def cell_width(self) -> float:
        """What its longest number needs, 0.0 if the cells have no room for their numbers."""
        width = max(0.09 * self.longest + 0.1, 0.5)
        return width if self.longest and width * self.values.shape[-1] <= _WIDEST else 0.0


def heatmaps(*, title: str | None = None, **matrices: Tensor | np.ndarray | list) -> Figure:
    """Show matrices as heat maps side by side, on one scale with 0 in its middle.

    Matrices of at most 64 cells have their numbers written into the cells, if there is room.

    Args:
        title: the title above the heat maps; by default the names of the matrices.
        matrices: one- or two-dimensional tensors, arrays or nested lists, by name.

    Raises:
        TypeError: there is no matrix, or one is None or does not hold numbers.
        ValueError: one is complex or ragged, has no finite number, or has more than two
            dimensions.

    >>> print(heatmaps(grad_W=[[1.0, -2.0], [0.0, 0.5]]).text)
    Heat map of grad_W
    grad_W: shape (2, 2), from -2 to 1
        1   -2
        0  0.5
    """
    if not matrices:
        raise TypeError("pass at least one matrix by name, as in heatmaps(grad_W=W.grad)")
    shown = [read(name, values) for name, values in matrices.items()]
    title = title or f"Heat map{'s' * (len(shown) > 1)} of {', '.join(matrices)}"
    text = "\n".join([title, *(line for matrix in shown for line in _describe(matrix))])
    boxes = arrange(shown)
    right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    bar = right + 0.25, _TOP, 0.16, max(bottom - _TOP, 0.9)
    width = max(right + _RIGHT, 0.1 * len(title) + 0.4)
    height = _TOP + bar[3] + _FOOT
    largest = max(np.abs(matrix.values).max() for matrix in shown) or 1.0
    colours = matplotlib.colormaps[PLOT["colours"]].with_extremes(bad=PICTURE["missing"])
    scale = ScalarMappable(Normalize(-largest, largest), colours)

    def draw(figure) -> None:
        figure.set_layout_engine("none")
        figure.suptitle(title, y=1 - 0.22 / height, va="center")
        *axes, bar_axis = (
            figure.add_axes((left / width, 1 - (top + high) / height, wide / width, high / height))
            for left, top, wide, high in (*boxes, bar)
        )
        for axis, matrix in zip(axes, shown, strict=True):
            _draw_matrix(axis, matrix, scale)
        colour_bar = figure.colorbar(scale, cax=bar_axis, label="value")
        colour_bar.outline.set_linewidth(0.6)
        bar_axis.locator_params(nbins=5)
        colour_bar.formatter.set_powerlimits((-2, 3))  # short numbers fit beside the bar

    return paint(title, text, width, height, draw)


def arrange(matrices: list[Matrix]) -> np.ndarray:
    """Give a left, top, width and height to each matrix, from left to right, in lines."""
    boxes, left, top, bottom = [], _LEFT, _TOP, 0.0
    for matrix in matrices:
        width, height = _size(matrix, len(matrices))
        column = max(width, _LETTER * len(matrix.name))  # a name may be wider than its heat map
        if boxes and left + column > _LEFT + _WIDEST:
            left, top = _LEFT, bottom + _FOOT + _HEAD
        boxes.append((left + (column - width) / 2, top, width, height))
        bottom = max(bottom, top + height)
        left += column + _GAP
    return np.array(boxes)


def _size(matrix: Matrix, count: int) -> tuple[float, float]:
    """Give a width and height: room for its numbers, or square cells if that fits."""
    rows, columns = np.atleast_2d(matrix.values).shape
    if matrix.cell_width:
        return columns * matrix.cell_width, max(rows * 0.38, 0.5)
    side = min(_WIDEST / min(count, 3) / columns, 3.2 / rows, 0.3)
    return max(columns * side, 0.6), max(rows * side, 0.5)


def read(name: str, values: object) -> Matrix:
    """Read real numbers in one or two dimensions; rounding errors become 0.0.

    Raises:
        TypeError: it is None or does not hold numbers.
        ValueError: it is complex or ragged, has no finite number, or other dimensions.
    """
    if values is None:
        raise TypeError(f"{name} is None: if it is a gradient, run backward first")
    array = values if isinstance(values, Tensor) else np.asarray(values)
    tensor = torch.as_tensor(array).detach()
    if tensor.is_complex() or tensor.dim() not in (1, 2):
        raise ValueError(
            f"{name} is {tensor.dtype} of shape {tuple(tensor.shape)}: pass real numbers in one or "
            "two dimensions, for example with .abs() or .reshape(rows, -1)"
        )
    cells = np.ma.masked_invalid(tensor.double().cpu().numpy())
    if not cells.count():
        raise ValueError(f"{name} has no finite number: there is nothing to draw")
    noise, sizes = 1e-6 if tensor.dtype == torch.float32 else 1e-12, np.abs(cells)
    cells = np.ma.where(sizes <= noise * sizes.max(), 0.0, cells)
    written = np.atleast_2d(cells.data) if cells.size <= _MOST_WRITTEN else np.empty((0, 0))
    return Matrix(name, cells, np.vectorize(short, otypes=[str])(written))


def _describe(matrix: Matrix) -> list[str]:
    """Write the shape, the extremes and, of a small matrix, every number."""
    values = matrix.values
    low, high = short(values.min()), short(values.max())
    lines = [f"{matrix.name}: shape {values.shape}, from {low} to {high}"]
    if missing := values.size - values.count():
        lines[0] += f", {missing} not finite"
    for row in matrix.numbers:
        lines.append("  " + "  ".join(f"{number:>{matrix.longest}}" for number in row))
    return lines


def _draw_matrix(axis, matrix: Matrix, scale: ScalarMappable) -> None:
    cells = np.ma.atleast_2d(matrix.values)
    rows, columns = (np.arange(count + 1) - 0.5 for count in cells.shape)
    mesh = axis.pcolormesh(columns, rows, cells, cmap=scale.cmap, norm=scale.norm)
    axis.set(title=f"{matrix.name}\n{matrix.values.shape}", xlabel="column", ylabel="row")
    axis.locator_params(integer=True, min_n_ticks=1)
    if matrix.values.ndim == 1:
        axis.set(xlabel="index", ylabel="", yticks=[])
    axis.invert_yaxis()
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    if matrix.cell_width:
        mesh.set(edgecolor=PICTURE["paper"], linewidth=0.8)
        colours = scale.to_rgba(cells)
        for (row, column), number in np.ndenumerate(matrix.numbers):
            axis.text(
                column,
                row,
                number.replace("-", "\N{MINUS SIGN}"),
                ha="center",
                va="center",
                fontsize=9.0,
                color=readable_on(colours[row, column]),
            )
    else:  # an SVG of many cells would be large
        mesh.set_rasterized(True)
        axis.figure.set_dpi(192)


def readable_on(colour: np.ndarray) -> str:
    """Choose, for a colour of three or four parts, the ink of more contrast (WCAG's luminance)."""
    luminance = np.dot((0.2126, 0.7152, 0.0722), np.power(colour[:3], 2.2))
    return PICTURE["light_ink" if luminance < 0.179 else "dark_ink"]
