"""Say in words how wrong numbers lie beside the right ones: where, and what they are there."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from whygrad.rounding import short

Known = dict[str, np.ndarray]  # numbers that stand beside each of those compared, by name

_NEAR = 1e-4
_ALMOST = 1e-3  # as far from the right one as a small thing that is added makes it
_FEW = 3  # numbers that could be anything
_SOME = 2  # numbers that are no coincidence
_LIMITS = (0.0, 1.0, -1.0)
_POWERS = {1: "times {}", -1: "divided by {}", 2: "times {}²", -2: "divided by {}²"}


def spread(values: Known, shape: tuple[int, ...]) -> Known:
    """Return the numbers that belong to each element of a shape, in a row, where they broadcast."""
    found = {}
    for name, numbers in values.items():
        with suppress(ValueError):
            found[name] = np.broadcast_to(numbers, shape).reshape(-1)
    return found


def those(known: Known, part: np.ndarray) -> Known:
    """Return the numbers that stand beside a part of those compared."""
    return {name: numbers[part] for name, numbers in known.items()}


def only_at(wrong: np.ndarray, known: Known) -> str:
    """Say at which one number all are wrong, or all are right; "" if it is not so simple.

    >>> only_at(np.array([True, False, True, False]), {"x": np.array([0.0, 2.0, 0.0, 3.0])})
    'except where x is 0'
    """
    for what, numbers in sized(known):
        for some, said in ((wrong, "except"), (~wrong, "only")):
            one = numbers[some][:1]
            if _SOME <= some.sum() < some.size and np.array_equal(some, numbers == one):
                return f"{said} where {what} is {short(float(one[0]), zero=1e-12)}"
    return ""


def region(wrong: np.ndarray, known: Known) -> tuple[str, str]:
    """Say where numbers are wrong, and where they are right; empty if nothing simple says it.

    >>> region(np.array([True, False, True, False]), {"x": np.array([-1.0, 2.0, -0.5, 3.0])})
    ('x < 0', 'x > 0')
    """
    if min(wrong.sum(), (~wrong).sum()) < _SOME:
        return "", ""
    for low, high, below in splits(known):
        if np.array_equal(wrong, below):
            return low, high
        if np.array_equal(wrong, ~below):
            return high, low
    return "", ""


def splits(known: Known) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield ways to part the elements: words for both parts, and which are in the first."""
    for what, numbers in sized(known):
        for limit in _LIMITS[1:2] if what.startswith("|") else _LIMITS:
            yield from _apart(what, numbers, limit)


def sized(known: Known) -> Iterator[tuple[str, np.ndarray]]:
    """Yield what elements can be parted by, in a row: numbers by name, and their sizes."""
    for name, values in known.items():
        yield name, values.reshape(-1)
        yield f"|{name}|", np.abs(values).reshape(-1)


def _apart(what: str, numbers: np.ndarray, limit: float) -> Iterator[tuple[str, str, np.ndarray]]:
    on = (numbers == limit).any()
    for low, high, below in (
        ("<", "≥" if on else ">", numbers < limit),
        ("≤" if on else "<", ">", numbers <= limit),
    )[: 2 if on else 1]:
        if below.any() and not below.all():
            yield f"{what} {low} {limit:g}", f"{what} {high} {limit:g}", below


def relation(
    mine: np.ndarray, right: np.ndarray, known: Known, *, names: bool = False, unit: str = ""
) -> str:
    """Say what wrong numbers are beside the right ones, after "it is"; "" if nothing is known.

    `names` lets it be one of the known numbers themselves; `unit` is what the numbers count, such
    as the incoming gradient where they are slopes.

    >>> x = np.array([1.0, 2.0, 4.0])
    >>> relation(3 * x**2, 3 * x, {"x": x})
    'the right one times x'
    """
    itself = (name for name, numbers in known.items() if names and np.allclose(mine, numbers))
    return next((f"{name} itself" for name in itself), "") or _plainest(
        _relations(mine, right, known, unit)
    )


def _plainest(found: Iterator[tuple[float, str]]) -> str:
    """Return the words without a factor, if there are any; a product rather than a quotient."""
    every = sorted(found, key=lambda one: "divided" in one[1])
    plain = (words for factor, words in every if abs(factor - 1) < _NEAR)
    return next(plain, every[0][1] if every else "")


def _relations(
    mine: np.ndarray, right: np.ndarray, known: Known, unit: str
) -> Iterator[tuple[float, str]]:
    scale = max(np.abs(mine).max(initial=0.0), np.abs(right).max(initial=0.0))
    if not np.isfinite(scale) or scale == 0:
        return
    if np.abs(mine).max() < _NEAR * scale:
        yield 1.0, "zero"
    if np.abs(right).max() < _NEAR * scale or len(mine) < _FEW:
        return
    if np.abs(right).min() > 1e-6 * scale:
        factors = mine / right
        if (factor := _constant(factors)) is not None:
            yield factor, f"{times(factor)}the right one"
        for name, values in _varied(known):
            for power, words in _POWERS.items():
                if (factor := _constant(factors / values**power)) is not None:
                    yield factor, f"{times(factor)}the right one {words.format(name)}"
    if (offset := _constant(mine - right)) is not None:
        more = "more" if offset > 0 else "less"
        much = f"{times(abs(offset))}{unit}" if unit else short(abs(offset))
        yield 0.0, f"{much} {more} than the right one"


def nearly(mine: np.ndarray, right: np.ndarray) -> str:
    """Say of numbers that are almost right how far off they are; "" if they are not.

    >>> nearly(np.array([1.00001, 2.0]), np.array([1.0, 2.0]))[:43]
    'Here it is off by 5e-06 of its size at most'
    """
    known = np.isfinite(right)
    if mine.shape != right.shape or not known.any() or not np.isfinite(mine[known]).all():
        return ""
    apart, size = np.abs(mine - right)[known], np.abs(right)[known]
    off = float(apart.max() / max(size.max(), 1e-12))
    if not 0 < off < _ALMOST or (apart > 10 * _ALMOST * size).any():
        return ""
    return (
        f"Here it is off by {off:.0e} of its size at most. Is something small added or left out, "
        "such as an eps, or a number rounded?"
    )


def slope(mine: np.ndarray, known: Known, incoming: str) -> str:
    """Say by what an incoming gradient was multiplied, after "it is"; "" if nothing is known."""
    factor = _constant(mine) if len(mine) >= _FEW or np.allclose(np.abs(mine), 1.0) else None
    if factor is not None:
        plain = f"`{incoming}` itself"
        return plain if abs(factor - 1) < _NEAR else f"{times(factor)}`{incoming}`"
    return _plainest(_slopes(mine, known, incoming)) if len(mine) >= _FEW else ""


def _slopes(mine: np.ndarray, known: Known, incoming: str) -> Iterator[tuple[float, str]]:
    for name, values in _varied(known):
        for power, words in _POWERS.items():
            if (factor := _constant(mine / values**power)) is not None:
                yield factor, f"{times(factor)}`{incoming}` {words.format(name)}"
        if (factor := _constant(mine / np.abs(values))) is not None:
            yield factor, f"{times(factor)}`{incoming}` times |{name}|"
    for name, values in known.items():
        signs = np.sign(values)
        if signs.all() and (factor := _constant(mine * signs)) is not None:
            yield factor, f"{times(factor)}`{incoming}` times the sign of {name}"


def times(factor: float) -> str:
    """Return a factor in front of something: nothing for 1, words for -1."""
    if abs(factor - 1) < _NEAR:
        return ""
    return "the negative of " if abs(factor + 1) < _NEAR else f"{short(factor)} times "


def _varied(known: Known) -> Iterator[tuple[str, np.ndarray]]:
    """Those numbers that a power can be told from."""
    for name, values in known.items():
        size = np.abs(values)
        if size.size and size.min() > 1e-3 and np.ptp(size) > 0.1 * size.max():
            yield name, values


def _constant(numbers: np.ndarray) -> float | None:
    middle = float(np.median(numbers))
    if abs(middle) < 1e-6 or np.abs(numbers - middle).max() > _NEAR * abs(middle):
        return None
    return middle
