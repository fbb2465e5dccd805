"""Plot what grows with size, such as bytes or milliseconds, both axes logarithmic."""

import math
from collections.abc import Iterable, Sequence

from helpers.plots.canvas import canvas, to_svg
from whygrad.figure import Figure
from whygrad.look import CURVES
from whygrad.rounding import short


def growth(
    sizes: Sequence[float],
    *,
    title: str,
    size: str = "size",
    value: str = "value",
    **curves: Iterable[float],
) -> Figure:
    """Plot one curve or several against size, both axes logarithmic.

    Args:
        sizes: what stands on the horizontal axis, each above 0.
        title: the title above the plot.
        size, value: what the axes show, with units.
        curves: one to five curves by name, each with one positive number per size.

    Raises:
        TypeError: there is no curve, or more than five.
        ValueError: a curve has not one positive number for each size.

    >>> print(growth([10, 100], title="Held", size="n", value="bytes", plain=[40, 400]).text)
    Held: bytes, by n
    plain: 40 at 10, 400 at 100.
    Both axes are logarithmic.
    """
    if not 1 <= len(curves) <= len(CURVES):
        raise TypeError(f"pass one to five curves by name, as in fused=[…]: got {len(curves)}")
    values = {name: [float(number) for number in curve] for name, curve in curves.items()}
    for name, numbers in (("sizes", sizes), *values.items()):
        positive = all(0 < number < math.inf for number in numbers)
        if not sizes or len(numbers) != len(sizes) or not positive:
            raise ValueError(f"{name} must be {len(sizes) or 'some'} positive numbers")
    lines = [f"{title}: {value}, by {size}", *_told(sizes, values), "Both axes are logarithmic."]
    text = "\n".join(lines)
    with canvas(7.2, 3.5, layout="constrained") as figure:
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
        figure.suptitle(title)
        axis = figure.subplots()
        for (name, numbers), look in zip(values.items(), CURVES, strict=False):
            axis.plot(sizes, numbers, label=name, markersize=5.5, linewidth=1.8, **look)
        axis.set(xlabel=size, ylabel=value, xscale="log", yscale="log")
        axis.set_xticks(sizes, [f"{each:,}" for each in sizes])
        axis.set_xticks([], minor=True)
        axis.yaxis.set_major_formatter(lambda number, _: f"{number:g}")
        axis.grid(True)
        figure.legend(loc="outside lower center", ncols=len(curves))
        return Figure(text, to_svg(figure, title, text))


def _told(sizes: Sequence[float], curves: dict[str, list[float]]) -> list[str]:
    return [
        f"{name}: {', '.join(f'{short(v, 3)} at {s:g}' for s, v in zip(sizes, row, strict=True))}."
        for name, row in curves.items()
    ]
