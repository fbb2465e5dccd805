"""Sample a function and its derivatives by autograd and finite differences; say what they are."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from whygrad.rounding import difference, short, threshold

POINTS = 201
EVERY = 10  # finite differences are shown at each tenth point
# Powers of two, so that x ± step is exact; each near the best trade of truncation for rounding.
_STEPS = {1: 2.0**-17, 2: 2.0**-12}

OneVariable = Callable[[Tensor], Tensor]
OWN, PYTORCH, FINITE = "your autograd", "PyTorch", "finite differences"
MARKS = ("f", "f′", "f″")
_SHOWN = 50  # the table has each fiftieth point: five in all
_NOISE = {(PYTORCH, 0): 1e-9, (PYTORCH, 1): 1e-9, (PYTORCH, 2): 1e-9} | {
    (FINITE, 1): 1e-8,
    (FINITE, 2): 1e-6,
}


@dataclass(frozen=True)
class Curve:
    """Values at the sampled points, float64 of shape (201,); or None and the reason."""

    values: Tensor | None
    reason: str = ""


@dataclass(frozen=True)
class Panel:
    """One derivative: its order, and its curves by name; finite differences at every tenth x."""

    order: int
    curves: dict[str, Curve]


def sample(
    fn: OneVariable, reference: OneVariable | None, low: float, high: float, order: int
) -> tuple[Tensor, list[Panel]]:
    """Give the points x, float64 of shape (201,), and a panel for f and each derivative.

    Raises:
        TypeError: `fn` or `reference` does not return a tensor.
        ValueError: it returns another shape or dtype, or `low` is not below `high`.
    """
    x = _grid(low, high)
    columns = {OWN: _by_autograd(fn, x, order, "fn")}
    if reference is not None:
        columns[PYTORCH] = _by_autograd(reference, x, order, "reference")
    panels = [
        Panel(k, {name: curves[k] for name, curves in columns.items()}) for k in range(order + 1)
    ]
    for panel in panels[1:]:
        panel.curves[FINITE] = Curve(_by_finite_differences(fn, x, panel.order)[::EVERY])
    return x, panels


def _grid(low: float, high: float) -> Tensor:
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(f"low must be below high, both finite: got low={low}, high={high}")
    x = torch.linspace(low, high, POINTS, dtype=torch.float64, device="cpu")
    x[x.abs() < 1e-9 * (high - low)] = 0.0
    return x


def _by_autograd(fn: OneVariable, x: Tensor, order: int, name: str) -> list[Curve]:
    x = x.clone().requires_grad_()
    values = _checked(fn(x), x, name)
    curves = [Curve(values.detach())]
    for what, create_graph in [("f", order == 2), ("the gradient", False)][:order]:
        if not values.requires_grad:
            return curves + [Curve(None, f"none: {what} has no history")] * (
                order + 1 - len(curves)
            )
        # Real ones, not the expanded ones of .sum(): a backward may write into them.
        ones = torch.ones_like(values)
        (values,) = torch.autograd.grad(
            values, x, ones, create_graph=create_graph, materialize_grads=True
        )
        curves.append(Curve(values.detach()))
    return curves


def _by_finite_differences(fn: OneVariable, x: Tensor, order: int) -> Tensor:
    step = _STEPS[order]
    after, before = _values(fn, x + step), _values(fn, x - step)
    if order == 1:
        return (after - before) / (2 * step)
    return (after - 2 * _values(fn, x) + before) / step**2


def _values(fn: OneVariable, x: Tensor) -> Tensor:
    return _checked(fn(x.clone()), x, "fn").detach()


def _checked(values: object, x: Tensor, name: str) -> Tensor:
    if not isinstance(values, Tensor):
        kind = type(values).__name__
        raise TypeError(f"{name} returned a {kind}: it must return one tensor")
    if values.shape != x.shape:
        raise ValueError(
            f"{name} returned shape {tuple(values.shape)} for an input of shape "
            f"{tuple(x.shape)}: pass a function that works element by element"
        )
    if values.dtype != x.dtype:
        kind = str(values.dtype).removeprefix("torch.")
        raise ValueError(f"{name} returned {kind} for a float64 input: keep the input's dtype")
    return values


def describe(title: str, x: Tensor, panels: list[Panel]) -> str:
    """Write a table of five points, then how far the curves are apart."""
    lines = [f"{title} at five of {POINTS} points", *_table(x, panels)]
    for name in (PYTORCH, FINITE):
        parts = [
            f"{MARKS[p.order]} {_apart(x, panels[0], p, name)}"
            for p in panels
            if name in p.curves and _both(p, name)
        ]
        if parts:
            lines.append(f"Largest difference from {name}: {', '.join(parts)}.")
    return "\n".join([*lines, *_not_finite(panels)])


def _both(panel: Panel, name: str) -> bool:
    return panel.curves[OWN].values is not None and panel.curves[name].values is not None


def _table(x: Tensor, panels: list[Panel]) -> list[str]:
    head = [short(v, 3) for v in x[::_SHOWN].tolist()]
    rows = []
    for panel in panels:
        for i, (name, curve) in enumerate(panel.curves.items()):
            mark = MARKS[panel.order] if i == 0 else ""
            rows.append((mark, name, _cells(panels[0], panel, name, curve)))
    width = max(
        len(cell) for cells in [head, *(r[2] for r in rows if len(r[2]) > 1)] for cell in cells
    )
    labels = [("", "x", head), *rows]
    return [
        f"{mark:<3} {name:<18}  "
        + (cells[0] if len(cells) == 1 else "  ".join(f"{c:>{width}}" for c in cells))
        for mark, name, cells in labels
    ]


def _cells(first: Panel, panel: Panel, name: str, curve: Curve) -> list[str]:
    if curve.values is None:
        return [curve.reason]
    zero = _limit(first, panel, name) if name == FINITE else 1e-12 * _size(curve.values)
    values = curve.values[:: _SHOWN // EVERY if name == FINITE else _SHOWN]
    return [short(v, zero=zero) for v in values.tolist()]


def _limit(first: Panel, panel: Panel, name: str) -> float:
    known = [p.curves[OWN].values for p in (first, panel)]
    scale = max(_size(values) for values in known if values is not None)
    return threshold(_NOISE[name, panel.order], scale)


def _size(values: Tensor) -> float:
    finite = values[values.isfinite()].abs()
    return finite.max().item() if len(finite) else 0.0


def _apart(x: Tensor, first: Panel, panel: Panel, name: str) -> str:
    every = EVERY if name == FINITE else 1
    gaps = (panel.curves[OWN].values[::every] - panel.curves[name].values).abs()
    gaps, at = gaps[gaps.isfinite()], x[::every][gaps.isfinite()]
    if not len(gaps):
        return "nowhere both finite"
    worst = gaps.max().item()
    limit = _limit(first, panel, name)
    words = difference(worst, limit)
    # The place is told only where it stands out: among near-equal ones chance would decide.
    if worst >= limit and (gaps > 0.9 * worst).sum() == 1:
        words += f" at x = {short(at[gaps.argmax()].item())}"
    return words


def _not_finite(panels: list[Panel]) -> list[str]:
    lines = []
    for panel in panels:
        for name, curve in panel.curves.items():
            if name == FINITE or curve.values is None:
                continue
            count = int((~curve.values.isfinite()).sum())
            if count:
                lines.append(
                    f"Not finite: {MARKS[panel.order]} by {name}, at {count} of {POINTS} points."
                )
    return lines
