"""Say over which dimensions a gradient is summed, and over which it should be."""

from collections.abc import Iterator

import numpy as np

from whygrad.judge.arrays import tolerance
from whygrad.judge.gradient_case import LOOKED_AT, GradientCase
from whygrad.verdict import Finding


def summed(case: GradientCase, axes: tuple[int, ...], mean: bool) -> str:
    """Say what is wrong with a sum.

    Args:
        case: the gradient.
        axes: over which the contributions were summed: those of the output, then of the input.
        mean: whether it is a mean.
    """
    if not case.is_summed:
        return ""  # said by the mistake itself
    outs, over = len(case.out_shape), set(axes)
    tied = _tied(case)
    for own, out in tied.items():
        if outs + own in over and out not in over:  # the same sum, seen from the other side
            over = over - {outs + own} | {out}
    lost = [axis - outs for axis in sorted(over) if axis >= outs and case.shape[axis - outs] > 1]
    sizes = enumerate(case.out_shape)
    spread = [axis for axis, size in sizes if size > 1 and axis not in over]
    spread = [axis for axis in spread if axis not in tied.values()]
    said = []
    beside = sorted(tied[own] for own in lost if tied.get(own) in over)
    shape = list(case.out_shape)
    if lost and len(beside) == len(lost):
        said.append(
            f"The sum runs over {_dimensions(beside)} of the output, {shape}. But {case.about} has "
            "a number of its own for each place there."
        )
    elif lost:
        said.append(
            f"The sum takes too much: {case.about} has one number for each place along its "
            f"{_dimensions(lost)}, and each of them has a gradient of its own."
        )
    if spread:
        said.append(f"The sum over {_dimensions(spread)} of the output, {shape}, is left out.")
    if mean and not said:
        said.append("A mean is taken over other dimensions than those that are to be summed.")
    return " ".join(said)


def summed_apart(case: GradientCase) -> Iterator[Finding]:
    """The sum of the derivatives times the sum of what comes in, not the sum of the products."""
    if not case.is_summed:
        return
    right = case.slopes.sum(axis=0)
    for used in (case.used, np.ones_like(case.slopes)):
        if all(case.fits(name, right * (case.incoming[name] @ used)) for name in LOOKED_AT):
            why = "It is a product of two sums: of the derivatives, and of what comes in."
            look = "Multiply element by element first, and sum the products."
            yield Finding("wrong-gradient", case.about, why=why, look=look)
            return


def left_out(case: GradientCase) -> Finding | None:
    """Find places of the output that do not contribute to a gradient, and should."""
    if case.rows is None or case.out_shape is None or not case.is_summed:
        return None
    right = case.slopes
    limit = tolerance(right, 1e-5)
    due = (np.abs(right) > limit).any(axis=1)
    there = (np.abs(case.rows - right) < limit).all(axis=1)
    gone = (np.abs(case.rows) < limit).all(axis=1) & due
    if not gone.any() or not (there & due).any() or not (there | gone).all():
        return None
    places = np.argwhere(gone.reshape(case.out_shape))
    for axis in range(len(case.out_shape)):
        along = sorted(set(places[:, axis].tolist()))
        rest = gone.size // case.out_shape[axis]
        if len(places) == len(along) * rest:
            left = [place for place in range(case.out_shape[axis]) if place not in along]
            why = (
                f"Along dimension {axis} of the output, {list(case.out_shape)}, the sum has only "
                f"what comes in at index {' and '.join(map(str, left))}, and should have all."
            )
            return Finding("not-summed", case.about, why=why)
    why = (
        f"Of the elements of the output, {len(places)} of {gone.size} take no part in it, such as "
        f"that at {places[0].tolist()}. All of them have to."
    )
    look = "Look for a mask, an index or a condition that leaves out some of what comes in."
    return Finding("wrong-gradient", case.about, why=why, look=look)


def _dimensions(axes: list[int]) -> str:
    return f"dimension{'s' if len(axes) > 1 else ''} {' and '.join(map(str, axes))}"


def _tied(case: GradientCase) -> dict[int, int]:
    """Return which dimension of the input goes along with which one of the output."""
    outs = len(case.out_shape)
    used = case.used.reshape(*case.out_shape, *case.shape)
    found = {}
    for own, size in enumerate(case.shape):
        for out in (out for out in range(outs) if case.out_shape[out] == size):
            others = tuple(axis for axis in range(used.ndim) if axis not in (out, outs + own))
            pair = used.any(axis=others)
            if not pair[~np.eye(size, dtype=bool)].any():
                found.setdefault(own, out)
    return found
