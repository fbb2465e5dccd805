"""Compare plain values: numbers, texts, tensors, and lists of them."""

from typing import Any

import numpy as np

from whygrad.judge.numbers import Array, read
from whygrad.rounding import short


def as_array(value: Any) -> Array | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return Array(np.array(float(value)), "float64")
    if isinstance(value, list) and value:
        try:
            return Array(np.array(value, dtype=np.float64), "float64")
        except (TypeError, ValueError):
            return None
    return read(value)


def shown(value: Any) -> str:
    array = as_array(value)
    if array is not None and array.values.size == 1:
        return short(float(array.values.reshape(-1)[0]))
    return repr(value)[:60]


def as_list(value: Any) -> Any:
    """A tensor as nested lists, so that a list and a tensor compare."""
    array = read(value)
    return value if array is None else array.values.tolist()


def equal(one: Any, other: Any) -> bool:
    one, other = as_list(one), as_list(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in other)
    if isinstance(other, str):
        return isinstance(one, str) and one.strip().lower() == other.strip().lower()
    if isinstance(one, int | float) and isinstance(other, int | float):
        if isinstance(other, bool) or isinstance(one, bool):
            return bool(one) == bool(other) and one in (0, 1)
        return abs(one - other) <= 1e-3 * max(abs(other), 1e-3)
    return one == other
