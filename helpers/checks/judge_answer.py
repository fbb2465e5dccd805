"""Conclude from an answer's evidence alone, with no student code at hand, what is right."""

from typing import Any

from helpers.checks.judge_layer import judge_layers, judge_step
from helpers.checks.judge_slips import with_slip
from helpers.checks.judge_values import as_list, equal, judge_values, shown
from whygrad.judge import judge_function
from whygrad.verdict import Finding, Property, Verdict


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
    return (judge_step(measured) or verdict) if verdict.ok else verdict


def judge_prediction(measured: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Return the verdict on a prediction; it does not tell the right value."""
    if not measured["given"] or _has_gap(measured["value"]):
        return Verdict((Property("prediction", None),), (Finding("not-started"),))
    mine, due = measured["value"], expected["value"]
    if equal(mine, due):
        return Verdict((Property("prediction", True),))
    line = _where(mine, due)
    if _form(mine) != _form(due):
        detail = f"The answer is to be {expected['form']}."
        return Verdict((line,), (Finding("wrong-forward", "your prediction", detail),))
    for slip in expected.get("slips", []):
        if equal(mine, slip["value"]):
            return Verdict((line,), (Finding(slip["name"], "", slip["why"]),))
    return Verdict((line,), (Finding("wrong-forward", "your prediction", line.note),))


def _has_gap(value: Any) -> bool:
    if isinstance(value, list):
        return any(_has_gap(item) for item in value)
    return isinstance(value, dict) and value.get("type") in ("ellipsis", "NotImplementedType")


def _form(value: Any) -> Any:
    """What a prediction looks like: a text, a number, or how many of them."""
    value = as_list(value)
    if isinstance(value, list):
        return [_form(item) for item in value]
    return "text" if isinstance(value, str) else "number" if isinstance(value, int | float) else ""


def _where(mine: Any, due: Any) -> Property:
    """Say which items are wrong, without saying what is right."""
    mine, due = as_list(mine), as_list(due)
    if isinstance(mine, list) and isinstance(due, list):
        if len(mine) != len(due):
            note = f"It has {len(mine)} items, and {len(due)} are asked for."
            return Property("prediction", False, note=note)
        wrong = [
            place for place, pair in enumerate(zip(mine, due, strict=True)) if not equal(*pair)
        ]
        if len(wrong) < len(due):
            places = ", ".join(f"[{place}]" for place in wrong)
            note = f"Item {places} is wrong." if len(wrong) == 1 else f"Items {places} are wrong."
            return Property("prediction", False, where=places, note=note)
    return Property("prediction", False, yours=shown(mine))
