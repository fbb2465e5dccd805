"""Know a mistake again that a task's references have made: the slips of a Function or a layer."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from helpers.checks.task_evidence import FunctionEvidence, FunctionSlip
from whygrad.evidence import Evidence, Trial
from whygrad.judge.arrays import close, read_array
from whygrad.judge.expectation import blocks
from whygrad.verdict import Finding, Verdict

# Said first: no number comes from the student's backward, or the layer itself is wrong.
_BEFORE = {"not-started", "not-a-function", "unused-function", "wrong-layer"}
_WRITTEN = {("modifies-grad-output",), ("modifies-input",)}  # which explain the numbers
# What these read into the numbers is not so, where a slip of another name gives the same numbers.
_READ_INTO = {"raises", "sum-or-mean"}
_NEAR = 1e-5  # of numbers that were computed in another order


def with_slip(verdict: Verdict, measured: FunctionEvidence, expected: FunctionEvidence) -> Verdict:
    """Return the verdict with the reason of the slip that gives what this answer gives, if any."""
    slips = expected.slips
    if verdict.ok or not slips or verdict.names[0] in _BEFORE or verdict.names in _WRITTEN:
        return verdict
    right = _by_name(expected)
    for slip in slips:
        if verdict.names[0] == "wrong-forward" and slip.name == "wrong-gradient":
            continue  # its value is right
        # Where the value is wrong, any gradient may come with it.
        parts = ("outputs",) if slip.name == "wrong-forward" else ("outputs", "grads")
        if _fits(_by_name(slip), _by_name(measured), right, parts):
            explained = _explained(slip, verdict.findings)
            raised = verdict.raised if explained.name == "raises" else None
            return replace(verdict, findings=(explained,), raised=raised)
    return verdict


def _explained(slip: FunctionSlip, findings: Iterable[Finding]) -> Finding:
    found = {finding.name: finding for finding in [*findings][::-1]}
    seen = found.get(slip.name) or next(iter(findings))
    follows = slip.name != "raises" and " raised " in seen.detail
    if follows or seen.name in _READ_INTO - {slip.name}:
        return Finding(slip.name, seen.about, "", slip.why, slip.look)
    said = "" if seen.why.endswith("?") else seen.why  # the slip answers what is asked
    why = " ".join(filter(None, [said, slip.why]))  # what was seen, then the reason
    return replace(seen, name=slip.name, why=why, look=slip.look or seen.look)


def _by_name(evidence: Evidence | FunctionSlip) -> dict[str, Trial]:
    return {trial.name: trial for trial in evidence.trials}


def _fits(
    slip: dict[str, Trial],
    mine: dict[str, Trial],
    right: dict[str, Trial],
    parts: tuple[str, ...],
) -> bool:
    both = [name for name in slip if name in mine]
    if not all(_same(slip[name], mine[name], parts) for name in both):
        return False
    if not all(_same(slip[name], right[name], parts) for name in both):
        return True  # its mistake shows at first order: what comes of it later does not matter
    return any(
        same(slip[name], mine[name]) and not same(slip[name], right[name])
        for name in both
        for same in (_same_second, _same_tangents)
    )


def _same(one: Trial, other: Trial, parts: tuple[str, ...]) -> bool:
    if one.raised or other.raised:
        return _raised(one) == _raised(other)
    return all(
        _alike(*([*map(read_array, getattr(t, p) or ())] for t in (one, other))) for p in parts
    )


def _raised(trial: Trial) -> tuple:
    raised = trial.raised
    return (raised.type, raised.message, raised.phase) if raised else ()


def _same_second(one: Trial, other: Trial) -> bool:
    pair = [blocks(trial.tracked) for trial in (one, other)]
    if None in pair:
        return False
    return _alike(*([array for row in rows for array in row] for rows in pair))


def _same_tangents(one: Trial, other: Trial) -> bool:
    pair = [
        [[*map(read_array, direction.out)] for about in trial.jvp for direction in about.directions]
        for trial in (one, other)
    ]
    return bool(pair[0]) and len(pair[0]) == len(pair[1]) and all(map(_alike, *pair))


def _alike(some: list, others: list) -> bool:
    """Tell whether two lists of arrays hold the same numbers; None stands for zeros."""
    return len(some) == len(others) and all(map(_equal, some, others))


def _equal(one: Any, other: Any) -> bool:
    if one is None or other is None:
        left = one or other
        return left is None or not left.values.any()
    finite = [np.isfinite(each.values) for each in (one, other)]
    return np.array_equal(*finite) and close(one.values, other.values, _NEAR)
