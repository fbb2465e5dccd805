"""Plot f, f′ and f″ three ways: its own autograd, PyTorch's, and finite differences."""

from collections.abc import Callable

import torch
from torch import Tensor

from helpers.plots.canvas import ABOVE, BELOW, paint, spaced
from helpers.plots.derivative_samples import (
    FINITE,
    MARKS,
    OWN,
    PYTORCH,
    Panel,
    describe,
    sample,
)
from whygrad.arguments import name_of
from whygrad.figure import Figure
from whygrad.look import CURVES, PICTURE
from whygrad.rounding import short

_STYLES = {
    OWN: BELOW,
    PYTORCH: ABOVE,
    FINITE: {
        "color": CURVES[1]["color"],
        "linestyle": "none",
        "marker": "o",
        "markerfacecolor": PICTURE["paper"],
        "markeredgewidth": 1.4,
    },
}
# Where only the values at a kink differ, the lines cannot show it.
_LONE = {
    OWN: {
        "marker": "D",
        "color": BELOW["color"],
        "markersize": 7,
        "markeredgecolor": ABOVE["color"],
    },
    PYTORCH: {
        "marker": "X",
        "color": ABOVE["color"],
        "markersize": 8,
        "markeredgecolor": PICTURE["paper"],
    },
}


def derivatives(
    fn: Callable[[Tensor], Tensor],
    reference: Callable[[Tensor], Tensor] | None = None,
    *,
    low: float = -3.0,
    high: float = 3.0,
    order: int = 1,
    title: str | None = None,
) -> Figure:
    """Plot a function of one variable and its derivatives, side by side.

    Args:
        fn: maps a float64 tensor of shape (201,) to one of the same shape, element by element;
            `Function.apply`, a Module and a lambda will do.
        reference: the same function made of PyTorch's own operations.
        low, high: the first and the last x.
        order: 1 for f and f′, 2 for f″ as well.
        title: the title above the panels; by default `fn`'s name.

    Raises:
        ValueError: `fn` or `reference` does not return a tensor of that shape and dtype, or
            `order` is neither 1 nor 2.

    >>> picture = derivatives(torch.square, reference=lambda x: x * x)
    >>> print(picture.text.splitlines()[-2])
    Largest difference from PyTorch: f below 1e-8, f′ below 1e-8.
    """
    x, panels = sample(fn, reference, low, high, order)
    shown = "f and f′" if order == 1 else "f, f′ and f″"
    title = title or ": ".join(filter(None, [name_of(fn), shown]))

    def draw(figure) -> None:
        figure.get_layout_engine().set(w_pad=0.12, wspace=0.03)
        axes = figure.subplots(1, len(panels), sharex=True)
        for axis, panel, mark in zip(axes, panels, MARKS, strict=False):
            axis.set(xlabel="x", ylabel=spaced(f"{mark}(x)"))
            _draw_panel(axis, x, panel)

    return paint(title, describe(title, x, panels), 3.0 * len(panels) + 0.6, 3.3, draw)


def _draw_panel(axis, x: Tensor, panel: Panel) -> None:
    for name, curve in panel.items():
        end = 0 if curve.reason else None  # its place in the legend stays
        axis.plot(x[:end], curve.values[:end], label=name, **_STYLES[name])
    bottom, top = axis.set_ylim(_limits(panel))
    axis.set_xmargin(0.03)
    axis.grid(True)
    notes = [f"{name}:\n{curve.reason}" for name, curve in panel.items() if curve.reason]
    if FINITE in panel:
        values = panel[FINITE].values
        if outside := int(((values < bottom) | (values > top)).sum()):
            notes.append(f"{FINITE}: {outside} outside the picture")
    if PYTORCH in panel:
        notes += _mark_lone_differences(axis, x, panel)
    axis.set_title("\n".join(notes), fontsize=9)


def _limits(panel: Panel) -> tuple[float, float]:
    """Give the range of the values to show, and some room; for a constant, its own size."""
    numbers = []
    for name, curve in panel.items():
        finite = sorted(curve.values[curve.values.isfinite()].tolist())
        # Next to a kink a finite difference can be huge, and would squash the curves.
        numbers += finite[1:-1] if name == FINITE else finite
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    size = max(abs(low), abs(high)) or 1.0
    room = 0.07 * (high - low) if high - low > 1e-4 * size else 1.14 * size
    return low - room, high + room


def _mark_lone_differences(axis, x: Tensor, panel: Panel) -> list[str]:
    """Mark a point or two where only the values at a kink differ: the lines cannot show it."""
    own, reference = panel[OWN].values, panel[PYTORCH].values
    apart = (own - reference).abs() > 1e-3 * own.abs().clamp(min=1.0)
    if not 1 <= apart.sum() <= 2:
        return []
    for name, style in _LONE.items():
        axis.plot(x[apart], panel[name].values[apart], linestyle="none", **style)
    return [
        f"x = {short(at, 3)}: \u25c6 yours {short(ours, 3)}, \u2715 PyTorch {short(theirs, 3)}"
        for at, ours, theirs in torch.stack([x, own, reference], dim=1)[apart].tolist()
    ]
