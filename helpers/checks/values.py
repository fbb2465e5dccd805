"""How what plain functions and predictions give, as data, compares with what is right."""

import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from whygrad.codec import from_json
from whygrad.evidence import EvidenceError, Value
from whygrad.judge.arrays import Array, difference, read_array
from whygrad.report import clean
from whygrad.rounding import short
from whygrad.verdict import Property

_LONGEST = 60  # characters of a value that is shown
# Stands for a value that was not measured, since another one is wrong; of a slip, for any value.
NOT_LOOKED_AT = {"type": "not looked at"}


def compare(
    name: str,
    mine: Any,
    due: Any,
    any_dtype: bool = False,
    given: Mapping[str, np.ndarray] | None = None,
) -> Property:
    """Compare a value with the right one; a float32 tensor for a float64 one is wrong as a rule.

    `given` has, by name, what belongs to the places of the value.
    """
    yours, right = as_array(mine), as_array(due)
    if isinstance(mine, int | float) and isinstance(due, dict):
        return Property(name, False, yours=f"the plain number {shown(mine)}", expected="a tensor")
    if right is None or yours is None:
        if equal(mine, due):
            return Property(name, True)
        return Property(name, False, yours=shown(mine), expected=shown(due))
    low = "float32" in (yours.dtype, right.dtype)
    line = difference(name, yours, right, 1e-3 if low else 1e-5, given)
    if line.ok and low and yours.dtype != right.dtype and not any_dtype:
        return Property(name, False, "dtype", yours.dtype, right.dtype)
    return line


def as_array(value: Any) -> Array | None:
    """Return a number, a tensor or a list of numbers as an array; None if it is none of them."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return Array(np.array(float(value)), "float64")
    if isinstance(value, list) and value:
        try:
            return Array(np.array(value, dtype=np.float64), "float64")
        except (TypeError, ValueError):
            return None
    return _tensor(value)


def _tensor(value: Any) -> Array | None:
    """Read a tensor that was written as JSON data; None if it is none."""
    if not isinstance(value, dict) or not {"shape", "dtype"} <= value.keys():
        return None
    with suppress(EvidenceError):
        return read_array(from_json(Value, value))
    return None


def shown(value: Any) -> str:
    """Write a value for a report, cut where it is long."""
    array = as_array(value)
    if array and array.values.size == 1:
        return short(float(array.values.reshape(-1)[0]))
    if isinstance(value, dict) and set(value) <= {"type", "name"}:
        return clean(f"an object of the type {value['type']}", _LONGEST)
    if isinstance(value, list):
        return clean(f"[{', '.join(map(shown, value))}]", _LONGEST)
    if array:
        return f"a tensor of shape {list(array.shape)}"
    return clean(repr(value), _LONGEST)


def as_list(value: Any) -> Any:
    """A tensor as nested lists, so that a list and a tensor compare."""
    array = _tensor(value)
    return value if array is None else array.values.tolist()


def equal(one: Any, other: Any) -> bool:
    """Tell whether two values are the same: numbers to three digits, texts in any case."""
    one, other = as_list(one), as_list(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in other)
    if isinstance(other, str):
        return isinstance(one, str) and one.strip().lower() == other.strip().lower()
    if isinstance(one, int | float) and isinstance(other, int | float):
        near = math.isclose(one, other, rel_tol=1e-3, abs_tol=1e-6)
        return near or (math.isnan(one) and math.isnan(other))
    return one == other
