"""Sample a function of one variable and its derivatives: by autograd, and by finite differences."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

POINTS = 201
EVERY = 10  # finite differences are shown at each tenth point
# Powers of two, so that x ± step is exact; each near the best trade of truncation for rounding.
_STEPS = {1: 2.0**-17, 2: 2.0**-12}

OneVariable = Callable[[Tensor], Tensor]
OWN, PYTORCH, FINITE = "your autograd", "PyTorch", "finite differences"
MARKS = ("f", "f′", "f″")


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
