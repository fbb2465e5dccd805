"""Explain a wrong second derivative by the outputs that a Function returns beside its result."""

from typing import Any

from whygrad.judge.arrays import close, read_array, read_gradient
from whygrad.judge.gradient_case import ratio
from whygrad.judge.inquiry import Inquiry
from whygrad.judge.second_order_blocks import Block, is_zero
from whygrad.rounding import short
from whygrad.verdict import Finding

IGNORED, WRONG = "second-order-extra-ignored", "second-order-extra-wrong"
_EXACT = 1e-4  # finite differences


def hidden_outputs(inquiry: Inquiry, bad: list[Block]) -> list[Finding]:
    """Find incoming gradients of such outputs that backward ignores, or uses wrongly."""
    outs = [out for out in inquiry.base.get("hidden outputs") or [] if _is_known(out)]
    ignored, wrong = [], []
    for out in outs:
        for place in range(len(inquiry.base["wanted"])):
            mine, due = _pair(inquiry, out, place)
            if is_zero(mine):
                ignored += [] if is_zero(due) else [out]
            elif not close(mine.values, due.values, _EXACT):
                wrong.append((out, place))
    if ignored:
        return [_ignored(ignored)]
    return [_wrong(inquiry, *wrong[0], outs)] if wrong else []


def _is_known(out: dict[str, Any]) -> bool:
    return out["grads"] is not None and out["numerical"] is not None


def _pair(inquiry: Inquiry, out: dict[str, Any], place: int):
    """The gradient of one input for one output, and the right one."""
    about = inquiry.base["inputs"][inquiry.base["wanted"][place]]
    return read_gradient(out["grads"][place], about), read_array(out["numerical"][place])


def _ignored(outs: list[dict[str, Any]]) -> Finding:
    *first, last = dict.fromkeys(out["name"] for out in outs)
    names = " and ".join(filter(None, [", ".join(first), last]))
    function = outs[0]["function"]
    return Finding(
        IGNORED,
        names,
        "With every other incoming gradient zero, it returns zeros.",
        f"`{function}` returns outputs beside its result, and its backward uses them. So in the "
        "second backward a gradient arrives at each of them, and is dropped.",
        f"In `{function}.backward`, work out the derivative of each output by the input, multiply "
        "it by the incoming gradient of that output, and add all the products.",
    )


def _wrong(
    inquiry: Inquiry, out: dict[str, Any], place: int, outs: list[dict[str, Any]]
) -> Finding:
    mine, due = _pair(inquiry, out, place)
    factor = ratio(mine.values.reshape(-1), due.values.reshape(-1))
    others = [
        other["name"]
        for other in outs
        if other is not out and close(mine.values, _pair(inquiry, other, place)[1].values, _EXACT)
    ]
    name = inquiry.names[inquiry.base["wanted"][place]]
    detail = f"In the gradient of {name}, its factor is not the derivative of that output."
    if is_zero(due):
        detail = f"It stands in the gradient of {name}, and that output does not depend on {name}."
    elif others:
        detail = f"It is multiplied by the derivative that belongs to {others[0]}."
    elif factor is not None and abs(factor + 1) < _EXACT:
        detail = "It has the wrong sign."
    elif factor is not None:
        detail = f"It is {short(factor)} times the right one."
    return Finding(
        WRONG,
        out["name"],
        detail,
        look=f"In `{out['function']}.backward`, find the term with {out['name']}. Its other factor "
        "must be the derivative of just this output by the input: work that out on paper.",
    )
