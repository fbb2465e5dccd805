"""Explain a gradient by its shape and axes: turned, summed over others, in another's place."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations

import numpy as np

from whygrad.judge.arrays import close, turned
from whygrad.judge.gradient_case import LOOKED_AT, GradientCase
from whygrad.judge.gradient_sums import summed
from whygrad.verdict import Finding


def rearranged(case: GradientCase) -> Iterator[Finding]:
    """The right numbers of the right shape, in other places or summed otherwise."""
    arrays = {name: case.laid(name) for name in LOOKED_AT}
    if all(array is not None for array in arrays.values()):
        yield from explain_shape(case, arrays)


def explain_shape(case: GradientCase, arrays: dict[str, np.ndarray]) -> Iterator[Finding]:
    """Explain gradients of any shape, one per incoming gradient tried, by what they sum.

    The right gradient sums, for each element of the input, the contributions of all elements of
    the output; a transposed one has its axes turned, another wrong one sums over other axes.
    """
    due = [case.laid(name, due=True) for name in arrays]
    alike = partial(_alike, relative=case.relative)
    if any(alike(found, due) for found in zip(*map(turned, arrays.values()), strict=True)):
        yield Finding("transposed", case.about)
        return
    if case.out_shape is None or not case.jacobian.size:
        return
    shape = next(iter(arrays.values())).shape
    if alike(map(_squeezed, arrays.values()), map(_squeezed, due)):
        if shape != case.shape:
            yield _with_ones(case, shape)
        return
    fits = np.prod(shape) == np.prod(case.shape)
    if fits and alike((array.reshape(case.shape) for array in arrays.values()), due):
        yield _in_another_shape(case, shape)
        return
    outs = len(case.out_shape)
    for axes in _axes(outs + len(case.shape)):
        if not case.is_summed and not any(axis < outs for axis in axes):
            continue  # every element has one contribution: none of them can be left unsummed
        for mean in (False, True):
            if all(_sums(case, name, array, axes, mean) for name, array in arrays.items()):
                right_axes = axes == tuple(range(outs))
                if mean and right_axes:
                    yield Finding("sum-or-mean", case.about)
                else:
                    yield Finding("not-summed", case.about, why=summed(case, axes, mean))
                return


def _alike(found: Iterable[np.ndarray], due: Iterable[np.ndarray], relative: float) -> bool:
    return all(close(*pair, relative) for pair in zip(found, due, strict=True))


def _in_another_shape(case: GradientCase, shape: tuple[int, ...]) -> Finding:
    """The right numbers in their order, laid out in another shape."""
    why = f"Its numbers are right, and in their order: only the shape, {list(shape)}, is another."
    look = (
        "Nothing is to be summed. Look for the step that changed the shape, such as a `flatten`, "
        "and leave it out, or undo it before `return`: `reshape` does, with the shape of "
        f"{case.about or 'the input'}."
    )
    return Finding("wrong-shape", case.about, "", why, look)


def _with_ones(case: GradientCase, shape: tuple[int, ...]) -> Finding:
    """The right numbers in a shape that has dimensions of length 1 too many or too few."""
    if len(shape) <= len(case.shape):
        return Finding("wrong-shape", case.about)
    why = "Its numbers are right, and a dimension of length 1 is left over."
    look = (
        "`keepdim=True`, `unsqueeze` and an index `None` make one: leave it out where it comes in."
    )
    return Finding("wrong-shape", case.about, "", why, look)


def _axes(count: int) -> Iterator[tuple[int, ...]]:
    if count > 6:
        return
    for size in range(count + 1):
        yield from combinations(range(count), size)


def _sums(
    case: GradientCase, name: str, array: np.ndarray, axes: tuple[int, ...], mean: bool
) -> bool:
    whole = case.incoming[name][:, None] * case.jacobian
    whole = whole.reshape(*case.out_shape, *case.shape)
    made = whole.sum(axis=axes) if axes else whole
    if mean:
        made = made / np.prod([whole.shape[axis] for axis in axes], initial=1.0)
    made, array = _squeezed(made), _squeezed(array)
    if made.size == array.size:  # laid out in a row, perhaps
        array = array.reshape(made.shape)
    # A sum that was too small for its place is spread over it again.
    if made.ndim < array.ndim:
        try:
            made = np.broadcast_to(made, array.shape)
        except ValueError:
            return False
    if np.isnan(made).sum() > np.isnan(case.right(name)).sum():
        return False  # what nobody knows would fit anything
    terms = float(np.nan_to_num(np.abs(whole).sum(axis=axes)).max(initial=0.0)) if axes else 0.0
    return close(array, made, case.relative, terms)


def _squeezed(array: np.ndarray) -> np.ndarray:
    return array.reshape([size for size in array.shape if size != 1])
