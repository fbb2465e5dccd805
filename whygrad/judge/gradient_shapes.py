"""Explain a gradient by its shape and axes: turned, summed over others, in another's place."""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import numpy as np

from whygrad.judge.arrays import close, read_array
from whygrad.judge.gradient_case import LOOKED_AT, GradientCase
from whygrad.judge.gradient_sums import summed
from whygrad.judge.inquiry import Inquiry, with_detail
from whygrad.judge.named_product import OUTPUT, made_of, made_words
from whygrad.verdict import Finding


def rearranged(case: GradientCase) -> Iterator[Finding]:
    """The right numbers of the right shape, in other places or summed otherwise."""
    found = {name: case.found[name] for name in LOOKED_AT}
    arrays = {name: f.reshape(case.shape) for name, f in found.items() if f is not None}
    if len(arrays) == len(found):
        yield from explain_shape(case, arrays)


def explain_shape(case: GradientCase, arrays: dict[str, np.ndarray]) -> Iterator[Finding]:
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
        yield _with_ones(case, next(iter(arrays.values())).shape)
        return
    outs = len(case.out_shape)
    due = (np.abs(case.jacobian) > 1e-9).sum(axis=0).max(initial=0) > 1
    for axes in _axes(outs + len(case.shape)):
        if not due and not any(axis < outs for axis in axes):
            continue  # every element has one contribution: none of them can be left unsummed
        for mean in (False, True):
            if all(_sums(case, name, array, axes, mean) for name, array in arrays.items()):
                right_axes = axes == tuple(range(outs))
                if mean and right_axes:
                    yield Finding("sum-or-mean", case.about)
                else:
                    yield Finding("not-summed", case.about, why=summed(case, axes, mean))
                return


def _with_ones(case: GradientCase, shape: tuple[int, ...]) -> Finding:
    """The right numbers in a shape that has dimensions of length 1 too many or too few."""
    if len(shape) <= len(case.shape):
        return Finding("wrong-shape", case.about)
    why = "Its numbers are right, and a dimension of length 1 is left over."
    look = (
        "`keepdim=True`, `unsqueeze` and an index `None` make one: leave it out where it comes in."
    )
    return Finding("wrong-shape", case.about, "", why, look)


def _orders(count: int) -> list[tuple[int, ...]]:
    """All orders of some axes but the usual one."""
    return list(permutations(range(count)))[1:] if count <= 4 else []


def _is_turned(case: GradientCase, arrays: dict[str, np.ndarray], order: tuple[int, ...]) -> bool:
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
    terms = float(np.abs(whole).sum(axis=axes).max(initial=0.0)) if axes else 0.0
    return close(array, made, case.relative, terms)


def _squeezed(array: np.ndarray) -> np.ndarray:
    return array.reshape([size for size in array.shape if size != 1])


def wrong_shapes(inquiry: Inquiry) -> list[Finding]:
    """Find a gradient that backward returned in another shape than that of its input."""
    slots = inquiry.base.get("returned") or []
    slot = next(filter(has_wrong_shape, slots), None)
    if slot is None:
        return []
    got, due = slot["grad"]["shape"], slot["shape"]
    about = inquiry.names[slot["input"]] if slot["input"] is not None else ""
    line = f"shape of the gradient of {about or 'an input'}"
    inquiry.note(line, False, yours=str(got), expected=str(due))
    detail = f"Backward returned the shape {got}; the input has {due}."
    named = _swapped(inquiry, slots) or _explained(inquiry, slot)
    if not named:
        broad = len(got) > len(due) and inquiry.base["raised"] is None
        named = [Finding("not-summed" if broad else "wrong-shape", about)]
        if made := _made_of(inquiry, slot):
            named = [made_words(named[0], made, inquiry.incoming)]
    return [with_detail(finding, detail) for finding in named]


def _made_of(inquiry: Inquiry, slot: dict[str, Any]) -> tuple[str, ...]:
    incoming = zip(inquiry.incoming, inquiry.base["grad_outputs"], strict=False)
    arrays = {name: array for name, grad in incoming if (array := read_array(grad)) is not None}
    values = inquiry.values()
    output = values.pop("the output", None)
    if output is not None and OUTPUT not in values:
        values[OUTPUT] = output
    known = {**values, **{name: array.values for name, array in arrays.items()}}
    return made_of(read_array(slot["grad"]).values, known)


def has_wrong_shape(slot: dict[str, Any]) -> bool:
    """Tell whether what backward returned for an input has another shape than the input."""
    grad = slot["grad"]
    if slot["shape"] is None or not isinstance(grad, dict) or "shape" not in grad:
        return False
    return list(grad["shape"]) != list(slot["shape"])


def _swapped(inquiry: Inquiry, slots: list[dict[str, Any]]) -> list[Finding]:
    """Two gradients that are each other's, numbers and all."""
    if inquiry.expected is None:
        return []
    wanted = inquiry.base["wanted"]
    mine = {slot["input"]: read_array(slot["grad"]) for slot in slots if slot["input"] is not None}
    right = dict(zip(wanted, inquiry.expected.grads, strict=True))

    def is_of(one: int, other: int) -> bool:
        found = mine.get(one)
        return found is not None and close(found.values, right[other].values, 1e-4)

    for one, other in combinations(wanted, 2):
        if is_of(one, other) and is_of(other, one):
            return [Finding("swapped-gradients", inquiry.named([one, other]))]
    return []


def _explained(inquiry: Inquiry, slot: dict[str, Any]) -> list[Finding]:
    returned = read_array(slot["grad"])
    if slot["input"] is None or inquiry.expected is None or returned is None:
        return []
    place = inquiry.base["wanted"].index(slot["input"])
    cases = inquiry.cases()
    return list(explain_shape(cases[place], {"first": returned.values})) if cases else []
