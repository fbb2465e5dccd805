"""Say of a wrong gradient where it is wrong, and what it is there, where that is simple."""

from dataclasses import replace

import numpy as np

from whygrad.judge.arrays import close, tolerance
from whygrad.judge.gradient_case import GradientCase
from whygrad.judge.gradient_masks import of_limit
from whygrad.judge.gradient_passing import of_factor, turned, unchanged
from whygrad.judge.gradient_sums import left_out
from whygrad.judge.relation import (
    Known,
    nearly,
    only_at,
    region,
    relation,
    slope,
    splits,
    spread,
    those,
)
from whygrad.verdict import Finding

_BENT, _IGNORED = "not-linear-in-grad-output", "grad-output-ignored"
_REFINED = {"wrong-gradient", "wrong-mask", _BENT}


def refine(finding: Finding, case: GradientCase, values: Known, incoming: str) -> Finding:
    """Return a finding with the reason, where the numbers tell it.

    Args:
        finding: what the laws said of the gradient.
        case: that gradient.
        values: the numbers of inputs and output, by name.
        incoming: the name of the incoming gradient.
    """
    if finding.name not in _REFINED or finding.why:
        return finding
    both = _both(case)
    if finding.name == "wrong-gradient" and both and (words := nearly(*both)):
        return finding.because(words)
    if finding.name == "wrong-mask":
        finding = of_limit(finding, case, values)
    found = finding if finding.why else _by_elements(finding, case, values, incoming)
    if found is finding and finding.name == _BENT and _has_a_free_term(case):
        why = "A term of what `backward` returns has no incoming gradient as a factor."
        look = "Look for this term: each of them is a product with an incoming gradient."
        return finding.because(why, look)
    if found is finding and found.name == "wrong-gradient" and (left := left_out(case)):
        return replace(left, detail=finding.detail)
    return found


def _has_a_free_term(case: GradientCase) -> bool:
    """Tell whether it is linear but for something that is added, whatever comes in."""
    tried = [case.found[name] for name in ("first", "second", "sum", "negative", "zeros")]
    if any(found is None for found in tried):
        return False
    first, second, both, negative, zeros = tried
    return bool(zeros.any() and np.isfinite(zeros).all()) and (
        close(both, first + second - zeros, 1e-4) and close(negative, 2 * zeros - first, 1e-4)
    )


def _by_elements(finding: Finding, case: GradientCase, values: Known, incoming: str) -> Finding:
    own = _owned(case)
    if own is None:
        return _by_places(finding, case, values)
    own_first = sorted(values, key=lambda name: name != case.about)
    known = spread({name: values[name] for name in own_first}, case.out_shape)
    if finding.name == _BENT:
        if _has_it_twice(case, own):
            why = f"It is the right one times `{incoming}`: this factor is there once too often."
            look = (
                f"Look for each place where `{incoming}` is a factor, also in what backward calls."
            )
            return finding.because(why, look)
        return _forgotten(finding, case, known, incoming)
    if finding.name == "wrong-mask" and (changes := _asked_in(case)):
        why = f"Which elements it lets through changes with the {changes} of `{incoming}`."
        look = "Ask the input in the condition: it decides which branch of forward was taken."
        return finding.because(why, look)
    if case.rows is None or _strays(case, own):
        return finding
    mine, right = case.rows[own], case.slopes[own]
    if finding.name == "wrong-mask" and case.elementwise and np.allclose(mine, 1.0):
        return unchanged(finding, right, known, incoming)
    return _explained(finding, mine, right, known, incoming)


def _both(case: GradientCase) -> list[np.ndarray]:
    """Return the gradients for two incoming ones, then the right ones; nothing if one is None."""
    tried = ("first", "second")
    mine = [case.found[name] for name in tried]
    if any(one is None for one in mine):
        return []
    return [np.concatenate(mine), np.concatenate([case.right(name) for name in tried])]


def _asked_in(case: GradientCase) -> str:
    """Say by what of the incoming gradient the gradient is not linear, its sign or its size."""
    first = case.found["first"]
    for what, name, factor in ("sign", "negative", -1), ("size", "large", 1000):
        if first is not None and not close(case.found[name], factor * first, 1e-4):
            return what
    return ""


def _by_places(finding: Finding, case: GradientCase, values: Known) -> Finding:
    """Hold the gradient itself against the right one, where an element depends on several."""
    both = _both(case)
    if finding.name != "wrong-gradient" or not both:
        return finding
    known = {name: n for name, n in values.items() if n.shape == case.shape}
    what = relation(*both, spread(known, (2, *case.shape)))
    return finding.because(f"Element by element, it is {what}.") if what else finding


def _explained(
    finding: Finding, mine: np.ndarray, right: np.ndarray, known: Known, incoming: str
) -> Finding:
    limit = tolerance(right, 1e-5)
    wrong = np.abs(mine - right) > limit
    if not wrong.any():
        return finding  # right for unit vectors, then, and wrong for others

    def said(part: np.ndarray) -> str:
        return _said(mine[part], right[part], those(known, part), incoming, limit)

    own = {name: numbers for name, numbers in known.items() if name == finding.about}
    if where := only_at(wrong, own):
        return finding.because(f"Element by element, it is right {where}.")
    for some in (np.ones_like(wrong), (np.abs(mine) > limit) | (np.abs(right) > limit)):
        bad, good = region(wrong[some], those(known, some))
        if bad:
            what = said(wrong)
            among = "It is" if some.all() else "Where it is not rightly zero, it is"
            why = f"{among} right where {good}, and wrong where {bad}."
            why += f" There it is {what}." if what else ""
            return finding.because(why, _look(bad, finding.about))
    if what := said(wrong | (np.abs(mine) > limit)):
        look = of_factor(what, slope(right, known, incoming), known, finding.about, incoming)
        return finding.because(f"Element by element, it is {what}.", look)
    for low, high, below in splits(known):
        if (here := said(below)) and (there := said(~below)):
            why = f"Where {low} it is {here}; where {high} it is {there}."
            why += turned(mine, right, below, limit)
            return finding.because(why, _look(low if wrong[below].any() else high, finding.about))
    return finding


def _said(mine: np.ndarray, right: np.ndarray, known: Known, incoming: str, limit: float) -> str:
    """Say what a part of the numbers is; "" if nothing is known."""
    if not np.abs(mine - right).max(initial=0.0) > limit:
        return "right"
    if np.abs(mine).max() < limit:
        return "zero"
    what = slope(mine, known, incoming)
    what = what or relation(mine, right, known, unit=f"`{incoming}`")
    if np.abs(right).max() < limit:
        return f"{what}, and should be zero" if what else "not zero, as it should be"
    return what


def _look(where: str, about: str) -> str:
    return (
        f"Take one element with {where}. Which formula gives the output there, and what is its "
        f"derivative with respect to {about}? Then look which line of backward this element goes "
        "through."
    )


def _has_it_twice(case: GradientCase, own: np.ndarray) -> bool:
    """Tell whether the incoming gradient is a factor once too often, element by element."""
    slopes = np.where(own, case.slopes, 0)
    return all(
        close(case.found[name], slopes.T @ case.incoming[name] ** 2, case.relative * 5)
        for name in ("first", "second", "negative")
    )


def _forgotten(finding: Finding, case: GradientCase, known: Known, incoming: str) -> Finding:
    """Find a part of the elements whose gradient does not depend on the incoming one."""
    first, second = case.found["first"], case.found["second"]
    if first is None or second is None or len(first) != len(case.incoming["first"]):
        return finding
    same = np.abs(first - second) < tolerance(first, 1e-6)
    rest = ~same
    both = (("first", first), ("second", second))
    same &= np.abs(first) > 0  # a zero may be right for any
    if not same.any() or not all(close(f[rest], case.right(n)[rest], 1e-4) for n, f in both):
        return finding
    some = (first != 0) | (case.right("first") != 0)
    bad, good = region(same[some], those(known, some))
    if not bad:
        return finding
    why = f"Where {good} it is right. Where {bad} it is the same for every `{incoming}`."
    look = f"Look for the line of backward that is for {bad}: where does `{incoming}` come in?"
    return Finding(_IGNORED, finding.about, f"It is so where {bad}.", why, look)


def _owned(case: GradientCase) -> np.ndarray | None:
    """Mark, for each element of the output, the one of the input that broadcasts to it."""
    own = case.own
    return None if own is None or np.abs(case.slopes[~own]).max(initial=0.0) > 1e-6 else own


def _strays(case: GradientCase, own: np.ndarray) -> bool:
    return bool(np.abs(case.rows[~own]).max(initial=0.0) > 1e-6)
