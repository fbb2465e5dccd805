"""Read encoded arrays, compare them, and say where they first differ."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from whygrad.rounding import short
from whygrad.verdict import Property

# Beside the largest expected number. Evidence is rounded to seven digits.
EXACT, DIFFERENCES, FLOAT32 = 2e-6, 2e-5, 2e-3


@dataclass(frozen=True)
class Array:
    """An encoded tensor, read again: its numbers in its shape, and its dtype's name."""

    values: np.ndarray
    dtype: str

    @property
    def shape(self) -> tuple[int, ...]:
        """The tensor's shape."""
        return self.values.shape


def read_array(encoded: Any) -> Array | None:
    """Read an encoded tensor; None if it is none."""
    if not isinstance(encoded, dict) or "data" not in encoded:
        return None
    numbers = np.array([float(number) for number in encoded["data"].split()], dtype=np.float64)
    shape = list(encoded["shape"])
    if numbers.size != int(np.prod(shape)):
        shape = [numbers.size]
    return Array(numbers.reshape(shape), encoded["dtype"])


def read_gradient(encoded: Any, about: dict[str, Any]) -> Array:
    """Read the gradient of an input, of which shape and dtype are given: None stands for zeros."""
    return read_array(encoded) or Array(np.zeros(about["shape"]), about["dtype"])


def _tolerance(expected: np.ndarray, relative: float) -> float:
    finite = np.abs(expected[np.isfinite(expected)])
    return relative * max(float(finite.max(initial=0.0)), 1e-3)


def close(
    yours: np.ndarray | None, expected: np.ndarray, relative: float = EXACT, scale: float = 0.0
) -> bool:
    """Tell whether two arrays have one shape and the same numbers.

    Args:
        yours: the numbers that came back.
        expected: the right ones; NaN where nobody knows.
        relative: how far they may be apart, beside the largest expected number or `scale`.
        scale: the size of the terms that the numbers are sums of, where that is known.
    """
    if yours is None or yours.shape != expected.shape:
        return False
    known = np.isfinite(expected)
    limit = max(_tolerance(expected, relative), relative * scale)
    with np.errstate(invalid="ignore"):
        return bool(np.all(np.abs(yours[known] - expected[known]) <= limit))


def same(one: list[Any] | None, other: list[Any] | None) -> bool:
    """Tell whether two lists of encoded arrays hold the same numbers; either may be None."""
    if one is None or other is None:
        return one is other
    pairs = [(read_array(a), read_array(b)) for a, b in zip(one, other, strict=True)]
    return all((a is b) if a is None or b is None else close(a.values, b.values) for a, b in pairs)


def difference(
    name: str, yours: Array | None, expected: Array, relative: float = EXACT
) -> Property:
    """Compare two arrays, and name the first place where they differ."""
    if yours is None:
        return Property(name, False, yours="None", expected=_few(expected.values))
    if yours.shape != expected.shape:
        shapes = str(list(yours.shape)), str(list(expected.shape))
        return Property(name, False, "shape", *shapes)
    if close(yours.values, expected.values, relative):
        return Property(name, True)
    limit = _tolerance(expected.values, relative)
    with np.errstate(invalid="ignore"):
        apart = ~(np.abs(yours.values - expected.values) <= limit) & np.isfinite(expected.values)
    place = tuple(int(index) for index in np.argwhere(apart)[0])
    return Property(
        name,
        False,
        where=str(list(place)) if place else "",
        yours=_number(yours.values[place]),
        expected=_number(expected.values[place]),
        note=f"{int(apart.sum())} of {apart.size} numbers differ" if apart.size > 1 else "",
    )


def _number(value: float) -> str:
    return short(float(value), zero=1e-12)


def _few(values: np.ndarray) -> str:
    flat = [_number(value) for value in values.reshape(-1)[:4]]
    return "[" + ", ".join(flat) + (", …]" if values.size > 4 else "]")
