"""Say for which sizes of the incoming gradient a gradient is right that is bent on purpose."""

import numpy as np

from helpers.checks.task_evidence import FunctionEvidence
from whygrad.evidence import Trial
from whygrad.evidence.value import Backward
from whygrad.judge.arrays import Array, close, read_array
from whygrad.rounding import short

_TRIED = ("first", "large", "small", "zeros")


def of_lengths(measured: FunctionEvidence, expected: FunctionEvidence) -> str:
    """Return where it is right, and the lengths of one that is not; "" if there is one gradient
    only that it is wrong for, or several inputs have gradients.
    """
    mine, due = (one.base.probes for one in (measured, expected))
    right, wrong = [], []
    for name in _TRIED:
        pair = [_only(one.get(name)) for one in (mine, due)]
        if None in pair:
            return ""
        incoming = _length(read_array(mine[name].grad_outputs[0]))
        if close(pair[0].values, pair[1].values, 1e-4):
            right.append(incoming)
        else:
            wrong.append((incoming, *map(_length, pair)))
    if not wrong:
        return _elsewhere(measured, expected)
    incoming, found, wanted = wrong[0]
    words = f"An incoming gradient of the length {incoming} comes back with the length {found}"
    words += f", and {wanted} is due." if found != wanted else ", as is due, in a wrong direction."
    if right:
        words += f" For one of the length {' or '.join(right)} it is right."
    return words


def _elsewhere(measured: FunctionEvidence, expected: FunctionEvidence) -> str:
    """Tell of the first other inputs that it is wrong for, and of the plain numbers among them."""
    due = {trial.name: trial for trial in expected.trials[1:]}
    for trial in measured.trials[1:]:
        pair = [_only(one) for one in (trial, due.get(trial.name))]
        if None in pair or close(pair[0].values, pair[1].values, 1e-4):
            continue
        incoming = _length(read_array(trial.grad_outputs[0]))
        found, wanted = map(_length, pair)
        named = zip(measured.names, trial.inputs, strict=False)
        given = [f"`{name}` is {_shown(i.value)}" for name, i in named if i.value is not None]
        words = f"An incoming gradient of the length {incoming} comes back with the length {found}"
        words += f", and {wanted} is due{' where ' * bool(given)}{' and '.join(given)}."
        return (
            f"{words} For other lengths it is right, so the condition is wrong: it compares "
            "another number than the length, or compares the length with another number."
        )
    return ""


def _shown(value: str) -> str:
    try:
        return short(float(value))
    except ValueError:
        return value


def _only(probe: Backward | Trial | None) -> Array | None:
    grads = probe and probe.grads
    return read_array(grads[0]) if grads and len(grads) == 1 and grads[0] else None


def _length(array: Array) -> str:
    return short(float(np.sqrt((array.values**2).sum())))
