"""Plot curves by name: losses, several runs in bands, and what grows with size."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from torch import Tensor

from helpers.plots.canvas import ABOVE, BELOW, paint
from whygrad.figure import Figure
from whygrad.look import CURVES, PICTURE
from whygrad.rounding import difference, short, threshold

_LOSSES = [BELOW, ABOVE | {"marker": "o"}, *CURVES[3:], CURVES[1]]
_SAME = 1e-6
_HOLDS = {1: "one number for each step or size", 2: "a row of numbers for each run"}


def losses(*, title: str = "Loss at each step", **curves: Iterable[float] | Tensor) -> Figure:
    """Plot loss curves over the steps of training.

    The scale is logarithmic if all losses are positive and span more than two decades.

    Args:
        title: the title above the plot.
        curves: one to five curves by name, each a sequence or tensor of one loss per step.

    Raises:
        TypeError: there is no curve, or more than five.
        ValueError: a curve is empty, or is not a sequence of numbers.

    >>> print(losses(custom=[4.0, 1.0, 0.5], torch=[4.0, 1.0, 0.5]).text)
    Loss at each step
    custom: 4 at step 0, 0.5 at step 2.
    torch: 4 at step 0, 0.5 at step 2.
    Largest difference between custom and torch: below 1e-5.
    """
    values = _read(curves, dimensions=1)
    finite = np.ma.masked_invalid(np.concatenate(list(values.values())))
    logarithmic = bool(0 < 100 * finite.min() < finite.max())
    lines = [
        f"{name}: {short(row[0], 3)} at step 0, {short(row[-1], 3)} at step {len(row) - 1}."
        for name, row in values.items()
    ]
    lines += _differences(values, logarithmic)
    lines += ["The loss axis is logarithmic."] * logarithmic

    def draw(axis) -> None:
        for (name, row), style in zip(values.items(), _LOSSES, strict=False):
            axis.plot(row, label=name, **style, **_marks(row))
        axis.set(xlabel="step", ylabel="loss", yscale="log" if logarithmic else "linear")

    return _plot(title, [title, *lines], draw)


def bands(*, title: str, ylabel: str, **curves: Sequence[Iterable[float]] | Tensor) -> Figure:
    """Plot the mean of several runs at each step, in a band from the lowest to the highest.

    Args:
        title: the title above the plot.
        ylabel: what was measured, for the axis and the text.
        curves: one to five by name, each of shape (runs, steps).

    Raises:
        TypeError: there is no curve, or more than five.
        ValueError: a curve is not a table of numbers with a row for each run.

    >>> print(bands(title="Two ways", ylabel="accuracy", ours=[[0.5, 0.9], [0.5, 1.0]]).text)
    Two ways
    ours, accuracy of 2 runs: 0.5 at step 0, 0.9 to 1.0 at step 1.
    """
    tables = _read(curves, dimensions=2)
    lines = [title]
    for name, table in tables.items():
        runs, steps = table.shape
        first, last = _span(table[:, 0]), _span(table[:, -1])
        lines.append(
            f"{name}, {ylabel} of {runs} run{'s' * (runs > 1)}: "
            f"{first} at step 0, {last} at step {steps - 1}."
        )

    def draw(axis) -> None:
        for (name, table), style in zip(tables.items(), CURVES, strict=False):
            low, mean, high = table.min(axis=0), table.mean(axis=0), table.max(axis=0)
            colour = style["color"]
            axis.fill_between(range(len(mean)), low, high, color=colour, alpha=0.2, linewidth=0)
            axis.plot(mean, label=name, linewidth=2.2, **style, **_marks(mean))
        axis.set(xlabel="step", ylabel=ylabel)

    return _plot(title, lines, draw)


def growth(
    sizes: Sequence[float], *, title: str, size: str, value: str, **curves: Iterable[float]
) -> Figure:
    """Plot what grows with size, such as bytes or milliseconds, both axes logarithmic.

    Args:
        sizes: the numbers on the horizontal axis, each above 0.
        title: the title above the plot.
        size, value: what the axes show, with units.
        curves: one to five curves by name, each with one positive number per size.

    Raises:
        TypeError: there is no curve, or more than five.
        ValueError: a curve does not have one positive number for each size.

    >>> print(growth([10, 100], title="Held", size="n", value="bytes", plain=[40, 400]).text)
    Held: bytes, by n
    plain: 40 at 10, 400 at 100.
    Both axes are logarithmic.
    """
    values = _read(curves, dimensions=1)
    lines = [f"{title}: {value}, by {size}"]
    for name, row in values.items():
        if len(row) != len(sizes) or not (np.isfinite(row) & (row > 0)).all():
            raise ValueError(f"{name} must be {len(sizes)} positive numbers")
        seen = [f"{short(v, 3)} at {s:g}" for s, v in zip(sizes, row, strict=True)]
        lines.append(f"{name}: {', '.join(seen)}.")
    lines.append("Both axes are logarithmic.")

    def draw(axis) -> None:
        for (name, row), style in zip(values.items(), CURVES, strict=False):
            axis.plot(sizes, row, label=name, linewidth=1.8, **style)
        axis.set(xlabel=size, ylabel=value, xscale="log", yscale="log")
        axis.set_xticks(sizes, [f"{each:,}" for each in sizes])
        axis.set_xticks([], minor=True)
        axis.yaxis.set_major_formatter("{x:g}")

    return _plot(title, lines, draw)


def _read(curves: dict[str, Iterable], dimensions: int) -> dict[str, np.ndarray]:
    if not 1 <= len(curves) <= len(CURVES):
        raise TypeError(
            f"pass one to {len(CURVES)} curves by name, as in losses(custom=[...], torch=[...]): "
            f"got {len(curves)}"
        )
    return {name: _array(name, curve, dimensions) for name, curve in curves.items()}


def _array(name: str, curve: Iterable, dimensions: int) -> np.ndarray:
    try:
        rows = [part.tolist() if isinstance(part, Tensor) else part for part in curve]
        values = np.array(rows, dtype=np.float64)
        if values.ndim != dimensions or not values.size:
            raise ValueError(f"got shape {values.shape}")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must have {_HOLDS[dimensions]}: {error}") from error
    return values


def _differences(curves: dict[str, np.ndarray], logarithmic: bool) -> list[str]:
    """Write how far the others are from the first; on a logarithmic axis one sees the ratio."""
    (name, first), *others = curves.items()
    lines = []
    for other, values in others:
        if len(values) != len(first):
            continue
        pairs = np.stack([first, values])
        pairs = pairs[:, np.isfinite(pairs).all(axis=0)]
        gaps, sizes = np.abs(pairs[0] - pairs[1]), np.abs(pairs).max(axis=0)
        if logarithmic:
            kind, gaps, limit = "relative difference", gaps / sizes, _SAME
        else:
            kind, limit = "difference", threshold(_SAME, sizes.max(initial=0.0))
        if gaps.size:
            far = difference(gaps.max(), limit)
            lines.append(f"Largest {kind} between {name} and {other}: {far}.")
    return lines


def _span(values: np.ndarray) -> str:
    return " to ".join(dict.fromkeys(f"{end:.1f}" for end in (values.min(), values.max())))


def _marks(row: np.ndarray) -> dict:
    """Leave gaps between marks, and show the line through them."""
    return {"markevery": max(1, len(row) // 12), "markerfacecolor": PICTURE["paper"]}


def _plot(title: str, lines: list[str], draw: Callable) -> Figure:
    def draw_on_grid(figure) -> None:
        axis = figure.subplots()
        axis.grid(True)
        axis.locator_params("x", integer=True)
        draw(axis)

    return paint(title, "\n".join(lines), 7.2, 3.5, draw_on_grid)
