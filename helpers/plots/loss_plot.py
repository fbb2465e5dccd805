"""Plot loss curves over the steps of training."""

import math
from collections.abc import Iterable

from torch import Tensor

from helpers.plots.canvas import canvas, to_svg
from whygrad.figure import Figure
from whygrad.look import CURVES, PICTURE
from whygrad.rounding import difference, short, threshold

# The first is wide and lies below; the others leave gaps, so that equal curves all show.
_BLUE, _VERMILION, _INK, _GREEN, _PURPLE = (curve["color"] for curve in CURVES)
_STYLES = (
    {"color": _BLUE, "linewidth": 4.5, "alpha": 0.75, "solid_capstyle": "butt"},
    {"color": _INK, "linewidth": 1.6, "dashes": (4, 3), "marker": "o"},
    {"color": _VERMILION, "linewidth": 1.6, "dashes": (1, 2), "marker": "s"},
    {"color": _GREEN, "linewidth": 1.6, "dashes": (6, 2, 1, 2), "marker": "^"},
    {"color": _PURPLE, "linewidth": 1.6, "dashes": (8, 3), "marker": "D"},
)
_SAME = 1e-6


def losses(*, title: str | None = None, **curves: Iterable[float] | Tensor) -> Figure:
    """Plot loss curves over the steps of training.

    The scale is logarithmic where all losses are positive and span more than two decades.

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
    if not 1 <= len(curves) <= len(_STYLES):
        raise TypeError(
            "pass one to five curves by name, as in losses(custom=[...], torch=[...]): "
            f"got {len(curves)}"
        )
    values = {name: _values(name, curve) for name, curve in curves.items()}
    title = title or "Loss at each step"
    logarithmic = _spans_decades(values)
    text = "\n".join([title, *_describe(values, logarithmic)])
    return Figure(text, _draw(title, values, logarithmic, text))


def _values(name: str, curve: Iterable[float] | Tensor) -> list[float]:
    try:
        values = [float(v.detach() if isinstance(v, Tensor) else v) for v in curve]
    except (TypeError, ValueError, RuntimeError) as error:
        message = f"{name} must be a sequence of numbers, one loss per step: {error}"
        raise ValueError(message) from error
    if not values:
        raise ValueError(f"{name} is empty: pass one loss per step")
    return values


def _spans_decades(curves: dict[str, list[float]]) -> bool:
    finite = [v for values in curves.values() for v in values if math.isfinite(v)]
    return bool(finite) and min(finite) > 0 and max(finite) / min(finite) > 100


def _describe(curves: dict[str, list[float]], logarithmic: bool) -> list[str]:
    lines = []
    for name, values in curves.items():
        last = len(values) - 1
        lines.append(
            f"{name}: {short(values[0], 3)} at step 0, {short(values[-1], 3)} at step {last}."
        )
        bad = [step for step, value in enumerate(values) if not math.isfinite(value)]
        if bad:
            lines.append(f"{name}: not finite at {len(bad)} steps, first at step {bad[0]}.")
    first, *others = curves
    lines += [_compare(first, other, curves, logarithmic) for other in others]
    return lines + ["The loss axis is logarithmic."] * logarithmic


def _compare(a: str, b: str, curves: dict[str, list[float]], logarithmic: bool) -> str:
    """Tell the largest difference: on a logarithmic axis it is the ratio that one sees."""
    pairs = [(u, v) for u, v in zip(curves[a], curves[b], strict=False) if math.isfinite(u - v)]
    between = f"difference between {a} and {b}"
    if len(curves[a]) != len(curves[b]):
        between += f" over the first {min(len(curves[a]), len(curves[b]))} steps"
    if not pairs:
        return f"No {between}: there is no step where both are finite."
    if logarithmic:
        gap = max(abs(u - v) / max(u, v) for u, v in pairs)
        return f"Largest relative {between}: {difference(gap, _SAME)}."
    scale = max(1.0, *(abs(v) for pair in pairs for v in pair))
    gap = max(abs(u - v) for u, v in pairs)
    return f"Largest {between}: {difference(gap, threshold(_SAME, scale))}."


def _draw(title: str, curves: dict[str, list[float]], logarithmic: bool, text: str) -> str:
    with canvas(7.2, 3.5, layout="constrained") as figure:
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
        figure.suptitle(title)
        axis = figure.subplots()
        for (name, values), style in zip(curves.items(), _STYLES, strict=False):
            if "marker" in style or len(values) == 1:
                sparse = max(1, len(values) // 12)
                look = {"markerfacecolor": PICTURE["paper"], "markersize": 5.5, "markevery": sparse}
                style = {"marker": "o"} | style | look
            axis.plot([v if math.isfinite(v) else math.nan for v in values], label=name, **style)
        axis.set(xlabel="step", ylabel="loss", yscale="log" if logarithmic else "linear")
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.grid(True)
        figure.legend(loc="outside lower center", ncols=len(curves))
        return to_svg(figure, title, text)
