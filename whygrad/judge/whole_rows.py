"""Say of a wrong gradient which term it lacks along whole rows, or which slope at one element."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from whygrad.judge.arrays import close
from whygrad.judge.gradient_case import GradientCase
from whygrad.judge.relation import Known
from whygrad.rounding import short
from whygrad.verdict import Finding

_MORE = 2  # numbers of a row beyond those that any term would fit
_NEAR = 1e-4  # a difference has the noise of both sides
_LOOK = (
    "Where forward divides by, or subtracts, a number that it works out from the whole of such a "
    "row, {about} stands in that number, too: this way from the output to {about} is a term of its "
    "own, with a sum or a mean over the row. Compare that term with your formula."
)


def of_whole_rows(finding: Finding, case: GradientCase, values: Known, incoming: str) -> Finding:
    """Return a finding with the term by which the gradient is off, along one dimension or more.

    The term is one number for each row, or a row of the input times such a number, or both
    together, as the mean and the length of a row give it.
    """
    pairs = [(case.laid(name), case.laid(name, due=True)) for name in ("first", "second")]
    if any(mine is None for mine, _ in pairs):
        return finding
    off = np.stack([mine - right for mine, right in pairs])
    if not np.isfinite(off).all():
        return finding
    for axes in _axes(len(case.shape)):
        size = np.prod([case.shape[axis] for axis in axes])
        for words, terms in _terms(finding.about, case, values):
            if size >= len(terms) + _MORE and _is_made_of(off, terms, axes):
                where = f" along dimension{'s' * (len(axes) > 1)} {' and '.join(map(str, axes))}"
                why = f"It is off by a term of its own: {words}. A row lies{where}."
                return finding.because(why, _LOOK.format(about=finding.about))
    return finding


def _axes(count: int) -> Iterator[tuple[int, ...]]:
    """Yield the dimensions that a row can lie along, most first: what fits a row fits its parts."""
    for size in range(min(count, 4), 0, -1):
        yield from combinations(range(count), size)


def _terms(about: str, case: GradientCase, values: Known) -> Iterator[tuple[str, list[np.ndarray]]]:
    """Yield what a term could be made of, for each row, with words for it."""
    ones = np.ones(case.shape)
    yield "the same number for all of a row", [ones]
    numbers = values.get(about)
    if numbers is not None and numbers.shape == case.shape and np.ptp(numbers) > 0:
        yield f"a number for each row, times {about}", [numbers]
        yield f"a number for each row, times {about}, and another number", [numbers, ones]


def _is_made_of(off: np.ndarray, terms: list[np.ndarray], axes: tuple[int, ...]) -> bool:
    """Tell whether each row is a sum of these terms, each times a number of its own."""

    def in_rows(array: np.ndarray) -> np.ndarray:
        turned = np.moveaxis(array, axes, range(-len(axes), 0))
        return turned.reshape(-1, int(np.prod(turned.shape[-len(axes) :])))

    sides = np.stack([in_rows(term) for term in terms], axis=-1)
    for numbers in off:
        rows = in_rows(numbers)
        pairs = zip(sides, rows, strict=True)
        made = [side @ np.linalg.lstsq(side, row, rcond=None)[0] for side, row in pairs]
        if not close(rows, np.stack(made), _NEAR):
            return False
    return True


def of_slopes(finding: Finding, case: GradientCase, values: Known, incoming: str) -> Finding:
    """Return a finding with the slope at one element, where each element stands for itself."""
    numbers = values.get(finding.about)
    if not case.elementwise or case.rows is None or numbers is None or numbers.shape != case.shape:
        return finding
    mine, right = np.diag(case.rows), np.diag(case.jacobian)
    if not np.isfinite(right).all() or not close(np.diag(mine), case.rows, _NEAR):
        return finding
    place = int(np.argmax(np.abs(mine - right)))
    at = short(float(numbers.reshape(-1)[place]))
    why = (
        f"Where {finding.about} is {at}, `{incoming}` is multiplied by "
        f"{short(float(mine[place]))}, and should be by {short(float(right[place]))}."
    )
    look = (
        f"Put this number into the derivative of your formula, on paper, one term after the other, "
        f"and print the same terms in `backward` for {finding.about} = {at}: the first that "
        "differs is the wrong one."
    )
    return finding.because(why, look)
