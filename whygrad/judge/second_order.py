"""Judge a double backward: is it there, and is it right?"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from whygrad.judge.arrays import Array, close, difference, read_array
from whygrad.judge.expectation import blocks
from whygrad.judge.inquiry import Inquiry, cannot_be_differentiated, not_started, see, wrong_count
from whygrad.raised import explained
from whygrad.verdict import Finding, Raised

LOST, WRONG = "second-order-lost", "second-order-wrong"


def derivatives(inquiry: Inquiry) -> list[Finding]:
    """Compare the derivatives of each gradient, for each input and for the incoming gradient."""
    second = inquiry.base.get("second")
    if inquiry.measured["order"] != 2 or not second:
        return []
    for way in ("tracked", "constant"):
        if raised := second[way].get("raised"):
            return _raised(inquiry, raised)
    if inquiry.expected is None or inquiry.expected.second is None:
        return []
    return _compare(inquiry, second["tracked"])


def _raised(inquiry: Inquiry, raised: dict[str, Any]) -> list[Finding]:
    inquiry.note_raised("second order", raised)
    if not_started(raised):
        return [see(inquiry, raised)]
    if count := wrong_count(raised):
        return [count]
    if cannot_be_differentiated(raised):
        lost = Finding(LOST, "", f"PyTorch says: {raised['message']}")
        return [explained(lost, Raised(**raised))]
    return [see(inquiry, raised)]


def _compare(inquiry: Inquiry, tracked: dict[str, Any]) -> list[Finding]:
    relative = inquiry.expected.relative
    mine, count = blocks(inquiry.base["second"]), len(inquiry.expected.second[0])
    missing, wrong, words = [], [], ""
    some_right = False  # among those that are not zero
    for gradient, target, yours, due in _pairs(inquiry, mine, count):
        line = _line(_name(gradient, target), yours, due, relative)
        inquiry.properties.append(line)
        kind = _kind(yours, due, relative)
        if kind == "right":
            some_right = some_right or (due is not None and bool(due.values.any()))
        elif kind == "missing":
            missing.append((gradient, target))
        else:
            wrong.append((gradient, target))
            words = words or f"At {line.where or 'one place'}: {line.yours}, not {line.expected}."
    if not wrong and not missing:
        return _constant(inquiry)
    if wrong:
        about = _about(wrong)
        # A part that is missing beside one that is wrong: something was cut on the way.
        return [Finding(WRONG, about, words), *([Finding(LOST, about)] if missing else [])]
    return _explain_missing(inquiry, tracked, missing, some_right)


def _constant(inquiry: Inquiry) -> list[Finding]:
    """The same derivatives by the inputs when the incoming gradient requires none."""
    found = inquiry.base["second"]["constant"]["for inputs"]
    mine = [[read_array(item) for item in row] for row in found]
    for gradient, target, yours, due in _pairs(inquiry, mine, len(inquiry.base["wanted"])):
        if _kind(yours, due, inquiry.expected.relative) != "right":
            note = "with an incoming gradient that requires none"
            inquiry.note(_name(gradient, target), False, note=note)
            return [Finding(LOST, _about([(gradient, target)]), f"It is so {note}.")]
    return []


def elsewhere(inquiry: Inquiry) -> list[Finding]:
    """Find derivatives that are right for inputs of as many dimensions as the first ones only."""
    for trial in inquiry.measured["trials"][1:]:
        second = (trial.get("second") or {}).get("tracked")
        expected = inquiry.expectation(trial)
        if not second or expected is None or expected.second is None:
            continue
        where = f"with {trial['name']}"
        title = f"second order, {where}"
        if raised := second["raised"]:
            inquiry.note_raised(title, raised)
            words = f"{raised['phase'].capitalize()} raised {raised['type']} {where}"
            size = Finding("fixed-size", "", f"{words}: {raised['message']}")
            return [explained(size, Raised(**raised))]
        there = replace(inquiry, base=trial, expected=expected)
        mine, count = blocks(trial["second"]), len(expected.second[0])
        for gradient, target, yours, due in _pairs(there, mine, count):
            kind = _kind(yours, due, expected.relative)
            if kind != "right":
                name = LOST if kind == "missing" else WRONG
                inquiry.note(title, False, note=_name(gradient, target))
                return [Finding(name, _about([(gradient, target)]), f"It is so {where}.")]
    return []


def _pairs(
    inquiry: Inquiry, mine: list[list[Array | None]], count: int
) -> Iterator[tuple[str, str, Array | None, Array | None]]:
    """Each gradient, what it is derived by (the first `count`), the derivative, and the one due."""
    inputs = [inquiry.names[place] for place in inquiry.base["wanted"]]
    columns = (inputs + inquiry.incoming)[:count]
    # Inputs that the reference takes for data: it may have detached them.
    data = {place for place, grad in enumerate(inquiry.expected.grads) if _zero(grad)}
    for row, gradient in enumerate(inputs):
        for column, target in enumerate(columns):
            yours, due = mine[row][column], inquiry.expected.second[row][column]
            if column not in data or not _zero(due):
                yield gradient, target, yours, due


def _kind(yours: Array | None, due: Array | None, relative: float) -> str:
    nothing_due = _zero(due)
    nothing = yours is None or not np.any(np.abs(yours.values) > 1e-9)
    if nothing or nothing_due:
        if nothing and nothing_due:
            return "right"
        return "missing" if nothing else "wrong"
    return "right" if close(yours.values, due.values, max(relative, 1e-5)) else "wrong"


def _zero(array: Array | None) -> bool:
    return array is None or not np.any(np.abs(np.nan_to_num(array.values)) > 1e-7)


def _line(name: str, yours: Array | None, due: Array | None, relative: float):
    if due is None:
        due = Array(np.zeros(yours.shape if yours else ()), "float64")
    if yours is None:
        yours = Array(np.zeros(due.shape), "float64")
    return difference(name, yours, due, max(relative, 1e-5))


def _name(gradient: str, target: str) -> str:
    return f"second derivative: gradient of {gradient}, by {target}"


def _about(places: list[tuple[str, str]]) -> str:
    gradient, target = places[0]
    return f"the gradient of {gradient} by {target}"


def _explain_missing(
    inquiry: Inquiry, tracked: dict[str, Any], missing: list[tuple[str, str]], some_right: bool
) -> list[Finding]:
    """Parts are missing, and the rest is right: which kind of cut was it?

    Numbers alone do not tell a cut history from an intermediate without one, or from a second
    Function that leaves a derivative out. What the Function keeps, and whether its backward
    applied another one, makes one of them likelier.
    """
    about = _about(missing)
    lost = Finding(LOST, about, "This part of the second derivative is zero, and should not be.")
    wrong = Finding(WRONG, about, "One of the two derivatives is left out.")
    if not any(tracked["requires_grad"]):
        return [Finding(LOST, "", "The gradient has no history: requires_grad is False.")]
    if not some_right:
        return [Finding(LOST, "", "None of its derivatives arrives.")]
    if all(target in inquiry.incoming for _, target in missing):
        return [wrong, lost] if _own_backward(inquiry, tracked) else [lost]
    if _own_backward(inquiry, tracked) or inquiry.base["keeps"]["other"]:
        return [wrong, lost]
    return [lost]


def _own_backward(inquiry: Inquiry, tracked: dict[str, Any]) -> bool:
    """Tell whether backward applied a custom Function of its own."""
    return len(tracked["custom"]) > len(inquiry.base["custom"]) or bool(
        set(tracked["custom"]) - set(inquiry.base["custom"])
    )
