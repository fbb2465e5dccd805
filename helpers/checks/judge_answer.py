"""Conclude from an answer's evidence alone, with no student code at hand, what is right."""

from dataclasses import replace

import numpy as np

from helpers.checks.explain_layer import with_call, with_order
from helpers.checks.explain_lengths import of_lengths
from helpers.checks.judge_layer import judge_layers, judge_step
from helpers.checks.judge_prediction import judge_prediction
from helpers.checks.judge_slips import with_slip
from helpers.checks.judge_values import judge_values
from helpers.checks.task_evidence import (
    FunctionEvidence,
    Measured,
    PredictionEvidence,
    ValuesEvidence,
)
from whygrad.judge import judge_function
from whygrad.judge.line_reasons import located
from whygrad.judge.precedence import hides
from whygrad.verdict import Finding, Verdict

# Mistakes whose remedy speaks of the derivative of forward.
_BENT = {"wrong-gradient", "wrong-mask", "wrong-sign", "wrong-factor"}
_WRONG_TOO = "And the gradient that came of it is wrong."


def judge(measured: Measured, expected: Measured) -> Verdict:
    """Compare evidence that `measure_task` made with that of a right answer on the same inputs.

    Where `expected` has slips, the reason of a mistake that one of them makes is told.
    """
    if isinstance(measured, PredictionEvidence):
        return judge_prediction(measured, expected)
    if isinstance(measured, ValuesEvidence):
        return judge_values(measured, expected)
    judged = _judge_module if measured.kind == "module" else _judge_function
    with np.errstate(all="ignore"):  # what an answer divides by zero is no warning of the judge
        verdict = _of_method(with_slip(judged(measured, expected), measured, expected), measured)
        return located(verdict, measured, measured.names)


def _of_method(verdict: Verdict, measured: FunctionEvidence) -> Verdict:
    """Name autograd at work inside, where that is ruled out, before what fails because of it."""
    found = {how for trial in measured.trials for how in trial.autograd}
    by_hand = measured.demands and measured.demands.by_hand
    if verdict.ok or "backward pass" not in found or not by_hand:
        return verdict
    seen, first = f"Seen inside the answer: {' and '.join(sorted(found))}.", verdict.findings[0]
    too = f" {_WRONG_TOO}" if first.name == "wrong-gradient" else ""
    method = Finding("method", "", f"{seen}{too}")
    if not hides(method, first, measured.names):
        return verdict
    return replace(verdict, findings=(method,), raised=None)


def _judge_function(measured: FunctionEvidence, expected: FunctionEvidence) -> Verdict:
    """Judge a Function; a right answer that bends its gradient says by itself what is meant."""
    if not expected.intended:
        return judge_function(measured, expected)
    verdict = judge_function(measured, expected, intended=expected)
    # What to do about a derivative would be wrong advice here: the task has its own.
    bent = tuple(replace(one, look="") if one.name in _BENT else one for one in verdict.findings)
    if bent and bent[0].name in _BENT:
        if measured.base.grad_output_changed:
            # Numbers made of an overwritten gradient say nothing of the formula.
            bent = (Finding("modifies-grad-output"),)
        elif bent[0].name == "wrong-gradient" and not bent[0].why:
            bent = (replace(bent[0], why=of_lengths(measured, expected)), *bent[1:])
    return replace(verdict, findings=bent)


def _judge_module(measured: FunctionEvidence, expected: FunctionEvidence) -> Verdict:
    """Look at what the layer holds, then at its Function, and train it for one step at last."""
    if wrong := judge_layers(measured, expected):
        return wrong
    verdict = _judge_function(measured, expected)
    if verdict.ok:
        return judge_step(measured) or verdict
    return with_order(with_call(verdict, measured), measured)
