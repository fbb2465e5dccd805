"""Choose what else to try a Function with, beside the inputs that its author gave."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import torch
from torch.nn import Module

from whygrad.alike import other_numbers, resized
from whygrad.judge.inquiry import ALONE, OTHER_DEFAULT, OTHER_NUMBERS
from whygrad.measure import Probe
from whygrad.measure.reals import is_number
from whygrad.precision import lowest_of
from whygrad.traits import is_square, traits

_Made = tuple[list[Probe], str]  # probes, and why there are none
_LOW = {torch.float64: torch.float32, torch.complex128: torch.complex64}


def other_probes(
    inputs: tuple,
    reference: Any,
    names: list[str],
    constant: frozenset[int] = frozenset(),
    given: tuple | None = None,
    strict: bool = False,
) -> tuple[list[Probe], dict[str, str]]:
    """Make inputs of other numbers, sizes and dtypes, as far as the given ones permit them.

    What the tensors are is kept: integers, sorted or distinct numbers, symmetric matrices and the
    like. The numbers of constants stay. Where the inputs were `given` in a lower precision, this is
    the dtype to try; otherwise it is float32. If another default dtype is set, float32 as the
    default is a probe, too; a `strict` judge then asks for neither.

    Returns:
        The probes, and by the name of what is looked at the reason why there are none for it.
    """
    kinds = {
        "other numbers": _numbers(inputs, names, constant),
        "other sizes": _sizes(inputs, names),
        "empty": _empty(inputs, names),
        "dtypes": _dtypes(inputs, given, strict),
    }
    left_out = {name: why for name, (made, why) in kinds.items() if not made}
    *sizes, dtypes = (made for made, _ in kinds.values())
    absent = [] if reference is None else _without_one(inputs, names)
    return [*chain(*sizes), *absent, *dtypes], left_out


def beside_buffers(
    module: Module | None, probes: list[Probe], left_out: dict[str, str]
) -> tuple[list[Probe], dict[str, str]]:
    """Return probes and reasons without those that the buffers of a module do not fit."""
    if module is None or not any(map(is_number, module.buffers())):
        return probes, left_out
    kept = [probe for probe in probes if probe.law not in ("fixed-size", "wrong-dtype")]
    why = "the module has buffers, which are of one size and dtype"
    return kept, {**left_out, "other sizes": why, "dtypes": why}


def low(value: Any) -> Any:
    """Return a float64 or complex128 tensor in half the precision, and anything else as it is."""
    if isinstance(value, torch.Tensor) and value.dtype in _LOW:
        return value.to(_LOW[value.dtype])
    return value


def _tensors(inputs: tuple) -> list[tuple[int, torch.Tensor]]:
    return [(place, value) for place, value in enumerate(inputs) if _is_dense(value)]


def _is_dense(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.layout == torch.strided


def _any_sparse(inputs: tuple) -> bool:
    return any(isinstance(value, torch.Tensor) and not _is_dense(value) for value in inputs)


def _numbers(inputs: tuple, names: list[str], constant: frozenset[int]) -> _Made:
    made = list(inputs)
    for place, value in _tensors(inputs):
        other = None if place in constant else other_numbers(value)
        made[place] = value if other is None else other
    if all(one is other for one, other in zip(made, inputs, strict=True)):
        kept = {name: traits(v) for name, v in zip(names, inputs, strict=False) if _is_float(v)}
        said = " and ".join(f"{name} ({', '.join(are)})" for name, are in kept.items() if are)
        why = f"no others were found that keep what they are: {said}" if said else "all stay"
        return [], why
    return [Probe(OTHER_NUMBERS, "", tuple(made))], ""


def _dtypes(inputs: tuple, given: tuple | None, strict: bool) -> _Made:
    """A lower precision. Under another default dtype than float32, this is not the author's own."""
    if lowest_of(inputs) != "float64":
        return [], f"fn takes no float64, so all is measured in {lowest_of(inputs)}"
    asked = given is not None and lowest_of(given) != "float64"
    lower, usual = given if asked else tuple(map(low, inputs)), torch.get_default_dtype()
    probe = Probe(f"{lowest_of(lower)} inputs", "wrong-dtype", lower)
    if asked or usual is torch.float32:
        return [probe], ""
    if strict:
        return [], f"the default dtype is {usual}"
    return [probe, Probe(OTHER_DEFAULT, "wrong-dtype", inputs, torch.float32)], ""


def _is_float(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _sizes(inputs: tuple, names: list[str]) -> _Made:
    """Each length that occurs, changed everywhere at once; one of 1 is there to broadcast."""
    lengths = {size for _, value in _tensors(inputs) for size in value.shape} - {0, 1}
    probes, why = [], "no input has a length that could be another"
    if _any_sparse(inputs):
        return [], "an input is sparse"
    for length in sorted(lengths):
        if fixed := _fixes(inputs, names, length):
            why = f"{fixed}, which would have to change with a length of {length}"
            continue
        for size in (length + 2, 1):
            made = [resized(v, length, size) if _is_dense(v) else v for v in inputs]
            lost = next((p for p, v in enumerate(made) if v is None and inputs[p] is not None), -1)
            if lost >= 0:
                why = f"{names[lost]} would not stay what it is: {', '.join(traits(inputs[lost]))}"
            elif not _leave_range(inputs, made, length, size):
                name = f"{size} in place of {length} rows or columns"
                probes.append(Probe(name, "fixed-size", tuple(made)))
            else:
                why = "an index would be out of range"
        probes += _apart(inputs, length)
    return probes, why


def _apart(inputs: tuple, length: int) -> Iterator[Probe]:
    """Two dimensions of one length, which may be a batch and its columns: one of them changed.

    What forward refuses says nothing. It mostly refuses where the two have to be of one length.
    """
    tensors = _tensors(inputs)
    most = max(value.dim() for _, value in tensors)
    if len(tensors) < 2:
        return  # of one square matrix, rows and columns may well have to be as many
    for place in range(most):
        changed = {}
        for where, value in tensors:
            # Labels go with the rows; what broadcasts goes with the last dimension.
            axis = place if _is_index(value) else place - most + value.dim()
            if 0 <= axis < value.dim() and value.shape[axis] == length:
                changed[where] = resized(value, length, length + 2, axis)
        left = sum(value.shape.count(length) for _, value in tensors) - len(changed)
        if changed and left and all(value is not None for value in changed.values()):
            made = tuple(changed.get(where, value) for where, value in enumerate(inputs))
            name = f"{length + 2} in place of {length} along dimension {place} {ALONE}"
            yield Probe(name, "fixed-size", made)


def _fixes(inputs: tuple, names: list[str], length: int) -> str:
    """Name a number among the arguments that says how long something is, or return "".

    A plain 1 is as likely a number like any other: nobody counts what there is one of.
    """
    for name, value in zip(names, inputs, strict=True):
        if length != 1 and length in _plain_numbers(value):
            return f"{name} is {length}"
        if _is_index(value) and bool((value == length).any()):
            return f"{name} holds {length}"
    return ""


def _plain_numbers(value: Any) -> Iterator[int]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _plain_numbers(one)


def _is_index(value: Any) -> bool:
    return _is_dense(value) and not is_number(value) and value.dtype != torch.bool


def _leave_range(inputs: tuple, made: list, length: int, size: int) -> bool:
    """Tell whether a number that could be an index of this length is too large now."""
    return any(
        before.numel() and after.numel() and int(before.max()) < length and int(after.max()) >= size
        for before, after in zip(inputs, made, strict=True)
        if _is_index(before)
    )


def _empty(inputs: tuple, names: list[str]) -> _Made:
    """No rows, in all tensors that have as many rows as the first."""
    tensors = _tensors(inputs)
    rows = next((value.shape[0] for _, value in tensors if value.dim()), 0)
    if not rows or _any_sparse(inputs):
        return [], "no input has rows" if not rows else "an input is sparse"
    if fixed := _fixes(inputs, names, rows):
        return [], f"{fixed}, which is the number of rows"
    made = list(inputs)
    for place, value in tensors:
        if value.dim() and value.shape[0] == rows:
            if value.dim() == 2 and is_square(value):
                return [], f"{names[place]} is a square matrix, whose rows need not be a batch"
            made[place] = value[:0]
    return [Probe("an empty batch", "fails-on-empty", tuple(made))], ""


def _without_one(inputs: tuple, names: list[str]) -> list[Probe]:
    """Drop each tensor in turn; where the reference refuses that, nothing is asked of `fn`."""
    if len(inputs) < 2:
        return []
    return [
        Probe(f"no {names[place]}", "needs-bias", (*inputs[:place], None, *inputs[place + 1 :]))
        for place, value in enumerate(inputs)
        if isinstance(value, torch.Tensor)
    ]
