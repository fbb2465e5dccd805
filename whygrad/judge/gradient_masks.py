"""Explain a gradient that lets the wrong elements through."""

from collections.abc import Iterator

import numpy as np

from whygrad.judge.arrays import tolerance
from whygrad.judge.gradient_case import GradientCase
from whygrad.judge.relation import Known, only_at, sized
from whygrad.rounding import short
from whygrad.verdict import Finding

_TRIED = ("first", "second")  # incoming gradients
_FEW_LEVELS = 3  # slopes of a function that is piecewise linear


def masked(case: GradientCase) -> Iterator[Finding]:
    """Element by element, a slope of the function, but that of another piece."""
    zeros = case.found["zeros"]
    if zeros is not None and zeros.any():
        return  # what passes is made of something else than what comes in
    slopes = _diagonal(case.jacobian)
    if slopes is None:
        is_masked = _masked_sum(case) or _wrong_choice(case)
    else:
        is_masked = _turned(case, slopes) or _of_another_piece(case, slopes)
    if is_masked:
        yield Finding("wrong-mask", case.about)


def _of_another_piece(case: GradientCase, slopes: np.ndarray) -> bool:
    """Return whether elements have the slope of another piece, and all the others are right."""
    zero, levels, wrong = np.abs(slopes) < 1e-9, _levels(slopes), False
    if levels is None and zero.any() == zero.all():
        return False
    for name in ("first", "second", "negative", "ones"):
        mine, given = case.found[name], case.incoming[name]
        if mine is None:
            return False
        limit = np.maximum(10 * case.relative * np.abs(given), 1e-9)
        # Anything may be right at a kink.
        right = np.isnan(slopes) | (np.abs(mine - slopes * given) <= limit)
        another = zero | (np.abs(mine) <= limit)
        if levels is not None:
            fits = np.abs(mine - levels * given) <= limit
            another = (fits & (np.abs(levels + slopes) > 1e-9)).any(axis=0)  # not its negative
        if not (right | another).all():
            return False
        wrong |= not right.all()
    return wrong


def _turned(case: GradientCase, slopes: np.ndarray) -> bool:
    """Tell whether one of the slopes stands just where it should not: a condition reversed."""
    mine = None if case.rows is None else _diagonal(case.rows)
    values, counts = np.unique(np.round(np.nan_to_num(slopes), 5), return_counts=True)
    if mine is None or counts.max(initial=0) < 2 or len(values) < 2:
        return False
    usual = values[counts.argmax()]
    here, there = np.abs(mine - usual) < 1e-4, np.abs(slopes - usual) < 1e-4
    return bool(np.all(here != there) and not np.allclose(mine, -slopes))


def _masked_sum(case: GradientCase) -> bool:
    """The same for an input that broadcasts: each element of the output belongs to one of it."""
    own, mine, right = case.own, case.rows, case.slopes
    if mine is None or own is None:
        return False
    limit = tolerance(right, 1e-5)
    if np.abs(mine[~own]).max(initial=0.0) > limit or np.abs(right[~own]).max(initial=0.0) > limit:
        return False
    mine, right = mine[own], right[own]
    shut = np.abs(right) < 1e-9
    other = np.abs(mine - right) > limit
    one_is_zero = shut | (np.abs(mine) < 1e-9)
    return bool((other & shut).any() and not shut.all() and one_is_zero[other].all())


def _wrong_choice(case: GradientCase) -> bool:
    """The same for a function that chooses some of its inputs, as a maximum does."""
    if case.rows is None:
        return False
    right, mine = case.slopes, case.rows
    chosen = {round(float(number), 5) for number in np.unique(right)} - {0.0}
    if case.used.any(axis=0).all() or len(chosen) != 1 or np.allclose(right, mine, atol=1e-6):
        return False
    level = chosen.pop()
    chosen_or_not = (np.abs(mine) < 1e-6) | (np.abs(mine - level) < 1e-5)
    return bool(mine.any() and chosen_or_not.all())


def of_limit(finding: Finding, case: GradientCase, values: Known) -> Finding:
    """Return a finding with the two limits, where both masks part the elements at one.

    For two incoming gradients the same elements pass, and those are all on one side of a limit.
    """
    mine = _passing([case.found[name] for name in _TRIED])
    right = _passing([case.right(name) for name in _TRIED])
    if mine is None or right is None or mine.shape != right.shape or np.array_equal(mine, right):
        return finding
    known = {name: numbers for name, numbers in values.items() if numbers.shape == case.shape}
    if only_at(mine != right, known):
        return finding  # which others say
    for what, numbers in sized(known):
        (side, yours), (expected, limit) = (_limit(on, numbers) for on in (mine, right))
        if side and side == expected:
            why = (
                f"It separates the elements by {what}, as it should, but at a different limit: "
                f"yours is between {yours}, the right one between {limit}."
            )
            return finding.because(why, "Look for the number that the condition compares with.")
    return finding


def _passing(rows: list[np.ndarray | None]) -> np.ndarray | None:
    """Return which elements pass, the same for each incoming gradient; None if they differ."""
    if any(row is None for row in rows):
        return None
    first, *others = (np.abs(row) > tolerance(row, 1e-5) for row in rows)
    return first if all(np.array_equal(first, other) for other in others) else None


def _limit(on: np.ndarray, numbers: np.ndarray) -> tuple[str, str]:
    """Return the side of a limit on which all pass, and the two numbers next to it; or ""."""
    inside, outside = numbers[on], numbers[~on]
    for side, low, high in (("below", inside, outside), ("above", outside, inside)):
        if low.size and high.size and low.max() < high.min():
            return side, f"{short(float(low.max()))} and {short(float(high.min()))}"
    return "", ""


def _diagonal(matrix: np.ndarray) -> np.ndarray | None:
    """The slopes of a function that works element by element, or None."""
    if matrix.shape[0] != matrix.shape[1]:
        return None
    diagonal = np.diag(matrix)
    if np.abs(matrix - np.diag(diagonal)).max(initial=0.0) > tolerance(diagonal, 1e-6):
        return None
    return diagonal


def _levels(slopes: np.ndarray) -> np.ndarray | None:
    """The few slopes of a function that is piecewise linear, in a column; or None."""
    levels = np.unique(np.round(slopes[~np.isnan(slopes)], 5))
    few = 2 <= len(levels) <= max(_FEW_LEVELS, len(slopes) // 2) and len(slopes) > len(levels) + 1
    return levels[:, None] if few else None
