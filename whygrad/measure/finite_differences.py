"""Finite differences of a callable: what its gradients have to agree with."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from whygrad.measure.quiet import quiet, reseed

_STEP = 1e-6
_AGREE = 1e-5  # how far slopes from two steps may be apart, beside the larger one or 1e-3
_KINK = 1e-3  # the same for the slopes on both sides
_MOST = 512  # elements of all inputs together


def jacobians(call: Callable, inputs: Sequence, wanted: Sequence[int]) -> list[torch.Tensor]:
    """Return the Jacobian of all outputs for each wanted input, by central differences.

    Returns:
        For each wanted input a matrix (elements of all outputs, elements of the input), float64.
        It holds NaN where no slope can be had: at a kink, or where two steps disagree. Empty if
        there are too many elements, or the callable raises.
    """
    plain = [v.detach().clone() if isinstance(v, torch.Tensor) else v for v in inputs]
    if sum(plain[place].numel() for place in wanted) > _MOST:
        return []
    with torch.no_grad(), quiet():
        try:
            middle = _flat(call, plain)
            return [_jacobian(call, plain, place, middle) for place in wanted]
        except Exception:
            return []


def _jacobian(call: Callable, inputs: list, place: int, middle: torch.Tensor) -> torch.Tensor:
    whole = inputs[place].contiguous()

    def moved(index: int, step: float) -> torch.Tensor:
        other = whole.clone()
        other.view(-1)[index] += step
        return _flat(call, [*inputs[:place], other, *inputs[place + 1 :]])

    values = whole.reshape(-1).tolist()
    columns = [_column(moved, index, value, middle) for index, value in enumerate(values)]
    if not columns:
        return torch.zeros(len(middle), 0, dtype=torch.float64)
    return torch.stack(columns, dim=1)


def _column(
    moved: Callable[[int, float], torch.Tensor], index: int, value: float, middle: torch.Tensor
) -> torch.Tensor:
    """The slopes by one element: by a step of usual size, or one that suits a tiny number."""
    column = torch.full_like(middle, torch.nan)
    for step in (_STEP * max(abs(value), 1.0), _STEP * abs(value)):
        if step and bool(column.isnan().any()):
            found = _slope(lambda h: moved(index, h), step, middle)
            column = torch.where(column.isnan(), found, column)
    return column


def _slope(at: Callable[[float], torch.Tensor], step: float, middle: torch.Tensor) -> torch.Tensor:
    below, above = at(-step), at(step)
    slope = (above - below) / (2 * step)
    wide = (at(2 * step) - at(-2 * step)) / (4 * step)
    left, right = (middle - below) / step, (above - middle) / step
    kink = _apart(left, right, _KINK)
    return torch.where(kink | _apart(slope, wide, _AGREE), torch.nan, slope)


def _apart(one: torch.Tensor, other: torch.Tensor, relative: float) -> torch.Tensor:
    size = torch.maximum(one.abs(), other.abs())
    scale = torch.maximum(size, 1e-3 * size.max().nan_to_num() if size.numel() else size)
    near = (one - other).abs() <= relative * scale.clamp(min=1e-3)
    return ~(near & one.isfinite() & other.isfinite())


def _flat(call: Callable, inputs: Sequence[Any]) -> torch.Tensor:
    reseed(0)
    copies = [v.clone() if isinstance(v, torch.Tensor) else v for v in inputs]
    result = call(*copies)
    outputs = result if isinstance(result, tuple | list) else (result,)
    return torch.cat(
        [out.detach().to(torch.float64).reshape(-1) for out in outputs if out.is_floating_point()]
    )
