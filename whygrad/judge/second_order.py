"""Judge a double backward: is it there, and is it right?"""

from typing import Any

import numpy as np

from whygrad.diagnosis import Finding
from whygrad.judge.bench import Bench, see
from whygrad.judge.expectation import blocks
from whygrad.judge.numbers import Array, close, difference, read
from whygrad.judge.raised import cannot_be_differentiated, not_started, wrong_count

LOST, WRONG = "second-order-lost", "second-order-wrong"


def derivatives(bench: Bench) -> list[Finding]:
    """Compare the derivatives of each gradient, for each input and for the incoming gradient."""
    second = bench.base.get("second")
    if bench.measured["order"] != 2 or not second:
        return []
    for way in ("tracked", "constant"):
        if raised := second[way].get("raised"):
            return _raised(bench, raised)
    if bench.expected is None or bench.expected.second is None:
        return []
    return _compare(bench, second["tracked"])


def _raised(bench: Bench, raised: dict[str, Any]) -> list[Finding]:
    bench.note("second order", False, note=f"{raised['type']} was raised")
    if not_started(raised):
        return [see(bench, raised)]
    if count := wrong_count(raised):
        return [count]
    if cannot_be_differentiated(raised):
        return [Finding(LOST, "", f"PyTorch says: {raised['message']}")]
    return [see(bench, raised)]


def _compare(bench: Bench, tracked: dict[str, Any]) -> list[Finding]:
    mine, right = blocks(bench.base["second"]), bench.expected.second
    inputs = [bench.names[place] for place in bench.base["wanted"]]
    columns = inputs + ["grad_output"] * (len(right[0]) - len(inputs))
    ignored = _ignored(bench)
    missing, wrong, words = [], [], ""
    some_right = False  # among those that are not zero
    for row, gradient in enumerate(inputs):
        for column, target in enumerate(columns):
            yours, due = mine[row][column], right[row][column]
            if column in ignored and _zero(due):
                continue
            name = f"second derivative: gradient of {gradient}, by {target}"
            kind = _kind(yours, due, bench.expected.relative)
            line = _line(name, yours, due, bench.expected.relative)
            bench.properties.append(line)
            if kind == "right" and due is not None and due.values.any():
                some_right = True
            if kind == "missing":
                missing.append((gradient, target))
            elif kind == "wrong":
                wrong.append((gradient, target))
                words = (
                    words or f"At {line.where or 'one place'}: {line.yours}, not {line.expected}."
                )
    if not wrong and not missing:
        return _constant(bench, inputs)
    if wrong:
        about = _about(wrong)
        # A part that is missing beside one that is wrong: something was cut on the way.
        return [Finding(WRONG, about, words), *([Finding(LOST, about)] if missing else [])]
    return _explain_missing(bench, tracked, missing, some_right)


def _constant(bench: Bench, inputs: list[str]) -> list[Finding]:
    """The same derivatives by the inputs when the incoming gradient requires none."""
    found = bench.base["second"]["constant"]["for inputs"]
    ignored = _ignored(bench)
    for row, gradient in enumerate(inputs):
        for column, target in enumerate(inputs):
            yours, due = read(found[row][column]), bench.expected.second[row][column]
            if column in ignored and _zero(due):
                continue
            if _kind(yours, due, bench.expected.relative) != "right":
                name = f"second derivative: gradient of {gradient}, by {target}"
                note = "with an incoming gradient that requires none"
                bench.note(name, False, note=note)
                about = _about([(gradient, target)])
                return [Finding(LOST, about, f"It is so {note}.")]
    return []


def _ignored(bench: Bench) -> set[int]:
    """Inputs that the reference takes for data: it may have detached them."""
    return {place for place, grad in enumerate(bench.expected.grads) if _zero(grad)}


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


def _about(places: list[tuple[str, str]]) -> str:
    gradient, target = places[0]
    return f"the gradient of {gradient} by {target}"


def _explain_missing(
    bench: Bench, tracked: dict[str, Any], missing: list[tuple[str, str]], some_right: bool
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
    if all(target == "grad_output" for _, target in missing):
        return [wrong, lost] if _own_backward(bench, tracked) else [lost]
    if _own_backward(bench, tracked) or bench.base["keeps"]["others"]:
        return [wrong, lost]
    return [lost]


def _own_backward(bench: Bench, tracked: dict[str, Any]) -> bool:
    """Tell whether backward applied a custom Function of its own."""
    return len(tracked["custom"]) > len(bench.base["custom"]) or bool(
        set(tracked["custom"]) - set(bench.base["custom"])
    )
