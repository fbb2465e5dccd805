"""Conclude from an answer's evidence alone, with no student code at hand, what is right."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from helpers.checks.judge_values import judge_values
from helpers.checks.layers import explain_layer, judge_layers
from helpers.checks.partial_credit import MODES, of_part, with_right_parts
from helpers.checks.predictions import judge_prediction
from helpers.checks.task import Task
from helpers.checks.task_evidence import FunctionEvidence, FunctionSlip, Measured
from whygrad.evidence import Trial, Value, Values
from whygrad.judge import judge_function
from whygrad.judge.arrays import read_array, tolerance
from whygrad.judge.line_reasons import located
from whygrad.judge.precedence import hides
from whygrad.mistakes import MISTAKES
from whygrad.verdict import Finding, Verdict

# Mistakes whose remedy speaks of the derivative of forward.
_BENT = {"wrong-gradient", "wrong-mask", "wrong-sign", "wrong-factor"}
_NEAR = 1e-5  # of numbers that were computed in another order
_RAISED = "raises "  # before what it says, in the place of a part
_SIZES = re.compile(r"\binputs of the shapes? \[[\d, \[\]]*\](?: \(\d+\))?|\ba batch of \d+")
# What an answer gives, in the words of the property, and not what goes in.
_NOT_FINITE = re.compile(r"\b(?:is|yours) (nan|-?inf), (?:not|expected) ")
# What follows the name of a property; two kinds of names hold a colon of their own.
_DIFFERENCE = re.compile(r"(?<!second derivative)(?<!the layer): .*", re.DOTALL)


def judge(
    measured: Measured, expected: Measured, known: Callable[[], Measured] | None = None
) -> Verdict:
    """Compare evidence that `measure_task` made with that of a right answer on the same inputs.

    Where `expected` has slips, the reason of a mistake that one of them makes is told. `known`
    gives the same evidence with slips: it is called if something is wrong.
    """
    if not isinstance(measured, FunctionEvidence):
        judged = judge_prediction if measured.kind == "prediction" else judge_values
        verdict = judged(measured, expected)
        return judged(measured, known()) if known and not verdict.ok else verdict
    with np.errstate(all="ignore"):  # what an answer divides by zero is no warning of the judge
        verdict = _judged(measured, expected)
        if known and not verdict.ok:
            expected = known()
        verdict = _with_slips(verdict, measured, expected)
        return located(_of_method(verdict, measured), measured, measured.names)


def judge_parts(
    task: Task, measured: Measured, expected: Measured
) -> dict[str, tuple[Verdict, Measured]]:
    """Judge each part of a task as if all else were right.

    Args:
        task: which one.
        measured: the evidence of the answer.
        expected: that of the right one, on the same inputs.

    Returns:
        By the name of the part, the verdict and the evidence that it is on; a part that was not
        measured is left out.
    """
    found = {part: of_part(part, task.shares, measured, expected) for part in task.shares}
    return {part: (judge(one, expected), one) for part, one in found.items() if one}


def _of_method(verdict: Verdict, measured: FunctionEvidence) -> Verdict:
    """Name autograd at work inside, where that is ruled out, before what fails because of it."""
    found = {how for trial in measured.trials for how in trial.autograd}
    by_hand = measured.demands and measured.demands.by_hand
    if verdict.ok or "backward pass" not in found or not by_hand:
        return verdict
    seen = f"Seen inside the answer: {' and '.join(sorted(found))}."
    if verdict.names[0] == "wrong-gradient":
        seen += " And the gradient that came of it is wrong."
    method = Finding("method", "", seen)
    is_behind = hides(method, verdict.findings[0], measured.names)
    return replace(verdict, findings=(method,), raised=None) if is_behind else verdict


def _judged(measured: FunctionEvidence, expected: FunctionEvidence) -> Verdict:
    """Look at what a layer holds, then at the Function."""
    if wrong := judge_layers(measured, expected):
        return wrong
    if not expected.intended:
        verdict = judge_function(measured, expected)
        if measured.layers and not verdict.ok:
            return explain_layer(verdict, measured)
        return verdict
    verdict = judge_function(measured, expected, intended=expected)
    # What to do about a derivative would be wrong advice: the task has a gradient of its own.
    bent = (replace(one, look="") if one.name in _BENT else one for one in verdict.findings)
    return replace(verdict, findings=tuple(bent))


def _with_slips(
    verdict: Verdict, measured: FunctionEvidence, expected: FunctionEvidence
) -> Verdict:
    """Name the known mistakes that give what this answer gives, and what is wrong besides."""
    if verdict.ok or not expected.slips:
        return verdict
    names, first = measured.names, verdict.findings[0]
    tried = {trial.name for slip in expected.slips for trial in slip.trials}
    mine, right = (
        {trial.name: _shown(trial, names) for trial in one.trials if trial.name in tried}
        for one in (measured, expected)
    )
    needed = {"forward"} if first.name == "wrong-forward" else set()
    if " and " in first.about:  # it explains several gradients at once
        needed = {f"gradient of {name}" for name in first.about.split(" and ")}
    for place, slip in enumerate(expected.slips):
        parts = _parts_of(slip, mine, right, names)
        if parts and needed <= parts:
            later = replace(expected, slips=expected.slips[place + 1 :])
            return _with_slip(verdict, slip, parts, measured, later)
    return verdict


def _with_slip(
    verdict: Verdict,
    slip: FunctionSlip,
    parts: set[str],
    measured: FunctionEvidence,
    expected: FunctionEvidence,
) -> Verdict:
    """Name a known mistake that shows in some parts, and what is wrong if these are right."""
    names, first = measured.names, verdict.findings[0]
    is_raised = any(part.startswith(_RAISED) for part in parts)
    rest = (
        None
        if is_raised
        else with_right_parts(measured, expected, {*parts, "second order", *MODES})
    )
    others = _judged(rest, expected) if rest else Verdict()
    about = " and ".join(name for name in names if f"gradient of {name}" in parts)
    further = Verdict((), (Finding(slip.name, about, "", slip.why, slip.look),))
    if first.name == "raises" and not is_raised and not rest:
        return _joined(verdict, further, names)
    if others.ok:
        return _explained(slip, verdict)
    if MISTAKES[first.name].kind == "value" or not hides(first, others.findings[0], names):
        return _joined(_explained(slip, verdict), _with_slips(others, rest, expected), names)
    # The slip is not what is worst.
    return _joined(_with_slips(verdict, rest, expected), further, names)


def _joined(first: Verdict, further: Verdict, names: Sequence[str]) -> Verdict:
    """Return a verdict with what another one finds in numbers, if the first does not explain it."""
    finding = further.findings[0]
    if MISTAKES[finding.name].kind in ("", "write") or hides(first.findings[0], finding, names):
        return first
    return replace(first, others=(*first.others, *further.groups))


def _explained(slip: FunctionSlip, verdict: Verdict) -> Verdict:
    """Return the verdict with the reason of a slip."""
    writes = [one for one in verdict.findings if MISTAKES[one.name].kind == "write"]
    named = [one for one in verdict.findings if one.name == slip.name]
    fitting = named or [one for one in verdict.findings if one not in writes]
    if not fitting:  # what was written over is the reason of the numbers
        return verdict
    seen = fitting[0]
    if slip.name != seen.name == "sum-or-mean":  # it only looks like one
        seen = Finding(slip.name, seen.about)
    said = "" if seen.why.endswith("?") else seen.why  # the slip answers what is asked
    why = " ".join(filter(None, [said, slip.why]))  # what was seen, then the reason
    finding = replace(seen, name=slip.name, why=why, look=slip.look or seen.look)
    raised = verdict.raised if slip.name == "raises" else None
    kept = [one for one in writes if one.name != finding.name]
    return replace(verdict, findings=(*kept, finding), raised=raised)


def _parts_of(
    slip: FunctionSlip, mine: dict[str, dict], right: dict[str, dict], names: Sequence[str]
) -> set[str]:
    """Name the parts in which a known mistake shows, if the answer is the same in them.

    Where the value is wrong, any gradient may come with it.
    """
    is_value, found = MISTAKES[slip.name].kind == "value", set()
    for trial in (one for one in slip.trials if one.name in mine):
        yours, due = mine[trial.name], right[trial.name]
        for part, numbers in _shown(trial, names).items():
            if _same(numbers, yours.get(part)):
                found |= set() if _same(numbers, due.get(part)) else {part}
            elif part == "forward" if is_value else not _same(numbers, due.get(part)):
                return set()
    return found


def _shown(trial: Trial, names: Sequence[str]) -> dict[str, Values]:
    """Return what a trial shows, by the part of the task that it is about."""
    raised, run = trial.raised, trial.tracked
    wanted = [names[place] for place in trial.wanted]
    rows = zip(wanted, run.for_inputs or (), run.for_grad_output or (), strict=False)
    tangents = [out for each in trial.jvp for way in each.directions for out in way.out]
    grads = zip(wanted, trial.grads or (), strict=False)
    values = {
        "forward": trial.outputs,
        **{f"gradient of {name}": [grad] for name, grad in grads},
        **{f"derivatives of grad_{name}": [*one, *other] for name, one, other in rows},
        "jvp": tangents,
    }
    if raised:
        values[f"{_RAISED}{raised.type} in {raised.phase}: {raised.message}"] = [None]
    return {part: some for part, some in values.items() if some}


def _same(some: Values, others: Values | None) -> bool:
    """Tell whether two parts show the same numbers; None is zeros."""
    if others is None or len(some) != len(others):
        return False
    return some == others or all(map(_equal, some, others))


def _equal(*pair: Value | None) -> bool:
    one, other = (np.zeros(()) if each is None else each.values for each in map(read_array, pair))
    fits = one.shape == other.shape or () in (one.shape, other.shape)
    limit = tolerance(other, _NEAR)
    return fits and np.allclose(one, other, rtol=0, atol=limit, equal_nan=True)


def without_numbers(failed: Iterable[str]) -> tuple[str, ...]:
    """Return what a hidden check failed on, without the sizes and numbers that it tried.

    Args:
        failed: the properties that do not hold: the name of each, and after a colon how the answer
            differs, if there are words for that.

    >>> without_numbers(["y, a batch of 7", "inputs of the shape [5, 2, 4] (3)", "a batch of 7"])
    ('y, inputs of another shape', 'inputs of another shape')
    >>> without_numbers(["inputs of the shape [5, 2] (3): forward at [0, 1] is inf, not 754.3"])
    ('inputs that give inf',)
    >>> without_numbers(["second derivative: gradient of x, by x: yours 0, expected 2"])
    ('second derivative: gradient of x, by x',)
    """
    return tuple(dict.fromkeys(map(_about, failed))) or ("the answer",)


def _about(line: str) -> str:
    if found := _NOT_FINITE.search(line):
        return f"inputs that give {found[1]}"
    return _SIZES.sub("inputs of another shape", _DIFFERENCE.sub("", line))
