"""Explain a gradient by its axes: turned, or summed over others than the right one."""

from collections.abc import Iterator
from itertools import combinations, permutations

import numpy as np

from whygrad.diagnosis import Finding
from whygrad.judge.case import Case
from whygrad.judge.numbers import close


def rearranged(case: Case) -> Iterator[Finding]:
    """The right numbers of the right shape, in other places or summed otherwise."""
    found = {name: case.found[name] for name in ("first", "second", "ones")}
    arrays = {name: f.reshape(case.shape) for name, f in found.items() if f is not None}
    if len(arrays) == len(found):
        yield from explain_shape(case, arrays)


def explain_shape(case: Case, arrays: dict[str, np.ndarray]) -> Iterator[Finding]:
    """Explain gradients of any shape, one per incoming gradient tried, by what they sum.

    The right gradient sums, for each element of the input, the contributions of all elements of
    the output; a transposed one has its axes turned, another wrong one sums over other axes.
    """
    if any(_is_turned(case, arrays, order) for order in _orders(len(case.shape))):
        yield Finding("transposed", case.about)
        return
    if case.out_shape is None or not case.jacobian.size:
        return
    right = {name: _squeezed(case.right(name).reshape(case.shape)) for name in arrays}
    if all(close(_squeezed(a), right[name], case.relative) for name, a in arrays.items()):
        yield Finding("wrong-shape", case.about)
        return
    outs = len(case.out_shape)
    due = (np.abs(case.jacobian) > 1e-9).sum(axis=0).max(initial=0) > 1
    for axes in _axes(outs + len(case.shape)):
        if not due and not any(axis < outs for axis in axes):
            continue  # every element has one contribution: none of them can be left unsummed
        for mean in (False, True):
            if all(_sums(case, name, array, axes, mean) for name, array in arrays.items()):
                kind = "sum-or-mean" if mean and _is_right_axes(case, axes) else "not-summed"
                yield Finding(kind, case.about)
                return


def _orders(count: int) -> list[tuple[int, ...]]:
    """All orders of some axes but the usual one."""
    return list(permutations(range(count)))[1:] if count <= 4 else []


def _is_turned(case: Case, arrays: dict[str, np.ndarray], order: tuple[int, ...]) -> bool:
    return all(
        array.ndim == len(order)
        and close(array.transpose(order), case.right(name).reshape(case.shape), case.relative)
        for name, array in arrays.items()
    )


def _axes(count: int) -> Iterator[tuple[int, ...]]:
    if count > 6:
        return
    for size in range(count + 1):
        yield from combinations(range(count), size)


def _is_right_axes(case: Case, axes: tuple[int, ...]) -> bool:
    return axes == tuple(range(len(case.out_shape)))


def _sums(case: Case, name: str, array: np.ndarray, axes: tuple[int, ...], mean: bool) -> bool:
    whole = case.incoming[name][:, None] * case.jacobian
    whole = whole.reshape(*case.out_shape, *case.shape)
    made = whole.sum(axis=axes) if axes else whole
    if mean:
        made = made / np.prod([whole.shape[axis] for axis in axes], initial=1.0)
    made, array = _squeezed(made), _squeezed(array)
    # A sum that was too small for its place is spread over it again.
    if made.ndim < array.ndim:
        try:
            made = np.broadcast_to(made, array.shape)
        except ValueError:
            return False
    terms = float(np.abs(whole).sum(axis=axes).max(initial=0.0)) if axes else 0.0
    return close(array, made, case.relative, terms)


def _squeezed(array: np.ndarray) -> np.ndarray:
    return array.reshape([size for size in array.shape if size != 1])
