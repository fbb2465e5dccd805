"""Conclude from an answer's evidence alone, with no student code at hand, what is right."""

from typing import Any

from helpers.checks.explain_layer import with_call, with_order
from helpers.checks.judge_layer import judge_layers, judge_step
from helpers.checks.judge_prediction import judge_prediction
from helpers.checks.judge_slips import with_slip
from helpers.checks.judge_values import judge_values
from whygrad.judge import judge_function
from whygrad.verdict import Verdict


def judge(measured: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Compare evidence that `measure_task` made with that of a right answer on the same inputs.

    Where `expected` has "slips", the reason of a mistake that one of them makes is told.
    """
    kind = measured.get("kind", "function")
    if kind == "prediction":
        return judge_prediction(measured, expected)
    if kind == "values":
        return judge_values(measured, expected)
    judged = _judge_module if kind == "module" else judge_function
    return with_slip(judged(measured, expected), measured, expected)


def _judge_module(measured: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Look at what the layer holds, then at its Function, and train it for one step at last."""
    if wrong := judge_layers(measured, expected):
        return wrong
    verdict = judge_function(measured, expected)
    if verdict.ok:
        return judge_step(measured) or verdict
    return with_order(with_call(verdict, measured), measured)
