"""Judge what a plain function returns: numbers, texts, tensors, and lists of them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from helpers.checks.explain_values import divided_by, explain
from helpers.checks.prediction_form import listed
from helpers.checks.task_evidence import ValuesEvidence, ValuesSlip, ValuesTrial
from helpers.checks.values import NOT_LOOKED_AT, as_array, compare, equal
from whygrad.evidence import Raised
from whygrad.judge.arrays import Array, read_array
from whygrad.judge.inquiry import in_numbers, not_started, with_detail
from whygrad.raised import explained
from whygrad.rounding import short
from whygrad.verdict import Finding, Property, Verdict

_RETURNED = (
    "Read the `return` line beside the task: the values stand behind it in that order, with commas "
    "between them."
)
Reference = dict[str, ValuesTrial]
_OF_NUMBERS = ("wrong-gradient", "wrong-factor", "sum-or-mean", "wrong-sign")


def judge_values(measured: ValuesEvidence, expected: ValuesEvidence) -> Verdict:
    """Return the verdict on a function that returns tensors or numbers."""
    properties: list[Property] = []
    reference = {trial.name: trial for trial in expected.trials}
    first = measured.trials[0]
    if not first.raised and (early := _keeps(measured) or _uses_autograd(measured)):
        return early
    for place, trial in enumerate(measured.trials):
        right = reference.get(trial.name)
        if right is None or right.raised:
            continue
        verdict = _judge_trial(measured, trial, reference, place == 0)
        if place and not verdict.ok and equal(trial.values, first.values):
            detail = "Other inputs gave the same value as the inputs before."
            verdict = Verdict(verdict.properties, (Finding("keeps-state", "", detail),))
        properties += verdict.properties
        if not verdict.ok:
            known = _known(measured, expected, verdict.findings) or _fixed(measured, reference)
            findings = (known,) if known else verdict.findings
            return Verdict(tuple(properties), findings, verdict.raised)
    return Verdict(tuple(properties))


def _keeps(measured: ValuesEvidence) -> Verdict | None:
    if equal(measured.trials[0].values, measured.later):
        return None
    detail = "The same call gave another value after other calls."
    line = Property("a second call gives the same", False)
    return Verdict((line,), (Finding("keeps-state", "", detail),))


def _uses_autograd(measured: ValuesEvidence) -> Verdict | None:
    """Find autograd at work where the task rules it out."""
    how = sorted({way for trial in measured.trials for way in trial.autograd})
    if not how or not measured.by_hand:
        return None
    line = Property("worked out by hand", False, note=f"autograd: {' and '.join(how)}")
    return Verdict((line,), (Finding("method"),))


def _fixed(measured: ValuesEvidence, reference: Reference) -> Finding | None:
    """Find a gradient that is divided by the same number for batches of several sizes."""
    names = measured.names
    tried = [t for t in measured.trials if t.law in ("", "fixed-size") and t.values]
    tried = [t for t in tried if reference[t.name].values and t.inputs[0].shape]
    for place, name in enumerate(names):
        pairs = [(_items(reference[t.name].values, len(names)), t) for t in tried]
        values = [
            (mine[place], due[place], t.inputs[0].shape[0])
            for due, t in pairs
            if due and (mine := _items(t.values, len(names)))
        ]
        if name.startswith("grad") and (number := divided_by(values)):
            detail = f"It is divided by {short(number)}, however many inputs there are."
            return Finding("fixed-size", name.removeprefix("grad_"), detail)
    return None


def _judge_trial(
    measured: ValuesEvidence, trial: ValuesTrial, reference: Reference, first: bool
) -> Verdict:
    right, raised, law = reference[trial.name], trial.raised, "" if first else trial.law
    if raised:
        line = Property("the call" if first else trial.name, False, note=raised.type)
        name = "not-started" if not_started(raised) else law or "raises"
        itself = name in ("raises", "not-started")
        detail = "" if itself else _said(raised)
        reason = raised if itself else None
        finding = Finding(name, "", detail)
        if name != "not-started":
            finding = explained(finding, raised)
        return Verdict((line,), (finding,), reason)
    names = measured.names
    if trial.values is None:
        return _nothing(names)
    mine, due = _items(trial.values, len(names)), _items(right.values, len(names))
    if mine is None:
        count = len(trial.values) if isinstance(trial.values, list) else 1
        many = f"{count} value{'' if count == 1 else 's'}"
        detail = f"The function returned {many}, and {len(names)} are due."
        gradients = any(name.startswith("grad") for name in names)
        name = "wrong-gradient-count" if gradients else "wrong-forward"
        asked = f"The task asks for {_listed(names)}, in this order."
        found = Finding(name, "the result", detail, "" if gradients else asked, _RETURNED)
        return Verdict((Property("the call", False, note=detail),), (found,))
    properties, findings, given = [], [], _given(measured, right)
    for place, (name, one, other) in enumerate(zip(names, mine, due, strict=True)):
        title = name if first else f"{name}, {trial.name}"
        if findings and one == NOT_LOOKED_AT:
            properties.append(Property(title, None))
            continue
        line = compare(title, one, other, measured.any_dtype, _at(given, other))
        if first and line.ok and isinstance(one, float) and isinstance(other, dict):
            line = replace(line, note="a plain number, where a tensor of shape () is asked for")
        properties.append(line)
        if not line.ok and not findings:
            right_ones = dict(zip(names, due, strict=True))
            elsewhere = _elsewhere(measured, reference, trial, place)
            found = explain(name, one, other, right_ones, trial.inputs, elsewhere)
            vague = found[0].name in ("wrong-gradient", "wrong-forward", "wrong-shape")
            findings = [*found, Finding(law)] if law and vague else found
            findings = [with_detail(finding, in_numbers(line)) for finding in findings]
    if findings and (changed := _changed(measured, trial)):
        properties.append(Property("the inputs are left alone", False))
        findings = [Finding("modifies-input", " and ".join(changed))]
    findings = [_beside(finding, properties) for finding in findings]
    if not findings:
        findings, more = _side_effects(measured, trial, first)
        properties += more
    return Verdict(tuple(properties), tuple(findings))


def _given(measured: ValuesEvidence, right: ValuesTrial) -> dict[str, Array]:
    """Return the numbers of the tensors that were handed over, by name."""
    encoded = zip(measured.untouched, right.given, strict=False)
    read = ((name, read_array(value)) for name, value in encoded)
    return {name: array for name, array in read if name and array is not None}


def _at(given: dict[str, Array], due: Any) -> dict[str, np.ndarray]:
    """Return what belongs to each place of a value, if all that was handed over has its shape."""
    array = as_array(due)
    if array is None or any(one.shape != array.shape for one in given.values()):
        return {}
    return {name: one.values for name, one in given.items()}


def _elsewhere(
    measured: ValuesEvidence, reference: Reference, trial: ValuesTrial, place: int
) -> list[tuple]:
    """Return what one of the values was in other trials of the same kind, with the right one."""
    count, found = len(measured.names), []
    for other in measured.trials:
        right = reference[other.name].values if other.name in reference else None
        if other is trial or other.law not in ("", "fixed-size") or other.raised:
            continue
        mine, due = _items(other.values, count), _items(right, count)
        if mine and due and any(about.shape for about in other.inputs):
            found.append((mine[place], due[place], other.inputs))
    return found


def _beside(finding: Finding, properties: list[Property]) -> Finding:
    """Add to the finding on one of several gradients what follows from the others."""
    wrong = [line.name for line in properties if line.ok is False]
    right = [line.name for line in properties if line.ok]
    gradients = [name for name in wrong if name.startswith("grad")]
    if finding.name not in _OF_NUMBERS or not right or gradients != wrong[:1]:
        return finding
    named, first = ([one.partition(",")[0] for one in some] for some in (right, wrong[:1]))
    named = [one for one in named if " " not in one] or named  # no case, but a value
    are = "are" if len(named) > 1 else "is"
    alone = f"{listed(named)} {are} right: look at what is done for {first[0]} alone."
    return replace(finding, detail=f"{finding.detail} {alone}")


def _said(raised: Raised) -> str:
    words = f"It raised {raised.type}: {raised.message}"
    return f"{words.rstrip('.')}, in the line `{raised.line}`." if raised.line else words


def _nothing(names: list[str]) -> Verdict:
    """Return the verdict on a function that returned None."""
    gradients = [name.removeprefix("grad_") for name in names if name.startswith("grad")]
    name = "missing-gradient" if gradients else "wrong-forward"
    line = Property("the call", False, note="it returned None")
    why = "The function returned None: Python does so where no `return` is reached."
    look = f"Let the function end with `return`, and hand back {_listed(names)} there."
    about = " and ".join(gradients) or "the result"
    return Verdict((line,), (Finding(name, about, why=why, look=look),))


def _listed(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _known(
    measured: ValuesEvidence, expected: ValuesEvidence, findings: tuple[Finding, ...]
) -> Finding | None:
    """Find a known mistake that gives what this function gives, on all inputs.

    It explains the first wrong value at least; one that explains all of them goes first.
    """
    wrong, first, said = _wrong_places(measured, expected)
    written = findings[0].name == "modifies-input"  # then numbers say nothing of the formula
    slips = [one for one in expected.slips if not written or one.name == "modifies-input"]
    for slip in slips:
        if slip.seen and slip.item in ("", measured.names[first]) and slip.seen in said:
            return _because(slip, findings)
    for places in (wrong, {first}):
        for slip in slips:
            if slip.trials and _give_the_same(measured.trials, slip.trials, places):
                return _because(slip, findings)
    return None


def _because(slip: ValuesSlip, findings: tuple[Finding, ...]) -> Finding:
    seen = next((one for one in findings if one.name == slip.name), findings[0])
    return replace(seen, name=slip.name, why=slip.why, look=slip.look)


def _wrong_places(measured: ValuesEvidence, expected: ValuesEvidence) -> tuple[set[int], int, str]:
    """Return the places of all wrong values, that of the first one, and its text if it is one."""
    wrong, first, said, count = set(), None, "", len(measured.names)
    for trial, right in zip(measured.trials, expected.trials, strict=True):
        mine, due = (_items(one.values, count) for one in (trial, right))
        for place in range(count) if mine and due else ():
            if mine[place] == NOT_LOOKED_AT or equal(mine[place], due[place]):
                continue
            wrong.add(place)
            if first is None:
                first, said = place, mine[place] if isinstance(mine[place], str) else ""
    return wrong or set(range(count)), first or 0, said


def _give_the_same(
    some: list[ValuesTrial], others: list[ValuesTrial], places: Iterable[int]
) -> bool:
    """Tell whether two functions give the same in some places, or raise the same."""
    return len(some) == len(others) and all(
        equal(*pair)
        for trials in zip(some, others, strict=True)
        for pair in zip(*(_outcome(trial, places) for trial in trials), strict=True)
        if NOT_LOOKED_AT not in pair
    )


def _outcome(trial: ValuesTrial, places: Iterable[int]) -> list[Any]:
    raised, values = trial.raised, trial.values
    if raised:
        return [[raised.type, raised.message] for _ in places]
    several = isinstance(values, list) and len(values) > max(places)
    return [values[place] if several else values for place in places]


def _changed(measured: ValuesEvidence, trial: ValuesTrial) -> list[str]:
    """Name the inputs that were changed, and must not be."""
    untouched = measured.untouched
    return [untouched[p] for p in trial.changed if p < len(untouched) and untouched[p]]


def _side_effects(
    measured: ValuesEvidence, trial: ValuesTrial, first: bool
) -> tuple[list[Finding], list[Property]]:
    untouched, changed = measured.untouched, _changed(measured, trial)
    lines = [Property("the inputs are left alone", not changed)] if untouched and first else []
    if changed:
        return [Finding("modifies-input", " and ".join(changed))], lines
    if not equal(trial.again, trial.values):
        line = Property("a second call gives the same", False)
        return [Finding("keeps-state", "", "A second call gave another value.")], [*lines, line]
    return [], lines


def _items(values: Any, count: int) -> list[Any] | None:
    if count == 1 and not (isinstance(values, list) and len(values) == 1):
        return [values]
    return values if isinstance(values, list) and len(values) == count else None
