"""Say of a wrong value where it is wrong, and what it is there, where that is simple."""

import re
from itertools import permutations

import numpy as np

from whygrad.judge.arrays import close
from whygrad.judge.relation import Known, lies, nearly, region, relation, splits

_NEAR = 1e-4


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
    for order in [*permutations(range(right.ndim))][1:] if right.ndim <= 3 else []:
        if close(right.transpose(order), mine, _NEAR):
            return "Its numbers are right, but rows and columns are exchanged."
    known = _beside(values, right.shape)
    apart = np.abs(mine - right) > _NEAR * max(np.abs(right).max(), 1e-3)
    wrong = apart.reshape(-1)
    if where := lies(apart):  # that numbers of an input part it like this, too, is chance
        return f"It is right {where}."
    bad, good = region(wrong, known)
    part = wrong if bad else np.ones_like(wrong)
    there = {name: numbers[part] for name, numbers in known.items()}
    what = relation(mine.reshape(-1)[part], right.reshape(-1)[part], there, names=True)
    if bad:
        if not what or re.match(r"\d+\.\d", what):  # such a factor may be chance: a term is plainer
            what = _term_more((mine - right).reshape(-1)[part], there) or what
        return f"It is right where {good}, and wrong where {bad}." + (
            what and f" There it is {what}."
        )
    if term := _by_term((mine - right).reshape(-1), known):
        return term
    if what:
        return f"Element by element, it is {what}."
    return _in_two_parts(mine.reshape(-1), right.reshape(-1), known) or _by_axis(mine, right)


def _in_two_parts(mine: np.ndarray, right: np.ndarray, known: Known) -> str:
    for low, high, below in splits(known):
        said = []
        for where, part in ((low, below), (high, ~below)):
            there = {name: numbers[part] for name, numbers in known.items()}
            said.append((where, relation(mine[part], right[part], there, names=True)))
        if all(what for _, what in said):
            return f"Where {said[0][0]} it is {said[0][1]}; where {said[1][0]} it is {said[1][1]}."
    return ""


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
    if mine.ndim == right.ndim and right.ndim <= 4 and right.size:
        for order in permutations(range(right.ndim)):
            if close(right.transpose(order), mine, _NEAR):
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
    return "A dimension is gone: a sum, a mean, an index or a product with `@` takes one away."


def _by_term(apart: np.ndarray, known: Known) -> str:
    """Find an input that is left out as a term, or comes in too often."""
    words = {-1: "is left out", -2: "has the other sign", 1: "is added once too often"}
    for name, numbers in known.items():
        for factor, said in words.items():
            if numbers.any() and np.abs(apart - factor * numbers).max() < 1e-5:
                return f"What is wrong is a term: `{name}` {said}."
    return ""


def _term_more(apart: np.ndarray, known: Known) -> str:
    """Say which input is added to the right value, or taken from it."""
    for name, numbers in known.items():
        for factor, word in ((1, "plus"), (-1, "minus")):
            if len(numbers) > 2 and np.abs(apart - factor * numbers).max() < 1e-5:
                return f"the right one {word} {name}"
    return ""


def _by_axis(mine: np.ndarray, right: np.ndarray) -> str:
    """Find a term that is left out or added, the same in each row or in each column."""
    apart = mine - right
    for axis in range(apart.ndim) if apart.ndim > 1 else ():
        if apart.shape[axis] > 1 and np.ptp(apart, axis=axis).max() < _NEAR * np.abs(right).max():
            return (
                f"What is too much or too little is the same along dimension {axis}: a term that "
                "is added there has another sign, is left out, or is another one."
            )
    return ""


def _beside(values: Known, shape: tuple[int, ...]) -> Known:
    found = {}
    for name, numbers in values.items():
        if numbers.ndim <= len(shape) and numbers.size:
            try:
                found[name] = np.broadcast_to(numbers, shape).reshape(-1)
            except ValueError:
                continue
    return found
