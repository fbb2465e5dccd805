"""Read encoded arrays, compare them, and say where they first differ."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np

from whygrad.evidence import Slot, Value, Values
from whygrad.rounding import short
from whygrad.verdict import Property

# Beside the largest expected number. Evidence is rounded to seven digits.
EXACT, DIFFERENCES, FLOAT32 = 2e-6, 2e-5, 2e-3
_OF_DTYPE = {"float32": FLOAT32, "complex64": FLOAT32, "float16": 2e-2, "bfloat16": 8e-2}


@dataclass(frozen=True)
class Array:
    """An encoded tensor, read again: its numbers in its shape, and its dtype's name.

    Complex numbers are pairs of real ones, along a last dimension of their own.
    """

    values: np.ndarray
    dtype: str

    @property
    def shape(self) -> tuple[int, ...]:
        """The tensor's shape."""
        return self.values.shape


def read_array(encoded: Value | None) -> Array | None:
    """Read an encoded tensor; None if it is none."""
    if encoded is None or encoded.shape is None:
        return None
    numbers = _numbers(encoded.data)
    is_whole = numbers.size == int(np.prod(encoded.shape))
    shape = encoded.shape if is_whole else [numbers.size]
    return Array(numbers.reshape(shape), encoded.dtype)


@lru_cache(maxsize=1024)  # each stage reads the same ones
def _numbers(text: str) -> np.ndarray:
    numbers = np.array([float(number) for number in text.split()], dtype=np.float64)
    numbers.flags.writeable = False
    return numbers


def exact_in(dtypes: Iterable[str | None], relative: float = 0.0) -> float:
    """Return how exact numbers are that went through these dtypes, beside the largest one."""
    return max([relative, *(_OF_DTYPE.get(dtype or "", 0.0) for dtype in dtypes)])


def is_complex(dtype: str) -> bool:
    """Tell whether a dtype, by its name, is one of complex numbers."""
    return dtype.startswith("complex")


def has_gradient(about: Value) -> bool:
    """Tell whether a tensor of this dtype can have a gradient."""
    return "float" in about.dtype or is_complex(about.dtype)


def plain_shape(about: Value | Slot) -> list[int]:
    """Return the shape of a tensor as its author knows it."""
    return list(about.shape)[: -1 if is_complex(about.dtype) else None]


def read_gradient(encoded: Value | None, about: Value) -> Array:
    """Read the gradient of an input, of which shape and dtype are given: None stands for zeros."""
    return read_array(encoded) or Array(np.zeros(about.shape), about.dtype)


def tolerance(expected: np.ndarray, relative: float) -> float:
    """Return how far numbers may be from the right ones, beside the largest of these."""
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
    limit = max(tolerance(expected, relative), relative * scale)
    with np.errstate(invalid="ignore"):
        return bool(np.all(np.abs(yours[known] - expected[known]) <= limit))


def turned(array: np.ndarray, most: int = 4) -> list[np.ndarray]:
    """Return an array with its dimensions in each other order; of more than `most`, none."""
    orders = permutations(range(array.ndim)) if array.ndim <= most else ()
    return [array.transpose(order) for order in orders][1:]


def same(one: Values | None, other: Values | None) -> bool:
    """Tell whether two lists of encoded arrays hold the same numbers; either may be None."""
    if one is None or other is None:
        return one is other
    pairs = [(read_array(a), read_array(b)) for a, b in zip(one, other, strict=True)]
    return all((a is b) if a is None or b is None else close(a.values, b.values) for a, b in pairs)


def difference(
    name: str,
    yours: Array | None,
    expected: Array,
    relative: float = EXACT,
    given: Mapping[str, np.ndarray] | None = None,
) -> Property:
    """Compare two arrays, and name the first place where they differ.

    Args:
        name: of what is compared.
        yours: the array that came back.
        expected: the right one.
        relative: how far they may be apart, as in `close`.
        given: by name, what has an element for each place of the expected array, or broadcasts.
    """
    if yours is None:
        return Property(name, False, yours="None", expected=_few(expected.values))
    if yours.shape != expected.shape:
        shapes = str(list(yours.shape)), str(list(expected.shape))
        return Property(name, False, "shape", *shapes)
    if close(yours.values, expected.values, relative):
        return Property(name, True)
    limit = tolerance(expected.values, relative)
    with np.errstate(invalid="ignore"):
        apart = ~(np.abs(yours.values - expected.values) <= limit) & np.isfinite(expected.values)
    count, size = int(apart.sum()), apart.size
    place = tuple(int(index) for index in np.argwhere(apart)[0])
    if is_complex(expected.dtype):
        apart = apart.any(axis=-1)
        count, size, place, given = int(apart.sum()), apart.size, place[:-1], None
    mine, due = _told_apart(yours.values[place], expected.values[place])
    return Property(
        name,
        False,
        where=str(list(place)) if place else "",
        yours=mine,
        expected=due,
        note=f"{count} of {size} numbers differ" if size > 1 else "",
        given=_standing_at(place, expected.shape, given or {}),
    )


def _told_apart(one: np.ndarray, other: np.ndarray) -> tuple[str, str]:
    """Write two numbers, or two pairs, with so many digits that the difference shows."""
    for digits in (4, 5, 6, 9):
        pair = _written(one, digits), _written(other, digits)
        if pair[0] != pair[1]:
            break
    return pair


def _written(number: np.ndarray, digits: int) -> str:
    """Write a real number, or a pair as a complex one."""
    parts = [f"{part:.9g}" if digits > 6 else _number(part, digits) for part in np.ravel(number)]
    if len(parts) == 1:
        return parts[0]
    return f"{parts[0]}{'' if parts[1].startswith('-') else '+'}{parts[1]}j"


def _standing_at(
    place: tuple[int, ...], shape: tuple[int, ...], given: Mapping[str, np.ndarray]
) -> str:
    """Write what stands at a place of several arrays, such as "x is 2 and w is 0.5"."""
    found = []
    for name, numbers in given.items():
        try:
            found.append(f"{name} is {_number(np.broadcast_to(numbers, shape)[place])}")
        except ValueError:
            continue
    return " and ".join(filter(None, [", ".join(found[:-1]), *found[-1:]]))


def _number(value: float, digits: int = 4) -> str:
    return short(float(value), digits, zero=1e-12)


def _few(values: np.ndarray) -> str:
    flat = [_number(value) for value in values.reshape(-1)[:4]]
    return "[" + ", ".join(flat) + (", …]" if values.size > 4 else "]")
