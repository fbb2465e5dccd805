"""Finite differences of a callable: what its gradients have to agree with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from whygrad.measure.applied import floats_of
from whygrad.measure.quiet import quiet, reseed
from whygrad.measure.reals import count, reals, row_of
from whygrad.sample import FLOAT64

_STEP = 1e-6
_AGREE = 1e-5  # how far slopes from two steps may be apart, beside the larger one or 1e-3
_KINK = 1e-3  # the same for the slopes on both sides
_MOST = 512  # numbers of all inputs together


@dataclass(frozen=True)
class Look:
    """The Jacobian of all outputs for one input, as a first look gives it.

    Attributes:
        matrix: (numbers of all outputs, numbers of the input), float64; NaN where no slope can be
            had: at a kink, or where two steps disagree.
        kinks: of the same shape, where both sides have plain slopes, and not the same, or where
            the function jumps.
    """

    matrix: torch.Tensor
    kinks: torch.Tensor

    @property
    def unknown(self) -> torch.Tensor:
        """Mark where no slope can be had, and not because of a kink."""
        return self.matrix.isnan() & ~self.kinks


@dataclass(frozen=True)
class Moving:
    """A callable of which one number among its inputs is moved a little."""

    call: Callable
    inputs: list
    place: int

    @property
    def values(self) -> list[float]:
        """The numbers that can be moved, those of a complex input as pairs."""
        return reals(self.inputs[self.place]).tolist()

    def by(self, index: int, step: float) -> tuple[torch.Tensor, float]:
        """Return the numbers of the outputs, and by how much the number really moved."""
        copies, place = detached(self.inputs), self.place
        copies[place] = copies[place].contiguous()
        number = row_of(copies[place])[index]
        before = number.item()
        number += step
        moved = number.item() - before
        return _numbers(self.call, copies), moved


def jacobians(call: Callable, inputs: Sequence, wanted: Sequence[int]) -> list[torch.Tensor]:
    """Return the Jacobian of all outputs for each wanted input, by central differences.

    Complex numbers count as pairs of real ones, in inputs and outputs.

    Returns:
        For each wanted input a matrix (numbers of all outputs, numbers of the input), float64. It
        holds NaN where no slope can be had: at a kink, or where two steps disagree. Empty if there
        are too many numbers, or the callable raises.
    """
    return [look.matrix for look in first_look(call, inputs, wanted)]


def first_look(call: Callable, inputs: Sequence, wanted: Sequence[int]) -> list[Look]:
    """Return the same with the kinks: four calls for each number, and eight for a tiny one."""
    plain = detached(inputs)
    if sum(count(plain[place]) for place in wanted) > _MOST:
        return []
    with torch.no_grad(), quiet():
        try:
            middle = flat(call, plain)
            return [_look(Moving(call, plain, place), middle) for place in wanted]
        except Exception:
            return []


def detached(inputs: Sequence) -> list:
    """Return the inputs with tensors as copies without a history."""
    return [v.detach().clone() if isinstance(v, torch.Tensor) else v for v in inputs]


def flat(call: Callable, inputs: Sequence[Any]) -> torch.Tensor:
    """Call once on copies, and return the numbers of all outputs as one row of float64."""
    return _numbers(call, [v.clone() if isinstance(v, torch.Tensor) else v for v in inputs])


def _numbers(call: Callable, inputs: Sequence[Any]) -> torch.Tensor:
    reseed(0)
    return torch.cat([reals(out).cpu() for out in floats_of(call(*inputs))])


def _look(moving: Moving, middle: torch.Tensor) -> Look:
    values = moving.values
    matrix = torch.full((len(middle), len(values)), torch.nan, **FLOAT64)
    kinks = torch.zeros_like(matrix, dtype=torch.bool)
    if moving.inputs[moving.place].dtype not in (torch.float64, torch.complex128):
        return Look(matrix, kinks)  # a step so small is lost among the roundings of such numbers
    for least in (1.0, 0.0):  # a step of usual size, then one that suits a tiny number
        steps = {index: _STEP * max(abs(value), least) for index, value in enumerate(values)}
        unknown = matrix.isnan().any(dim=0).tolist()
        columns = [index for index, step in steps.items() if step and unknown[index]]
        if columns:
            found, kinks[:, columns] = _slopes(moving, middle, {i: steps[i] for i in columns})
            known = matrix[:, columns]
            matrix[:, columns] = torch.where(known.isnan(), found, known)
    return Look(matrix, kinks & matrix.isnan())


def _slopes(
    moving: Moving, middle: torch.Tensor, steps: dict[int, float]
) -> tuple[torch.Tensor, torch.Tensor]:
    """The slopes by some of the numbers, and the kinks, a column for each."""
    ways = (-1, 1, -2, 2)
    moved = [moving.by(index, way * step)[0] for index, step in steps.items() for way in ways]
    below, above, far_below, far_above = torch.stack(moved, dim=1).unflatten(1, (-1, 4)).unbind(2)
    middle, step = middle[:, None], torch.tensor(list(steps.values()), **FLOAT64)
    slope = (above - below) / (2 * step)
    wide = (far_above - far_below) / (4 * step)
    left, right = (middle - below) / step, (above - middle) / step
    kink = _apart(left, right, _KINK)
    plain = ~_apart(left, (middle - far_below) / (2 * step), _KINK / 10)
    plain &= ~_apart(right, (far_above - middle) / (2 * step), _KINK / 10)
    plain |= _jumps(above - middle, far_above - middle) | _jumps(middle - below, middle - far_below)
    return torch.where(kink | _apart(slope, wide, _AGREE), torch.nan, slope), kink & plain


def _jumps(near: torch.Tensor, far: torch.Tensor) -> torch.Tensor:
    """Mark what changes at once, and no more with a larger step."""
    return (near != 0) & ((near - far).abs() <= _KINK * near.abs())


def _apart(one: torch.Tensor, other: torch.Tensor, relative: float) -> torch.Tensor:
    size = torch.maximum(one.abs(), other.abs())
    scale = torch.maximum(size, 1e-3 * size.amax(dim=0).nan_to_num())
    near = (one - other).abs() <= relative * scale.clamp(min=1e-3)
    return ~(near & one.isfinite() & other.isfinite())
