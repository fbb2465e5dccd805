"""Explain a wrong gradient: hold it against what each known mistake would have given."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from whygrad.diagnosis import Finding
from whygrad.judge.axes import rearranged
from whygrad.judge.case import Case
from whygrad.judge.factors import proportional
from whygrad.judge.masks import masked
from whygrad.judge.numbers import close


def explain(case: Case, others: list[Case]) -> list[Finding]:
    """Name the mistakes that give just this wrong gradient, likeliest first."""
    for law in (_missing, _not_numbers, _ignored, masked, _bent, _swapped, proportional):
        found = list(law(case, others))
        if found:
            return found
    found = list(rearranged(case))
    return found or [Finding("wrong-gradient", case.about)]


def _missing(case: Case, others: list[Case]) -> Iterator[Finding]:
    if all(found is None or not found.any() for found in case.found.values()):
        none = all(found is None for found in case.found.values())
        yield Finding(
            "missing-gradient", case.about, "It is None." if none else "It is zero everywhere."
        )


def _not_numbers(case: Case, others: list[Case]) -> Iterator[Finding]:
    tried = [case.found[name] for name in ("first", "second", "ones")]
    if any(found is not None and not np.isfinite(found).all() for found in tried):
        yield Finding("wrong-gradient", case.about, "It holds numbers that are not finite.")


def _ignored(case: Case, others: list[Case]) -> Iterator[Finding]:
    first = case.found["first"]
    same = all(close(case.found[name], first) for name in ("second", "large", "zeros"))
    if first is not None and same:
        yield Finding(
            "grad-output-ignored",
            case.about,
            "It is the same for every incoming gradient.",
        )


def _bent(case: Case, others: list[Case]) -> Iterator[Finding]:
    """Not linear: the laws are about what came back, whatever would be right."""
    first, second = case.found["first"], case.found["second"]
    if first is None or second is None:
        return
    held = {
        "of the sum of two incoming gradients is not the sum of their gradients": (
            "sum",
            first + second,
        ),
        "of 1000 times the incoming gradient is not 1000 times as large": ("large", 1000 * first),
        "of a thousandth of the incoming gradient is not a thousandth": ("small", first / 1000),
        "of the negative incoming gradient is not the negative": ("negative", -first),
        "of an incoming gradient of zeros is not zero": ("zeros", 0 * first),
    }
    for words, (name, guess) in held.items():
        found = case.found[name]
        scale = max(np.abs(guess).max(initial=0.0), 1e-3 * np.abs(first).max(initial=0.0), 1e-9)
        if found is None or not np.all(np.abs(found - guess) <= 1e-4 * scale):
            yield Finding("not-linear-in-grad-output", case.about, f"The gradient {words}.")
            return


def _swapped(case: Case, others: list[Case]) -> Iterator[Finding]:
    for other in others:
        if other.place == case.place or other.shape != case.shape:
            continue
        names = ("first", "second", "ones")
        if all(case.fits(n, other.right(n)) and other.fits(n, case.right(n)) for n in names):
            yield Finding("swapped-gradients", f"{case.about} and {other.about}")
            return


def with_detail(finding: Finding, detail: str) -> Finding:
    """Return the finding with a detail, if it has none."""
    return finding if finding.detail else replace(finding, detail=detail)
