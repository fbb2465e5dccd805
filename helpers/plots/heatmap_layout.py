"""Place heat maps beside each other, and on further lines where one is full; sizes in inches."""

from dataclasses import dataclass

from helpers.plots.matrix import Matrix

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
