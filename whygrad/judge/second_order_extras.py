"""Explain a wrong second derivative by the outputs that a Function returns beside its result."""

from whygrad.evidence.second_order import HiddenOutput
from whygrad.judge.arrays import Array, close, read_array, read_gradient
from whygrad.judge.gradient_case import ratio
from whygrad.judge.inquiry import Inquiry
from whygrad.judge.second_order_blocks import Block, is_zero
from whygrad.rounding import times
from whygrad.verdict import Finding

IGNORED, WRONG = "second-order-extra-ignored", "second-order-extra-wrong"
_EXACT = 1e-4  # finite differences


def hidden_outputs(inquiry: Inquiry, bad: list[Block]) -> list[Finding]:
    """Find incoming gradients of such outputs that backward ignores, or uses wrongly."""
    outs = [out for out in inquiry.base.hidden_outputs if _is_known(out)]
    ignored, wrong, places = [], [], range(len(inquiry.base.wanted))
    for out in outs:
        pairs = [_pair(inquiry, out, place) for place in places]
        bad = [place for place in places if not _is_right(*pairs[place])]
        if bad and all(is_zero(mine) for mine, _ in pairs):
            ignored.append(out)
        elif bad:
            # Where it stands and should not, it says more than where it is missing.
            wrong.append((out, min(bad, key=lambda place: is_zero(pairs[place][0]))))
    if ignored:
        return [_ignored(ignored, [out for out, _ in wrong])]
    return [_wrong(inquiry, *wrong[0], outs)] if wrong else []


def _is_right(mine: Array | None, due: Array | None) -> bool:
    if is_zero(mine):
        return is_zero(due)
    return close(mine.values, due.values, _EXACT)


def _is_known(out: HiddenOutput) -> bool:
    return out.grads is not None and out.numerical is not None


def _pair(inquiry: Inquiry, out: HiddenOutput, place: int):
    """The gradient of one input for one output, and the right one."""
    about = inquiry.base.inputs[inquiry.base.wanted[place]]
    return read_gradient(out.grads[place], about), read_array(out.numerical[place])


def _names(outs: list[HiddenOutput]) -> str:
    *first, last = dict.fromkeys(out.name for out in outs)
    return " and ".join(filter(None, [", ".join(first), last]))


def _ignored(outs: list[HiddenOutput], wrong: list[HiddenOutput]) -> Finding:
    names, function = _names(outs), outs[0].function
    detail = "With every other incoming gradient zero, it returns zeros."
    more = (
        "If its name stands there, look at the brackets: another incoming gradient may be a factor "
        "of it."
    )
    if wrong:
        detail += f" What it makes of {_names(wrong)} is wrong, too."
        more = (
            f"Read the terms with {_names(wrong)} in the same way: the factor is the derivative of "
            "that output by the input, and no derivative by that output."
        )
    return Finding(
        IGNORED,
        names,
        detail,
        f"`{function}` returns outputs beside its result, and its backward uses them. So in the "
        f"second backward a gradient arrives for each of them, as {names} here.",
        f"In `{function}.backward`, work out the derivative of each output by the input, multiply "
        f"it by the incoming gradient of that output, and add all the products. {more}",
    )


def _wrong(inquiry: Inquiry, out: HiddenOutput, place: int, outs: list[HiddenOutput]) -> Finding:
    mine, due = _pair(inquiry, out, place)
    factor = ratio(mine.values.reshape(-1), due.values.reshape(-1))
    others = [
        other.name
        for other in outs
        if other is not out and close(mine.values, _pair(inquiry, other, place)[1].values, _EXACT)
    ]
    name = inquiry.names[inquiry.base.wanted[place]]
    detail = f"In the gradient of {name}, its factor is not the derivative of that output."
    look = (
        f"In `{out.function}.backward`, find the term with {out.name}. Its other factor "
        "must be the derivative of just this output by the input: work that out on paper."
    )
    if is_zero(due):
        detail = f"It stands in the gradient of {name}, and that output does not depend on {name}."
        look = _elsewhere(inquiry, out) or look
    elif is_zero(mine):
        detail = f"In the gradient of {name} it is missing."
    elif others:
        detail = f"It is multiplied by the derivative that belongs to {others[0]}."
        look += f" Or `{out.function}.forward` returns its outputs in another order than "
        look += "`backward` takes their incoming gradients."
    elif factor is not None:
        detail = times(factor)
    return Finding(WRONG, out.name, detail, look=look)


def _elsewhere(inquiry: Inquiry, out: HiddenOutput) -> str:
    """Say in which gradient an incoming gradient is missing that stands in another one."""
    places = range(len(inquiry.base.wanted))
    pairs = [(place, *_pair(inquiry, out, place)) for place in places]
    lost = [place for place, mine, due in pairs if is_zero(mine) and not is_zero(due)]
    if not lost:
        return ""
    names = inquiry.named([inquiry.base.wanted[place] for place in lost])
    return f"Take its term out there. It is missing in the gradient of {names}, and belongs there."
