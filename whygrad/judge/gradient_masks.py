"""Explain a gradient that lets the wrong elements through."""

from collections.abc import Iterator

import numpy as np

from whygrad.judge.arrays import tolerance
from whygrad.judge.gradient_case import GradientCase
from whygrad.verdict import Finding

_FEW_LEVELS = 3  # slopes of a function that is piecewise linear


def masked(case: GradientCase) -> Iterator[Finding]:
    """Element by element, a slope of the function, but that of another piece."""
    slopes = _diagonal(case.jacobian)
    if slopes is None:
        yield from list(_masked_sum(case)) or _wrong_choice(case)
        return
    if _turned(case, slopes):
        yield Finding("wrong-mask", case.about)
        return
    levels = _levels(slopes)
    zero = np.abs(slopes) < 1e-9
    if levels is None and not (zero.any() and not zero.all()):
        return
    used = set()
    for name in ("first", "second", "negative", "ones"):
        found, incoming = case.found[name], case.incoming[name]
        if found is None:
            return
        for mine, given, slope in zip(found, incoming, slopes, strict=True):
            piece = _piece(mine, given, slope, levels, case.relative)
            if piece is None:
                return
            used.add(piece)
    if "another" in used:
        yield Finding("wrong-mask", case.about)


def _turned(case: GradientCase, slopes: np.ndarray) -> bool:
    """Tell whether one of the slopes stands just where it should not: a condition reversed."""
    mine = None if case.rows is None else _diagonal(case.rows)
    values, counts = np.unique(np.round(np.nan_to_num(slopes), 5), return_counts=True)
    if mine is None or counts.max(initial=0) < 2 or len(values) < 2:
        return False
    usual = values[counts.argmax()]
    here, there = np.abs(mine - usual) < 1e-4, np.abs(slopes - usual) < 1e-4
    return bool(np.all(here != there) and not np.allclose(mine, -slopes))


def _masked_sum(case: GradientCase) -> Iterator[Finding]:
    """The same for an input that broadcasts: each element of the output belongs to one of it."""
    own, mine, right = case.own, case.rows, case.slopes
    if mine is None or own is None:
        return
    limit = tolerance(right, 1e-5)
    if np.abs(mine[~own]).max(initial=0.0) > limit or np.abs(right[~own]).max(initial=0.0) > limit:
        return
    mine, right = mine[own], right[own]
    shut = np.abs(right) < 1e-9
    other = np.abs(mine - right) > limit
    one_is_zero = shut | (np.abs(mine) < 1e-9)
    if shut.any() and not shut.all() and (other & shut).any() and one_is_zero[other].all():
        yield Finding("wrong-mask", case.about)


def _wrong_choice(case: GradientCase) -> Iterator[Finding]:
    """The same for a function that chooses some of its inputs, as a maximum does."""
    if case.rows is None:
        return
    right, mine = case.slopes, case.rows
    chosen = {round(float(number), 5) for number in np.unique(right)} - {0.0}
    if case.used.any(axis=0).all() or len(chosen) != 1 or np.allclose(right, mine, atol=1e-6):
        return
    level = chosen.pop()
    if mine.any() and np.all((np.abs(mine) < 1e-6) | (np.abs(mine - level) < 1e-5)):
        yield Finding("wrong-mask", case.about)


def _piece(
    mine: float, given: float, slope: float, levels: list[float] | None, relative: float
) -> str | None:
    if np.isnan(slope):
        return "right"  # a kink: nobody knows
    limit = max(relative * abs(given) * 10, 1e-9)
    if abs(mine - slope * given) <= limit:
        return "right"
    if levels is not None:
        others = [level for level in levels if abs(level + slope) > 1e-9]  # not just its negative
        return "another" if any(abs(mine - level * given) <= limit for level in others) else None
    let_through = abs(slope) < 1e-9 and abs(mine) > limit
    return "another" if let_through or abs(mine) <= limit else None


def _diagonal(matrix: np.ndarray) -> np.ndarray | None:
    """The slopes of a function that works element by element, or None."""
    if matrix.shape[0] != matrix.shape[1]:
        return None
    diagonal = np.diag(matrix)
    if np.abs(matrix - np.diag(diagonal)).max(initial=0.0) > tolerance(diagonal, 1e-6):
        return None
    return diagonal


def _levels(slopes: np.ndarray) -> list[float] | None:
    """The few slopes of a function that is piecewise linear, or None."""
    levels = sorted({round(float(slope), 5) for slope in slopes if not np.isnan(slope)})
    few = 2 <= len(levels) <= max(_FEW_LEVELS, len(slopes) // 2) and len(slopes) > len(levels) + 1
    return levels if few else None
