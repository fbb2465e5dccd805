"""Plot what several runs gave at each step: their mean, and a band from lowest to highest."""

from collections.abc import Iterable, Sequence

import numpy as np
from torch import Tensor

from helpers.plots.canvas import canvas, to_svg
from whygrad.figure import Figure
from whygrad.look import CURVES, PICTURE


def bands(
    *, title: str, ylabel: str, decimals: int = 1, **curves: Sequence[Iterable[float]] | Tensor
) -> Figure:
    """Plot the mean of several runs at each step, in a band from the lowest to the highest.

    Args:
        title: the title above the plot.
        ylabel: what was measured, for the axis and the text.
        decimals: of the numbers in the text; few where the last digits differ between machines.
        curves: one to five by name, each of shape (runs, steps).

    Raises:
        TypeError: there is no curve, or more than five.
        ValueError: a curve is no table of finite numbers with a row for each run.

    >>> print(bands(title="Two ways", ylabel="accuracy", ours=[[0.5, 0.9], [0.5, 1.0]]).text)
    Two ways
    ours, accuracy of 2 runs: 0.5 at step 0, 0.9 to 1.0 at step 1.
    """
    if not 1 <= len(curves) <= len(CURVES):
        raise TypeError(
            "pass one to five curves by name, as in bands(ours=[[0.5, 0.9], [0.5, 1.0]]): "
            f"got {len(curves)}"
        )
    tables = {name: _table(name, curve) for name, curve in curves.items()}
    lines = [_describe(name, table, ylabel, decimals) for name, table in tables.items()]
    text = "\n".join([title, *lines])
    return Figure(text, _draw(title, ylabel, tables, text))


def _table(name: str, curve: Sequence[Iterable[float]] | Tensor) -> np.ndarray:
    try:
        table = np.array([[float(value) for value in run] for run in curve])
    except (TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{name} must have a row of numbers for each run: {error}") from error
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise ValueError(f"{name} must have runs of one length, of finite numbers")
    return table


def _describe(name: str, table: np.ndarray, ylabel: str, decimals: int) -> str:
    runs, steps = table.shape
    places = dict.fromkeys((0, steps - 1))
    seen = [f"{_span(table[:, step], decimals)} at step {step}" for step in places]
    return f"{name}, {ylabel} of {runs} run{'s' * (runs > 1)}: {', '.join(seen)}."


def _span(values: np.ndarray, decimals: int) -> str:
    ends = (f"{value + 0.0:.{decimals}f}" for value in (values.min(), values.max()))
    return " to ".join(dict.fromkeys(ends))


def _draw(title: str, ylabel: str, tables: dict[str, np.ndarray], text: str) -> str:
    with canvas(7.2, 3.5, layout="constrained") as figure:
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
        figure.suptitle(title)
        axis = figure.subplots()
        for (name, table), style in zip(tables.items(), CURVES, strict=False):
            steps = range(table.shape[1])
            sparse = max(1, len(steps) // 12)
            look = {"linewidth": 2.2, "markersize": 5.5, "markevery": sparse}
            colour = style["color"]
            axis.fill_between(
                steps, table.min(0), table.max(0), color=colour, alpha=0.2, linewidth=0
            )
            paper = PICTURE["paper"]
            axis.plot(steps, table.mean(0), label=name, markerfacecolor=paper, **style, **look)
        axis.set(xlabel="step", ylabel=ylabel)
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.grid(True)
        figure.legend(loc="outside lower center", ncols=len(tables))
        return to_svg(figure, title, text)
