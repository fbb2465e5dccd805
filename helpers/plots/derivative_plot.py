"""Plot f, f′ and f″ three ways: its own autograd, PyTorch's, and finite differences."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from helpers.plots.canvas import ABOVE, BELOW, paint, spaced
from whygrad.arguments import name_of
from whygrad.figure import Figure
from whygrad.look import CURVES, PICTURE
from whygrad.rounding import difference, short, threshold

POINTS = 201
_EVERY = 10  # finite differences are shown at each tenth point
# Powers of two, so that x ± step is exact; each near the best trade of truncation for rounding.
_STEPS = {1: 2.0**-17, 2: 2.0**-12}
OneVariable = Callable[[Tensor], Tensor]
OWN, PYTORCH, FINITE = "your autograd", "PyTorch", "finite differences"
MARKS = ("f", "f′", "f″")
_SHOWN = 50  # the table has each fiftieth point: five in all
# The relative size of rounding errors of f, f′ and f″.
_NOISE = {PYTORCH: (1e-9,) * 3, FINITE: (0.0, 1e-8, 1e-6)}
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


@dataclass(frozen=True)
class Curve:
    """Values at the sampled points, float64 of shape (201,); NaN where there are none."""

    values: Tensor
    reason: str = ""


Panel = dict[str, Curve]  # one derivative: its curves by name


@torch.enable_grad()
def sample(
    fn: OneVariable, reference: OneVariable | None, low: float, high: float, order: int
) -> tuple[Tensor, list[Panel]]:
    """Give the points x, float64 of shape (201,), and a panel for f and each derivative.

    Raises:
        ValueError: `fn` or `reference` does not return a tensor of the shape and dtype of x,
            or `order` is neither 1 nor 2.
    """
    if order not in (1, 2):
        raise ValueError(f"order must be 1 (f and f′) or 2 (f″ as well): got {order!r}")
    # In this form, the middle of a symmetric range is exactly 0.
    x = low + (high - low) * (torch.arange(POINTS, dtype=torch.float64) / (POINTS - 1))
    curves = {OWN: _by_autograd(fn, x, order)}
    if reference:
        curves[PYTORCH] = _by_autograd(reference, x, order)
    panels = [{name: curve[k] for name, curve in curves.items()} for k in range(order + 1)]
    for k in range(1, order + 1):
        values = torch.full_like(x, math.nan)
        values[::_EVERY] = _by_finite_differences(fn, x, k)[::_EVERY]
        panels[k][FINITE] = Curve(values)
    return x, panels


def _by_autograd(fn: OneVariable, x: Tensor, order: int) -> list[Curve]:
    x = x.clone().requires_grad_()
    values, reason = _values(fn, x), ""
    curves = [Curve(values.detach())]
    for what in ("f", "the gradient")[:order]:
        if values.requires_grad:
            # Real ones, not the expanded ones of .sum(): a backward may write into them.
            ones = torch.ones_like(values)
            (values,) = torch.autograd.grad(
                values, x, ones, create_graph=len(curves) < order, materialize_grads=True
            )
            curves.append(Curve(values.detach()))
        else:
            reason = reason or f"none: {what} has no history"
            curves.append(Curve(torch.full_like(x, math.nan), reason))
    return curves


def _by_finite_differences(fn: OneVariable, x: Tensor, order: int) -> Tensor:
    step = _STEPS[order]
    before, at, after = (_values(fn, x + shift).detach() for shift in (-step, 0, step))
    if order == 1:
        return (after - before) / (2 * step)
    return (after - 2 * at + before) / step**2


def _values(fn: OneVariable, x: Tensor) -> Tensor:
    values = fn(x)
    expected = (x.dtype, tuple(x.shape))
    got = (values.dtype, tuple(values.shape)) if isinstance(values, Tensor) else type(values)
    if got != expected:
        raise ValueError(
            f"the function returned {got} for {expected}: it must return one tensor, work element "
            "by element, and keep the dtype"
        )
    return values


def describe(title: str, x: Tensor, panels: list[Panel]) -> str:
    """Write a table of five points, then how far the curves are apart."""
    lines = [f"{title} at five of {POINTS} points", *_table(x, panels)]
    for name in (PYTORCH, FINITE):
        parts = [_apart(x, panels, k, name) for k, panel in enumerate(panels) if name in panel]
        if words := ", ".join(filter(None, parts)):
            lines.append(f"Largest difference from {name}: {words}.")
    return "\n".join(lines)


def _table(x: Tensor, panels: list[Panel]) -> list[str]:
    rows = [("", "x", [short(value, 3) for value in x[::_SHOWN].tolist()])]
    for order, panel in enumerate(panels):
        for name, curve in panel.items():
            mark = MARKS[order] if name == OWN else ""
            zero = _limit(panels, order, name) if name == FINITE else 1e-12 * _size(curve)
            cells = [short(value, zero=zero) for value in curve.values[::_SHOWN].tolist()]
            rows.append((mark, name, [curve.reason] if curve.reason else cells))
    width = max(len(cell) for _, _, cells in rows for cell in cells if len(cells) > 1)
    return [
        f"{mark:<3} {name:<18}  {'  '.join(f'{cell:>{width}}' for cell in cells)}"
        for mark, name, cells in rows
    ]


def _apart(x: Tensor, panels: list[Panel], order: int, name: str) -> str:
    gaps = (panels[order][OWN].values - panels[order][name].values).abs()
    compared = gaps.isfinite()
    if not compared.any():
        return ""
    gaps, x = gaps[compared], x[compared]
    worst, limit = gaps.max().item(), _limit(panels, order, name)
    words = f"{MARKS[order]} {difference(worst, limit)}"
    # The place is told only where it stands out: among near-equal ones chance would decide.
    if worst >= limit and (gaps > 0.9 * worst).sum() == 1:
        words += f" at x = {short(x[gaps.argmax()].item())}"
    expected = compared[:: _EVERY if name == FINITE else 1]
    return words if expected.all() else f"{words} where both are finite"


def _limit(panels: list[Panel], order: int, name: str) -> float:
    scale = max(_size(panels[0][OWN]), _size(panels[order][OWN]))
    return threshold(_NOISE[name][order], scale)


def _size(curve: Curve) -> float:
    return curve.values.nan_to_num(0.0, 0.0, 0.0).abs().max().item()  # of its finite values


def derivatives(
    fn: OneVariable,
    reference: OneVariable | None = None,
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
