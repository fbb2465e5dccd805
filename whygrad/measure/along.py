"""Hold derivatives against finite differences along whole directions: a few calls for an input.

Element by element, finite differences cost a few calls for each number of an input. A direction
that moves all of its numbers at once shows already whether one of the derivatives is wrong.
Only then is it worth while to measure each.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from whygrad.measure.finite_differences import jacobians
from whygrad.measure.reals import count, reals, shape_of
from whygrad.measure.slopes import Slopes, slopes
from whygrad.sample import FLOAT64, Sample

_AGREE = 4e-6  # of the largest term of a slope: as exact as the judge asks of each term
_SEED = 4000  # other numbers than all inputs and incoming gradients


def slopes_beside(
    call: Callable,
    inputs: Sequence[Any],
    wanted: Sequence[int],
    found: Sequence[torch.Tensor] | None,
) -> Slopes:
    """Return what `slopes` does, at the cost of a few calls where what was found is right.

    Args:
        call: the callable to differentiate.
        inputs: its arguments.
        wanted: the places of the inputs to differentiate by.
        found: for each of them the matrix that may be right, or None.

    Returns:
        The matrices found where they agree with slopes along directions; otherwise finite
        differences by each element.
    """
    if found is not None and agrees(call, inputs, wanted, [matrix.unbind(0) for matrix in found]):
        return Slopes(list(found), [0.0] * len(found))
    return slopes(call, inputs, wanted, found)


def agrees(
    call: Callable,
    inputs: Sequence[Any],
    wanted: Sequence[int],
    found: Sequence[Sequence[torch.Tensor | None]],
    weights: torch.Tensor | None = None,
) -> bool:
    """Tell whether derivatives agree with the slopes of a callable along a direction of each input.

    Args:
        call: the callable to differentiate.
        inputs: its arguments.
        wanted: the places of the inputs to differentiate by.
        found: for each of them the derivatives of each number that comes back, of the input's
            shape or flat; None stands for zeros.
        weights: a matrix that makes the numbers looked at of those that come back; by default
            these are the same.
    """
    steps, slopes = _slopes(call, inputs, wanted)
    if slopes is None:
        return False
    if weights is not None:
        if weights.shape[1] != len(slopes):
            return False
        slopes = weights @ slopes
    for number, (step, rows) in enumerate(zip(steps, found, strict=True)):
        terms = (
            torch.stack([_terms(row, step) for row in rows])
            if rows
            else torch.zeros(0, 1, **FLOAT64)
        )
        if not _close(slopes[:, number], terms):
            return False
    return True


def direction(value: torch.Tensor, seed: int = 0) -> torch.Tensor:
    """Return a step for every number of a tensor: of either sign, and none near zero."""
    sample = Sample(_SEED + seed)
    shape = shape_of(value)
    step = sample.uniform(*shape, low=0.5) * sample.normal(*shape).sign()
    if value.is_complex():
        step = torch.view_as_complex(step)
    return step.to(value.device, value.dtype)


def _slopes(
    call: Callable, inputs: Sequence[Any], wanted: Sequence[int]
) -> tuple[list[torch.Tensor], torch.Tensor | None]:
    """The slopes of all that comes back, a column for the direction of each wanted input."""
    steps = [direction(inputs[place], place) for place in wanted]

    def moved(way: torch.Tensor) -> Any:
        values = [v.detach().clone() if isinstance(v, torch.Tensor) else v for v in inputs]
        for place, step, far in zip(wanted, steps, way, strict=True):
            values[place] += far * step
        return call(*values)

    found = jacobians(moved, [torch.zeros(len(steps), **FLOAT64)], [0])
    return steps, found[0] if found else None


def _terms(row: torch.Tensor | None, step: torch.Tensor) -> torch.Tensor:
    if row is None:
        return torch.zeros(count(step), **FLOAT64)
    return reals(row).cpu() * reals(step).cpu()


def _close(slopes: torch.Tensor, terms: torch.Tensor) -> bool:
    if len(slopes) != len(terms):
        return False
    if not terms.numel():
        return not slopes.any()
    sizes = terms.abs().amax(1)
    limit = _AGREE * (sizes + 1e-3 * sizes.max())
    return bool(((slopes - terms.sum(1)).abs() <= limit).all())  # no slope, no agreement
