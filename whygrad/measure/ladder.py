"""Finite differences with an estimate of their own error, by a ladder of steps.

Where forward rounds, a small step is lost in the rounding, and a large one in the curve of the
function. Slopes by many steps show both: where they agree, the step is right, and by how much they
differ is how far the slope may be off.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from whygrad.measure.finite_differences import Moving
from whygrad.sample import FLOAT64

_SAFETY = 3.0  # on the difference of neighbouring steps
_KINK = 1e-3  # a jump of the slope, beside its size, that does not shrink with the step


@dataclass(frozen=True)
class Rungs:
    """The steps of a ladder, and what can be expected of it.

    Attributes:
        first: the smallest step, for a number of size 1.
        ratio: between a step and the one before.
        count: of steps.
        rounding: of one number, beside its size.
        floor: how exact gradients in this precision are at best, beside the largest slope.
        most: an error, beside the largest slope, with which a slope says nothing.
    """

    first: float
    ratio: float
    count: int
    rounding: float
    floor: float
    most: float


# By the lowest precision that the numbers pass through.
RUNGS = {
    "float64": Rungs(1e-6, 4.0, 9, 2e-16, 0.0, 0.05),
    "float32": Rungs(1e-4, 3.0, 8, 6e-8, 2e-3, 0.05),
    "float16": Rungs(0.02, 2.0, 6, 5e-4, 2e-2, 0.3),
    "bfloat16": Rungs(0.03, 2.0, 6, 4e-3, 8e-2, 0.3),
}


def climb(
    moving: Moving, middle: torch.Tensor, columns: Sequence[int], rungs: Rungs
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the slopes by some numbers of an input, and how far each may be off.

    Args:
        moving: the callable.
        middle: its outputs where nothing is moved.
        columns: places of the numbers to move, at least one.
        rungs: the steps to take.

    Returns:
        Two tensors of float64, (numbers of all outputs, columns). A slope is NaN where it cannot
        be told: at a kink, or between jumps that no step evens out.
    """
    values = moving.values
    tables = [_table(moving, middle, index, values[index], rungs) for index in columns]
    steps, slopes, jumps = (torch.stack(part) for part in zip(*tables, strict=True))
    square, ratio = rungs.ratio**2, rungs.ratio
    # Two steps together cancel what the curve of the function adds to each.
    better = (square * slopes[:, :-1] - slopes[:, 1:]) / (square - 1)
    jump = (ratio * jumps[:, :-1] - jumps[:, 1:]) / (ratio - 1)
    apart = (better[:, 1:] - better[:, :-1]).abs()
    error = _SAFETY * torch.maximum(apart[:, 1:], apart[:, :-1])
    noise = torch.maximum(_noise(slopes, steps), rungs.rounding * middle.abs())
    error = error + 2 * noise / steps[:, 1:-2]
    error, best = error.nan_to_num(torch.inf, torch.inf).min(dim=1)
    slope, jump = (part[:, 1:-1].gather(1, best[:, None])[:, 0] for part in (better, jump))
    at_kink = jump.abs() > 10 * error + _KINK * slope.abs().clamp(min=1e-3)
    known = slope[~at_kink & slope.isfinite()].abs()
    limit = rungs.most * max(float(known.max()) if known.numel() else 0.0, 1e-3)
    unknown = at_kink | ~(error <= limit)
    slope = torch.where(slope.abs() <= error, 0.0, slope)
    slope, error = slope.masked_fill(unknown, torch.nan), error.masked_fill(unknown, torch.nan)
    return slope.T, error.T


def _noise(slopes: torch.Tensor, steps: torch.Tensor) -> torch.Tensor:
    """The size of the jumps of each output: at small steps nothing else tells slopes apart."""
    moved = ((slopes[:, 1:] - slopes[:, :-1]).abs() * steps[:, :-1])[:, :3]
    return moved.median(dim=1).values.nan_to_num(0.0, 0.0).amax(dim=0)[None, None]


def _table(
    moving: Moving, middle: torch.Tensor, index: int, value: float, rungs: Rungs
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """For each step: its size, the slopes of the outputs, and how the sides' slopes differ."""
    rows = []
    for rung in range(rungs.count):
        step = rungs.first * rungs.ratio**rung * max(abs(value), 1.0)
        rows.append(_row(moving, middle, index, step))
    steps, slopes, jumps = zip(*rows, strict=True)
    return torch.stack(steps)[:, None], torch.stack(slopes), torch.stack(jumps)


def _row(moving: Moving, middle: torch.Tensor, index: int, step: float) -> tuple:
    try:
        (above, up), (below, down) = moving.by(index, step), moving.by(index, -step)
        if above.shape != middle.shape or below.shape != middle.shape or not up > 0 > down:
            raise ValueError
    except Exception:  # outside of what the function is made for
        nothing = torch.full_like(middle, torch.nan)
        return torch.tensor(step, **FLOAT64), nothing, nothing
    slope, jump = (above - below) / (up - down), (above - middle) / up - (below - middle) / down
    return torch.tensor((up - down) / 2, **FLOAT64), slope, jump
