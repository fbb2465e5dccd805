"""Tell gradients that look as if they were worked out from finite differences.

A formula is right to 15 digits or so, differences to 6 to 11. Those of many points may be as good
as a formula, and so are two points of a function that is linear or a square.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad.judge.arrays import Array, read_array, read_gradient

_FEW = 1e-12  # error of a gradient beside its largest element; an honest formula's is below 1e-14
_WORSE = 30  # times as far off as the value, whose errors a gradient shares
_MOST = 1e-11  # that a value's errors excuse
_FEW_SECOND = 1e-11  # of a second derivative
_ALIKE = 0.1  # how far ratios may be apart beside the largest, if they are one constant's


def looks_like_differences(measured: dict[str, Any], expected: dict[str, Any]) -> str:
    """Say what makes gradients look like finite differences, as a sentence; "" if nothing does."""
    if not measured.get("demands", {}).get("by hand"):
        return ""
    if digits := right_digits(measured, expected):
        return f"Its gradients are right to only {digits} digits, as finite differences are."
    return ""


def right_digits(measured: dict[str, Any], expected: dict[str, Any]) -> int | None:
    """Return how many digits of the worst gradient are right; None if none looks like differences.

    Only float64 is looked at. Where a loop settles, digits say nothing: it may stop early.
    """
    if expected.get("demands", {}).get("settles"):
        return None
    due = {trial["name"]: trial for trial in expected["trials"]}
    errors = [
        error
        for trial in measured["trials"]
        if trial["law"] != "wrong-dtype" and not _has_few_digits(due[trial["name"]])
        for error in _errors(trial, due[trial["name"]])
    ]
    return math.floor(-math.log10(max(errors))) if errors else None


def _has_few_digits(right: dict[str, Any]) -> bool:
    """Tell whether inputs are of fewer digits than float64, as those of some trials are."""
    dtypes = {each.get("dtype") for each in right["inputs"] if "shape" in each}
    return not dtypes.isdisjoint({"float32", "float16", "bfloat16"})


def _errors(trial: dict[str, Any], right: dict[str, Any]) -> list[float]:
    """The relative error of each gradient that looks like finite differences."""
    values = [
        _error(read_array(mine), read_array(due))
        for mine, due in zip(trial["outputs"], right["outputs"], strict=True)
    ]
    least = max(_FEW, min(_WORSE * max(values, default=0.0), _MOST))
    pairs = [
        (read_gradient(mine, about), read_gradient(due, about))
        for mine, due, about in zip(
            trial.get("grads") or [],
            right.get("grads") or [],
            (right["inputs"][place] for place in right["wanted"]),
            strict=False,
        )
    ]
    found = [(mine, due, least) for mine, due in pairs]
    seconds = _pairs(trial.get("second"), right.get("second"))
    found += [(mine, due, max(least, _FEW_SECOND)) for mine, due in seconds]
    return [
        error
        for mine, due, most in found
        if (error := _error(mine, due)) > most and not _by_a_constant(mine, due)
    ]


def _pairs(mine: Any, due: Any) -> Iterator[tuple[Array | None, Array | None]]:
    """Yield the numbers of two pieces of evidence that stand in the same place."""
    if isinstance(mine, dict) and isinstance(due, dict):
        if "data" in mine and "data" in due:
            yield read_array(mine), read_array(due)
        else:
            for key in mine.keys() & due.keys():
                yield from _pairs(mine[key], due[key])
    elif isinstance(mine, list) and isinstance(due, list):
        for one, other in zip(mine, due, strict=False):
            yield from _pairs(one, other)


def _error(mine: Array | None, due: Array | None) -> float:
    """How far the numbers are apart, beside the largest that is due; 0 if nobody knows."""
    if mine is None or due is None or mine.shape != due.shape:
        return 0.0
    largest = np.abs(due.values).max(initial=0.0)
    apart = np.abs(mine.values - due.values).max(initial=0.0)
    return float(apart / largest) if 0 < largest < math.inf and math.isfinite(apart) else 0.0


def _by_a_constant(mine: Array, due: Array) -> bool:
    """Tell whether what is off is off by one factor, such as a constant that is a float32."""
    some = due.values != 0
    off = mine.values[some] / due.values[some] - 1
    off = off[np.abs(off) > _FEW]
    return off.size > 1 and bool(np.ptp(off) <= _ALIKE * np.abs(off).max())
