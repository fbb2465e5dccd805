"""Explain a gradient that is a multiple of the right one: a sign, a factor, a mean."""

from collections.abc import Iterator

from whygrad.diagnosis import Finding
from whygrad.judge.case import Case, ratio
from whygrad.judge.numbers import close
from whygrad.rounding import short


def proportional(case: Case, others: list[Case]) -> Iterator[Finding]:
    right, found = case.right("first"), case.found["first"]
    factor = ratio(found, right)
    if factor is None:
        return
    for name in ("first", "second", "ones"):
        if not close(case.found[name], factor * case.right(name), case.relative * 5):
            return
    here = [other for other, _, same_size in case.elsewhere if same_size]
    if not all(abs(other - factor) < 1e-3 * abs(factor) for other in here):
        return  # not a constant: it depends on the numbers
    if abs(factor + 1) < 1e-4:
        yield Finding("wrong-sign", case.about)
        return
    means = _mean_of(case, factor)
    kind = "divided" if abs(factor) < 1 else "multiplied"
    mean = Finding("sum-or-mean", case.about, f"It is {kind} by {means}.")
    constant = Finding("wrong-factor", case.about, f"It is {short(factor)} times the right one.")
    if not means:
        yield constant
    elif all(abs(other / factor - 1) < 1e-3 for other, _, _ in case.elsewhere):
        # No other size was tried that would tell them apart. A 2 is mostly one of the formula.
        yield from (constant, mean) if means == 2 else (mean, constant)
    else:
        yield mean
    if factor < 0:
        yield Finding("wrong-sign", case.about)


def _mean_of(case: Case, factor: float) -> int:
    """Return the number of elements that a mean was taken of, or 0 if none fits everywhere."""
    for label, size in case.sizes.items():
        if size > 1 and _is_ratio(abs(factor), size):
            others = [
                _is_ratio(abs(other), sizes[label])
                for other, sizes, same_size in case.elsewhere
                if not same_size and label in sizes
            ]
            if all(others):
                return size
    return 0


def _is_ratio(factor: float, size: int) -> bool:
    return abs(factor * size - 1) < 1e-3 or abs(factor / max(size, 1) - 1) < 1e-3
