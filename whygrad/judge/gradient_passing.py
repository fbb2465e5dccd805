"""Say of a gradient that it is unchanged, how a mask parts it, or which factor it has."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from whygrad.judge.relation import Known, region
from whygrad.verdict import Finding


def unchanged(finding: Finding, right: np.ndarray, known: Known, incoming: str) -> Finding:
    """Return the finding for a gradient that is the incoming one at every place.

    Args:
        finding: a wrong mask.
        right: the right slopes, element by element.
        known: the numbers that belong to each element, by name.
        incoming: the name of the incoming gradient.
    """
    bad, good = region(np.abs(right - 1) > 1e-5, known)
    where = f" That is right where {good}, and wrong where {bad}." if bad else ""
    return replace(
        finding,
        why=f"What comes back is `{incoming}`, unchanged.{where}",
        look="Does `backward` change a copy? Then the copy is what to return. A method without an "
        "underscore at its end changes nothing: it returns a new tensor, which needs a name. If it "
        "chooses by a mask, print the mask: both True and False have to be there."
        + (f" Which factor is expected where {bad}?" if bad else ""),
    )


def turned(mine: np.ndarray, right: np.ndarray, below: np.ndarray, limit: float) -> str:
    """Say that the two sides of a limit are exchanged, or that the limit does not fit; else "".

    Args:
        mine: the slopes by which the answer multiplies, element by element.
        right: those that are due.
        below: which elements lie on one side.
        limit: how far apart two slopes are that differ.
    """
    stopped, due = np.abs(mine) < limit, np.abs(right) < limit
    if due.any() and np.array_equal(stopped, ~due):
        return " The mask is the other way round: what it stops is to pass, and the rest is not."
    sides = [(mine[side], right[side]) for side in (below, ~below)]
    if not any(np.ptp(slopes) > limit for side in sides for slopes in side):
        (one, due_one), (other, due_other) = ((found[0], right[0]) for found, right in sides)
        if max(abs(one - due_other), abs(other - due_one)) < limit:
            return " The two sides have changed places."
    if all(due[side].any() and not due[side].all() for side in (below, ~below)):
        return (
            " On each side, some of it should be zero and some should not: this limit does not "
            "part the elements as forward does."
        )
    return ""


def of_factor(what: str, due: str, names: Iterable[str], about: str, incoming: str) -> str:
    """Say what to look at where the incoming gradient is multiplied by a wrong tensor; else "".

    Args:
        what: what the gradient is, in words.
        due: what is due, in words; or "".
        names: of the tensors that are known.
        about: the name of the input.
        incoming: the name of the incoming gradient.
    """
    start = f"`{incoming}` times "
    factor, right = what.removeprefix(start), due.removeprefix(start)
    if factor == "the output" and what != factor:
        return (
            f"Due is `{incoming}` times the derivative of the output by {about}. Take the formula "
            f"of forward, in each of its cases: how fast does the output grow with {about}?"
        )
    if what == f"`{incoming}` itself":
        return (
            f"The derivative of the output by {about} is missing as a factor. Work it out for one "
            f"element, and multiply `{incoming}` by it."
        )
    if not {factor, right} <= set(names):
        return ""
    return (
        f"Another factor is due than {factor}. If {factor} does not stand in this line, a saved "
        "tensor came back under another name: compare what forward saves, name by name, with the "
        "line that unpacks."
    )
