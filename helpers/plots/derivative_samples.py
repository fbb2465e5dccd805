"""Sample a function and its derivatives by autograd and finite differences; say what they are."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

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
