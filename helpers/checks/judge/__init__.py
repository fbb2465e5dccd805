"""Conclude from measurements alone, with no student code at hand, what is right and what is not."""

from typing import Any

from helpers.checks.data import Verdict
from helpers.checks.judge.function import judge_function
from helpers.checks.judge.predictions import judge_prediction
from helpers.checks.judge.values import judge_values


def judge(measured: dict[str, Any], expected: dict[str, Any] | None) -> Verdict:
    """Compare what was measured with what a right answer gives.

    Args:
        measured: the evidence of an answer, as `measure` made it.
        expected: the evidence of a right answer on the same inputs; None for a Function without
            one: then finite differences among `measured` take its place.
    """
    kind = measured.get("kind", "function")
    if kind == "prediction":
        return judge_prediction(measured, expected)
    if kind == "values":
        return judge_values(measured, expected)
    return judge_function(measured, expected)
