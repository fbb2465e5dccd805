"""Conclude from an answer's evidence alone, with no student code at hand, what is right."""

from typing import Any

from helpers.checks.judge_predictions import judge_prediction
from helpers.checks.judge_values import judge_values
from whygrad.diagnosis import Verdict
from whygrad.judge import judge_function


def judge(measured: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Compare what was measured with what a right answer gives.

    Args:
        measured: the evidence of an answer, as `measure_task` made it.
        expected: the evidence of a right answer on the same inputs.
    """
    kind = measured.get("kind", "function")
    if kind == "prediction":
        return judge_prediction(measured, expected)
    if kind == "values":
        return judge_values(measured, expected)
    return judge_function(measured, expected)
