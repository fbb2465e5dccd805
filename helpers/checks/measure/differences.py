"""Finite differences of a callable: what its gradients have to agree with."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from helpers.checks.measure.quiet import quiet, reseed

_STEP = 1e-6
_KINK = 1e-3  # how far the slopes on both sides may be apart, beside the larger one or 1
_MOST = 512  # elements of all inputs together


def jacobians(call: Callable, inputs: Sequence, wanted: Sequence[int]) -> list[torch.Tensor]:
    """Return the Jacobian of all outputs for each wanted input, by central differences.

    Returns:
        For each wanted input a matrix (elements of all outputs, elements of the input), float64.
        Where the slopes on the two sides differ (a kink) it holds NaN. Empty if there are too
        many elements, or the callable raises.
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
    whole = inputs[place]
    columns = []
    for index in range(whole.numel()):
        ends = []
        for step in (-_STEP, _STEP):
            moved = whole.clone()
            moved.view(-1)[index] += step
            ends.append(_flat(call, [*inputs[:place], moved, *inputs[place + 1 :]]))
        columns.append(_slope(ends[0], middle, ends[1]))
    if not columns:
        return torch.zeros(len(middle), 0, dtype=torch.float64)
    return torch.stack(columns, dim=1)


def _slope(below: torch.Tensor, middle: torch.Tensor, above: torch.Tensor) -> torch.Tensor:
    left, right = (middle - below) / _STEP, (above - middle) / _STEP
    size = torch.maximum(left.abs(), right.abs()).clamp(min=1)
    slope = (above - below) / (2 * _STEP)
    return torch.where((left - right).abs() > _KINK * size, torch.nan, slope)


def _flat(call: Callable, inputs: Sequence[Any]) -> torch.Tensor:
    reseed(0)
    copies = [v.clone() if isinstance(v, torch.Tensor) else v for v in inputs]
    result = call(*copies)
    outputs = result if isinstance(result, tuple | list) else (result,)
    return torch.cat(
        [out.detach().to(torch.float64).reshape(-1) for out in outputs if out.is_floating_point()]
    )
