"""Tell a mistake that some values bring out from one that is made for a size."""

import numpy as np

from whygrad.evidence import Trial
from whygrad.judge.arrays import Array, read_array
from whygrad.judge.expectation import Expectation
from whygrad.verdict import Finding

_NEAR = 1e-4
_LOOK = (
    "Look in the code for what is right for some values only: a root, an absolute value, a "
    "condition. Work it out on paper for the numbers at this place."
)


def at_some_values(
    base: Trial, trial: Trial, expected: Expectation, names: list[str]
) -> Finding | None:
    """Return a finding if numbers of another size are wrong here and there, where others are right.

    What is made for one size is wrong everywhere, or beyond that size. It makes no number nan or
    inf beside one that is right.

    Args:
        base: the first trial, where all is right.
        trial: the one with wrong numbers.
        expected: what is right there.
        names: of the inputs.
    """
    pairs = [("wrong-forward", "", *three) for three in _outputs(base, trial, expected)]
    for place, right in enumerate(expected.grads):
        if base.grads and trial.grads:
            mine, first = (read_array(each.grads[place]) for each in (trial, base))
            pairs.append(("wrong-gradient", names[trial.wanted[place]], mine, right, first))
    for name, about, mine, right, first in pairs:
        if mine is None or mine.shape != right.shape:
            continue
        wrong = _wrong(mine, right)
        if wrong.any():
            odd = ~np.isfinite(mine.values)
            counted = (np.abs(right.values) > 0) | odd.any()
            if first is None or not (wrong & (_within(first, wrong) | odd)).any():
                return None
            if not (counted & ~wrong).any():
                return None
            if (wrong & odd).any():
                return Finding(name, about)  # what is behind nan or inf, others say
            count = f"{int(wrong.sum())} of {wrong.size} numbers"
            why = (
                f"Here {count} are wrong and the others right, and with the first inputs all are: "
                "so it depends on the values, and hardly on the size."
            )
            return Finding(name, about, why=why, look=_LOOK)
    return None


def _outputs(base: Trial, trial: Trial, expected: Expectation) -> list[tuple]:
    mine, first = (list(map(read_array, each.outputs)) for each in (trial, base))
    return [*zip(mine, expected.outputs or [], first, strict=False)]


def _wrong(mine: Array, right: Array) -> np.ndarray:
    scale = max(np.abs(right.values).max(initial=0.0), 1e-3)
    return ~(np.abs(mine.values - right.values) <= _NEAR * scale)  # nan is near nothing


def _within(first: Array, wrong: np.ndarray) -> np.ndarray:
    """Mark the places that the first inputs have, too."""
    inside = np.zeros_like(wrong)
    if len(first.shape) == wrong.ndim:
        inside[tuple(slice(size) for size in first.shape)] = True
    return inside
