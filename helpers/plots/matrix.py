"""Read what a heat map shows: tensors, arrays or nested lists as plain numbers."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from whygrad.rounding import short

_MOST_WRITTEN = 64
_PER_LINE = 8


@dataclass(frozen=True)
class Matrix:
    """A matrix as float64 of shape (rows, columns), with the shape it was given in.

    `zero` is the size under which its numbers are rounding errors.
    """

    name: str
    cells: np.ndarray
    shape: tuple[int, ...]
    zero: float

    @property
    def small(self) -> bool:
        """Whether it has so few numbers that each is written."""
        return self.cells.size <= _MOST_WRITTEN

    @property
    def two_dimensional(self) -> bool:
        """Whether it was given with two dimensions, not with one."""
        return len(self.shape) == 2

    @property
    def largest(self) -> float:
        """The largest finite size of a number, 0.0 if none is finite."""
        return _largest(self.cells)

    def describe(self) -> list[str]:
        """Give the shape, the extremes and, if it is small, every number."""
        finite = self.cells[np.isfinite(self.cells)]
        if finite.size:
            low, high = (short(v, zero=self.zero) for v in (finite.min(), finite.max()))
            extremes = f"from {low} to {high}" if low != high else f"every number {low}"
        else:
            extremes = "no finite number"
        if missing := self.cells.size - finite.size:
            extremes += f", {missing} not finite"
        lines = [f"{self.name}: shape {self.shape}, {extremes}"]
        if self.small:
            rows = self.written()
            width = max(len(number) for row in rows for number in row)
            for row in rows:
                padded = [f"{number:>{width}}" for number in row]
                starts = range(0, len(padded), _PER_LINE)
                lines += ["  " + "  ".join(padded[i : i + _PER_LINE]) for i in starts]
        return lines

    def written(self) -> list[list[str]]:
        """Give every number as it is written in text and cells."""
        return [[short(v, zero=self.zero) for v in row] for row in self.cells.tolist()]


def read(name: str, values: object) -> Matrix:
    """Read a one- or two-dimensional tensor, array or nested list.

    Raises:
        TypeError: it is None or holds no numbers.
        ValueError: it is empty, complex, ragged, or has another number of dimensions.
    """
    if values is None:
        raise TypeError(f"{name} is None: if it is a gradient, run backward first")
    precise = not isinstance(values, Tensor) or values.dtype == torch.float64
    values = _array(name, values)
    if np.iscomplexobj(values):
        raise ValueError(f"{name} is complex: pass its .real, .imag or .abs()")
    if values.ndim not in (1, 2):
        raise ValueError(
            f"{name} has shape {values.shape}: pass one or two dimensions, "
            "for example with .reshape(rows, -1)"
        )
    if not values.size:
        raise ValueError(f"{name} is empty (shape {values.shape}): there is nothing to draw")
    cells = np.atleast_2d(values.astype(np.float64))
    noise = 1e-12 if precise else 1e-6
    return Matrix(name, cells, values.shape, noise * _largest(cells))


def _array(name: str, values: object) -> np.ndarray:
    if isinstance(values, Tensor):
        values = values.detach().cpu()
        return (values if values.is_complex() else values.to(torch.float64)).numpy()
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} has rows of different lengths: make them equal") from error
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{name} holds {array.dtype} values: pass numbers")
    return array


def _largest(cells: np.ndarray) -> float:
    return float(np.abs(cells[np.isfinite(cells)]).max(initial=0.0))
