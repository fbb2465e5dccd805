"""Hold derivatives against finite differences along whole directions: a few calls for an input.

Element by element, finite differences cost a few calls for each number of an input. A direction
that moves all of its numbers at once shows already whether one of the derivatives is wrong.
Only then is it worth while to measure each.
"""

from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any

import torch

from whygrad.measure.finite_differences import detached, jacobians
from whygrad.measure.reals import reals, shape_of, shaped_like
from whygrad.measure.slopes import Slopes, slopes
from whygrad.sample import FLOAT64, Sample

_AGREE = 4e-6  # of the largest term of a slope: as exact as the judge asks of each term
_SEED = 4000  # other numbers than all inputs and incoming gradients


def slopes_beside(
    call: Callable,
    inputs: Sequence[Any],
    wanted: Sequence[int],
    claims: Sequence[torch.Tensor | None],
    weights: torch.Tensor | None = None,
    *,
    who: str = "forward",
) -> Slopes:
    """Return what `slopes` does, at the cost of a few calls for each input whose claim is right.

    Args:
        call, inputs, wanted, weights, who: as `slopes` takes them.
        claims: for each wanted input the matrix that may be right, or None for zeros; no claims
            where nothing may be.

    Returns:
        For each input finite differences by each element; None if its claim agrees with slopes
        along a direction.
    """
    right = agreeing(call, inputs, wanted, claims, weights) if claims else [False] * len(wanted)
    off = [not agrees for agrees in right]
    left = [[*compress(each, off)] for each in (wanted, claims)]
    found = slopes(call, inputs, *left, weights, who=who)
    if any(off) and not found.matrices:
        return found
    pairs = zip(found.matrices, found.noise, strict=True)
    each = [next(pairs) if one else (None, 0.0) for one in off]
    return Slopes([matrix for matrix, _ in each], [noise for _, noise in each], found.reason)


def agreeing(
    call: Callable,
    inputs: Sequence[Any],
    wanted: Sequence[int],
    claims: Sequence[torch.Tensor | None],
    weights: torch.Tensor | None = None,
) -> list[bool]:
    """Return, for each input, whether derivatives agree with the slopes along a direction of it.

    Args:
        call: the callable to differentiate.
        inputs: its arguments.
        wanted: the places of the inputs to differentiate by.
        claims: for each of them a matrix of the derivatives, a row for each number that comes
            back; None stands for one row of zeros.
        weights: a matrix that makes the numbers looked at of those that come back; by default
            these are the same.
    """
    steps, slopes = _slopes(call, inputs, wanted)
    if slopes is not None and weights is not None:
        slopes = weights @ slopes if weights.shape[1] == len(slopes) else None
    if slopes is None:
        return [False] * len(wanted)
    return [*map(_close, slopes.unbind(1), claims, steps)]


def direction(value: torch.Tensor, seed: int = 0) -> torch.Tensor:
    """Return a step for every number of a tensor: of either sign, and none near zero."""
    sample = Sample(_SEED + seed)
    shape = shape_of(value)
    step = sample.uniform(*shape, low=0.5) * sample.normal(*shape).sign()
    return shaped_like(step, value).to(value.device, value.dtype)


def _slopes(
    call: Callable, inputs: Sequence[Any], wanted: Sequence[int]
) -> tuple[list[torch.Tensor], torch.Tensor | None]:
    """The slopes of all that comes back, a column for the direction of each wanted input."""
    steps = [direction(inputs[place], place) for place in wanted]

    def moved(way: torch.Tensor) -> Any:
        values = detached(inputs)
        for place, step, far in zip(wanted, steps, way, strict=True):
            values[place] += far * step
        return call(*values)

    found = jacobians(moved, [torch.zeros(len(steps), **FLOAT64)], [0])
    return steps, found[0] if found else None


def _close(slopes: torch.Tensor, claim: torch.Tensor | None, step: torch.Tensor) -> bool:
    terms = reals(step).cpu() * (torch.zeros(1, 1) if claim is None else claim.cpu())
    if len(slopes) != len(terms):
        return False
    if not terms.numel():
        return not slopes.any()
    sizes = terms.abs().amax(1)
    limit = _AGREE * (sizes + 1e-3 * sizes.max())
    return bool(((slopes - terms.sum(1)).abs() <= limit).all())  # no slope, no agreement
