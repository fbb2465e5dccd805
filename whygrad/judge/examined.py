"""Say what a judgement rests on: what was looked at, what was not, and why."""

from dataclasses import replace

import numpy as np

from whygrad.evidence import Evidence, Trial
from whygrad.judge.arrays import has_gradient
from whygrad.judge.expectation import Expectation
from whygrad.judge.inquiry import OTHER_NUMBERS, Inquiry
from whygrad.verdict import EXAMINED, Finding

# By the mistake that a trial stands for if only this one fails.
_LAWS = {
    "other sizes": "fixed-size",
    "layouts": "needs-contiguous",
    "dtypes": "wrong-dtype",
    "empty": "fails-on-empty",
}
_FORWARD, _FIRST, _SECOND, _OTHER = "forward against a reference", *EXAMINED[1:3], OTHER_NUMBERS
_NOT_TRIED = "not tried"
_REFUSED = "forward refuses what was tried"
_REFUSED_TOO = "the reference refuses what was tried"
_UNKNOWN = "of what was tried, the right gradients are not known"
_STOPPED = "another mistake comes before it"


def note_examined(inquiry: Inquiry, *, stopped: bool) -> None:
    """Note in an inquiry what was looked at, and of the rest, why it was not.

    What its stages and the measuring have noted has the word. A reason for something that was
    looked at all the same says in which part it was.

    Args:
        inquiry: with the evidence.
        stopped: whether a mistake was found that lets nothing behind it be looked at.
    """
    evidence = inquiry.evidence
    noted = {**inquiry.left_out, **evidence.left_out}
    seen = {*inquiry.examined}
    seen |= set(_forward(inquiry) if stopped else _looked_at(inquiry))
    reasons = dict.fromkeys(EXAMINED, _STOPPED if stopped else _NOT_TRIED)
    reasons |= {**({} if stopped else _reasons(inquiry)), **_asked_for(inquiry), **noted}
    inquiry.examined = [name for name in EXAMINED if name in seen]
    inquiry.left_out = {
        name: reasons[name] for name in EXAMINED if name not in seen or name in noted
    }


def without_stopped(evidence: Evidence) -> Evidence:
    """Return evidence without trials that were stopped, which say nothing; and say which."""
    names, trials = {law: name for name, law in _LAWS.items()}, evidence.trials
    stopped = [t for t in trials if t.raised and t.raised.type == "StoppedError"]
    left_out = {
        names.get(trial.law, OTHER_NUMBERS): f"{trial.raised.message}, with {trial.name}"
        for trial in stopped
    }
    kept = [trial for trial in trials if trial not in stopped]
    return replace(evidence, trials=kept, left_out=evidence.left_out | left_out)


def without_a_gradient(inquiry: Inquiry) -> list[Finding]:
    """Find that not one gradient could be compared, so that nothing can be said."""
    if {_FIRST, _OTHER, "other sizes"} & set(inquiry.examined):
        return []
    why = inquiry.left_out[_FIRST]
    return [Finding("not-examined", "", f"{why[0].upper()}{why[1:]}.")]


def has_history(inquiry: Inquiry) -> bool:
    """Tell whether an output has a history, so that backward can be asked."""
    return any(inquiry.base.requires_grad)


def _looked_at(inquiry: Inquiry) -> list[str]:
    base, expected = inquiry.base, inquiry.expected
    names = (_OTHER, *_LAWS)
    seen = [name for name in names if any(counts(inquiry, t) for t in _of(inquiry, name))]
    if expected is None or not base.outputs:
        return seen
    seen += _forward(inquiry)
    if has_history(inquiry) and not base.raised and _is_known(expected):
        seen.append(_FIRST)
    if inquiry.evidence.order == 2 and any(
        block is None or np.isfinite(block.values).any()
        for row in (base.second and expected.second) or ()
        for block in row
    ):
        seen.append(_SECOND)
    return seen


def _forward(inquiry: Inquiry) -> list[str]:
    expected = inquiry.expected
    due = expected is not None and expected.outputs is not None
    return [_FORWARD] if due and inquiry.base.outputs else []


def _of(inquiry: Inquiry, name: str) -> list[Trial]:
    """Return the trials that look at something."""
    law, trials = _LAWS.get(name), inquiry.evidence.trials[1:]
    return [t for t in trials if (t.law == law if law else t.name == name)]


def counts(inquiry: Inquiry, trial: Trial) -> bool:
    """Tell whether a trial says anything, and forward did not just refuse it."""
    expected = inquiry.expectation(trial)
    if inquiry.reference is not None:
        return expected is not None
    if trial.raised:
        return trial.raised.phase != "forward" or trial.law == "needs-contiguous"
    if trial.law == "fails-on-empty":
        return True
    return expected is not None and _is_known(expected)


def _is_known(expected: Expectation) -> bool:
    return any(np.isfinite(grad.values).any() for grad in expected.grads)


def _asked_for(inquiry: Inquiry) -> dict[str, str]:
    """Say what was not asked for."""
    said = {} if inquiry.reference is not None else {_FORWARD: "no reference"}
    return said if inquiry.evidence.order == 2 else {**said, _SECOND: "order is 1"}


def _reasons(inquiry: Inquiry) -> dict[str, str]:
    first = _no_gradient(inquiry)
    tried = {
        name: _why_not(inquiry, trials)
        for name in (_OTHER, *_LAWS)
        if (trials := _of(inquiry, name))
    }
    return {_FIRST: first, _SECOND: "no second derivative could be compared", **tried}


def _why_not(inquiry: Inquiry, trials: list[Trial]) -> str:
    if inquiry.reference is not None:
        return _REFUSED_TOO
    return _REFUSED if all(trial.raised for trial in trials) else _UNKNOWN


def _no_gradient(inquiry: Inquiry) -> str:
    base = inquiry.base
    floats = [*filter(has_gradient, base.outputs)]
    if not base.wanted:
        return "no input can have a gradient"
    if not floats:
        return "no output can have a gradient"
    if not has_history(inquiry):
        return "no output has a history"
    if not any(np.prod(out.shape) for out in floats):
        return "the outputs hold no numbers"
    if inquiry.expected is None:
        return "the right gradients are not known: forward does not run at inputs nearby"
    if not any(grad.values.size for grad in inquiry.expected.grads):
        return "the inputs hold no numbers"
    return (
        "the right gradients are not known here: forward jumps at these inputs, or gives numbers "
        "that are not finite"
    )
