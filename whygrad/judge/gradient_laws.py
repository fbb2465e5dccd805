"""Explain a wrong gradient: hold it against what each known mistake would have given."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from whygrad.judge.arrays import close
from whygrad.judge.gradient_case import LOOKED_AT, GradientCase, ratio
from whygrad.judge.gradient_masks import masked
from whygrad.judge.gradient_shapes import rearranged
from whygrad.judge.gradient_sums import summed_apart
from whygrad.rounding import short, times
from whygrad.verdict import Finding


def explain(case: GradientCase, others: list[GradientCase]) -> list[Finding]:
    """Name the mistakes that give just this wrong gradient, likeliest first."""
    swapped = partial(_swapped, others=others)
    of_numbers = (_missing, _not_numbers, _ignored)
    laws = (
        *(*of_numbers, masked, _bent, swapped, _proportional),
        *(_not_conjugated, _turned),
        *(summed_apart, rearranged),
    )
    if not case.linear:  # then a Jacobian says nothing of other incoming gradients
        laws = (*of_numbers, swapped, _proportional)
    for law in laws:
        if found := list(law(case)):
            return found
    return [Finding("wrong-gradient", case.about)]


def _missing(case: GradientCase) -> Iterator[Finding]:
    if case.is_nothing:
        none = all(found is None for found in case.found.values())
        yield Finding(
            "missing-gradient", case.about, "It is None." if none else "It is zero everywhere."
        )


def _not_numbers(case: GradientCase) -> Iterator[Finding]:
    tried = [case.found[name] for name in LOOKED_AT]
    if any(found is not None and not np.isfinite(found).all() for found in tried):
        yield Finding("wrong-gradient", case.about, "It holds numbers that are not finite.")


def _ignored(case: GradientCase) -> Iterator[Finding]:
    if case.is_constant:
        words = "It is the same for every incoming gradient."
        yield Finding("grad-output-ignored", case.about, words)


def _bent(case: GradientCase) -> Iterator[Finding]:
    """Not linear: the laws are about what came back, whatever would be right."""
    first, second = case.found["first"], case.found["second"]
    if first is None or second is None:
        return
    sums = "the sum of two incoming gradients is not the sum of their gradients"
    held = {
        "sum": (first + second, sums),
        "large": (1000 * first, "1000 times the incoming gradient is not 1000 times as large"),
        "small": (first / 1000, "a thousandth of the incoming gradient is not a thousandth"),
        "negative": (-first, "the negative incoming gradient is not the negative"),
        "zeros": (0 * first, "an incoming gradient of zeros is not zero"),
    }
    for name, (guess, words) in held.items():
        found = case.found[name]
        scale = max(np.abs(guess).max(initial=0.0), 1e-3 * np.abs(first).max(initial=0.0), 1e-9)
        if found is None or not np.all(np.abs(found - guess) <= max(1e-4, case.relative) * scale):
            yield Finding("not-linear-in-grad-output", case.about, f"The gradient of {words}.")
            return


def _swapped(case: GradientCase, others: list[GradientCase]) -> Iterator[Finding]:
    for other in others:
        same = other.shape == case.shape
        if same and case.fits_all(other.right) and other.fits_all(case.right):
            yield Finding("swapped-gradients", f"{case.about} and {other.about}")
            return


def _proportional(case: GradientCase) -> Iterator[Finding]:
    """A multiple of the right one: a sign, a factor, a mean."""
    right, found = case.right("first"), case.found["first"]
    factor = ratio(found, right, case.relative)
    if factor is None or abs(factor - 1) <= 2 * case.relative:
        return  # what is off by so little is not off by a factor
    for name in LOOKED_AT:
        if not close(case.found[name], factor * case.right(name), case.relative * 5):
            return
    here = [other for other, _, same_size in case.elsewhere if same_size]
    if not all(abs(other - factor) < max(1e-3, 2 * case.relative) * abs(factor) for other in here):
        return  # not a constant: it depends on the numbers
    if abs(factor + 1) < max(1e-4, 2 * case.relative):
        yield Finding("wrong-sign", case.about)
        return
    means = _mean_of(case, factor)
    kind = "divided" if abs(factor) < 1 else "multiplied"
    mixed = "as in a mean" if abs(factor) < 1 else "as if a sum stood for a mean"
    mean = Finding("sum-or-mean", case.about, f"It is {kind} by {means}, {mixed}.")
    constant = Finding("wrong-factor", case.about, times(factor))
    if not means:
        yield constant
    elif all(abs(other / factor - 1) < 1e-3 for other, _, _ in case.elsewhere):
        # No other size was tried that would tell them apart. A 2 is mostly one of the formula,
        # and element by element nothing is summed.
        if case.elementwise:
            yield constant
        else:
            yield from (constant, mean) if means == 2 else (mean, constant)
    else:
        yield mean
    if factor < 0:
        yield Finding("wrong-sign", case.about)


def _not_conjugated(case: GradientCase) -> Iterator[Finding]:
    """The gradient as it is for real numbers: the factors are not conjugated."""
    are_complex = (case.mirror < 0).any() or (case.mirror_out < 0).any()
    if are_complex and case.fits_all(case.without_conjugate):
        yield Finding("missing-conjugate", case.about)


def _turned(case: GradientCase) -> Iterator[Finding]:
    """The right one times a complex number."""
    if (case.mirror > 0).all() or case.found["first"] is None:
        return
    found, right = case.found["first"].view(complex), case.right("first").view(complex)
    known = np.isfinite(right)
    size = np.vdot(right[known], right[known])
    if not size:
        return
    factor = complex(np.vdot(right[known], found[known]) / size)
    if case.fits_all(lambda name: (factor * case.right(name).view(complex)).view(float)):
        said = f"{short(factor.real, zero=1e-6)}{'-' if factor.imag < 0 else '+'}"
        words = f"It is {said}{short(abs(factor.imag))}j times the right one."
        yield Finding("wrong-factor", case.about, words)


def _mean_of(case: GradientCase, factor: float) -> int:
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
