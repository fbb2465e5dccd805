"""Say of a wrong value where it is wrong, and what it is there, where that is simple."""

import re

import numpy as np

from whygrad.judge.arrays import close, turned
from whygrad.judge.relation import Known, nearly, only_at, region, relation, splits, spread, those

_NEAR = 1e-4
# By the factor of an input that is added to the right value, what is said of it.
_TERMS = {-1: "`{}` is left out", -2: "`{}` has the other sign", 1: "`{}` is added once too often"}
_MORE = {1: "the right one plus {}", -1: "the right one minus {}"}


def why_wrong(mine: np.ndarray, right: np.ndarray, values: Known) -> str:
    """Return one or two sentences on how a value differs, or "" if nothing simple says it.

    Args:
        mine: the numbers of the output.
        right: those that are due.
        values: the numbers of the inputs, by name.
    """
    if mine.shape != right.shape:
        return _of_shape(mine, right)
    if not np.isfinite(mine).all() or not right.size:
        return ""
    if words := nearly(mine, right):
        return words
    if any(close(one, mine, _NEAR) for one in turned(right, 3)):
        return "Its numbers are right, but rows and columns are exchanged."
    known = spread(values, right.shape)
    apart = np.abs(mine - right) > _NEAR * max(np.abs(right).max(), 1e-3)
    wrong, mine, right = (array.reshape(-1) for array in (apart, mine, right))
    bad, good = region(wrong, known)
    if bad:
        what = _relation(mine, right, known, wrong)
        if not what or re.match(r"\d+\.\d", what):  # such a factor may be chance: a term is plainer
            there = those(known, wrong) if wrong.sum() > 2 else {}
            what = _term((mine - right)[wrong], there, _MORE) or what
        return f"It is right where {good}, and wrong where {bad}." + (
            what and f" There it is {what}."
        )
    if term := _term(mine - right, known, _TERMS):
        return f"What is wrong is a term: {term}."
    if what := _relation(mine, right, known, np.ones_like(wrong)):
        return f"Element by element, it is {what}."
    for low, high, below in splits(known):
        here, there = (_relation(mine, right, known, part) for part in (below, ~below))
        if here and there:
            return f"Where {low} it is {here}; where {high} it is {there}."
    where = only_at(wrong, known)
    return where and f"It is right {where}."


def _relation(mine: np.ndarray, right: np.ndarray, known: Known, part: np.ndarray) -> str:
    return relation(mine[part], right[part], those(known, part), names=True)


def _of_shape(mine: np.ndarray, right: np.ndarray) -> str:
    if mine.size == 1 and right.size > 1:
        return "All is put together into one number, where one for each element is due."
    if right.ndim and mine.shape == right.shape[1:] and close(mine, right[0], _NEAR):
        return (
            "These are the numbers of its first row alone. Where forward returns several tensors, "
            "`[0]` takes the first of them; where it returns one, `[0]` takes its first row."
        )
    if mine.size == right.size and close(mine.reshape(right.shape), right, _NEAR):
        return (
            "Its numbers are right, and in their order: only the shape is another, and `reshape` "
            "changes it."
        )
    if mine.shape == right.shape[::-1]:
        return "Its dimensions stand in the opposite order."
    if any(close(one, mine, _NEAR) for one in turned(right)):
        return "Its numbers are right, but its dimensions stand in another order."
    if mine.ndim > right.ndim:
        return "It has a dimension too many: two shapes broadcast, or one was put in by an index."
    if mine.ndim == right.ndim:
        return "It has as many dimensions as it should, and another length along one at least."
    for axis, length in enumerate(right.shape):
        if mine.shape == right.shape[:axis] + right.shape[axis + 1 :]:
            return (
                f"Dimension {axis}, of length {length}, is gone: a sum, a mean, an index or a "
                "product with `@` takes one away. `*` goes element by element."
            )
    return ""


def _term(apart: np.ndarray, known: Known, said: dict[int, str]) -> str:
    """Find an input that a value is off by, times one of some factors, and say what is said."""
    for name, numbers in known.items():
        for factor, words in said.items():
            if numbers.any() and np.abs(apart - factor * numbers).max() < 1e-5:
                return words.format(name)
    return ""
