"""Judge a double backward: is it there, and is it right?"""

from dataclasses import replace

import numpy as np

from whygrad.evidence import Raised, Trial
from whygrad.judge.arrays import FLOAT32
from whygrad.judge.inquiry import (
    Inquiry,
    cannot_be_differentiated,
    in_numbers,
    invalid_shape,
    not_started,
    see,
    who_says,
    wrong_count,
)
from whygrad.judge.second_order_blocks import Block, constant_blocks, read_blocks
from whygrad.judge.second_order_extras import hidden_outputs
from whygrad.judge.second_order_laws import MISSING, in_second_function
from whygrad.judge.second_order_ways import cut, no_history
from whygrad.raised import explained
from whygrad.verdict import Finding

LOST, WRONG = "second-order-lost", "second-order-wrong"
_ELSEWHERE = (
    "With the first inputs all of this is right: something in the code asks for the number of "
    "dimensions, or is written for one of them."
)
_OF_A_SIZE = "With the first inputs, which have other sizes, all of this is right."
_SIZES = (
    "Look for a size that is written as a number, as in `/ 4`, and take it from `x.shape`. If "
    "there is none, look for what is right for some values only."
)


# What makes a new tensor in a trial of this law, and hands back the same one in the first trial.
_ANEW = {
    "wrong-dtype": "`.to`, `.float` and `.double` make a new tensor if the dtype is another one.",
    "needs-contiguous": "`.contiguous()` makes a new tensor of one that is not contiguous.",
}
_NOT_SAVED = "What is saved here is not the tensor that forward takes or returns."
_SAVE_ITSELF = "Save the very tensor that forward takes or returns, not its copy or cast."
_NO_NUMBER = (
    "Autograd goes back through an operation that has no derivative there, such as a division by "
    "0. It does so also where `torch.where` or `nan_to_num` takes another number.",
    "Write backward without that operation: compute what it gives from something else.",
)
_ROUGH = 10 * FLOAT32  # derivatives of few digits


def derivatives(inquiry: Inquiry) -> list[Finding]:
    """Compare the derivatives of each gradient, for each input and for the incoming gradient."""
    second = inquiry.base.second
    if inquiry.evidence.order != 2 or not second:
        return []
    for run in (second.tracked, second.constant):
        if run.raised:
            return _raised(inquiry, run.raised)
    if inquiry.expected is None or inquiry.expected.second is None:
        return []
    found = [block for block in read_blocks(inquiry) if block.gradient not in inquiry.wrong]
    inquiry.properties += [block.line for block in found]
    bad = [block for block in found if block.kind != "right"]
    if not bad:
        return _constant(inquiry)
    return _explain(inquiry, bad)


def _explain(inquiry: Inquiry, bad: list[Block]) -> list[Finding]:
    """Name the mistake that explains the wrong blocks; numbers come first, then the graph."""
    for law in (no_history, hidden_outputs, _no_number, in_second_function, cut):
        if found := law(inquiry, bad):
            return found
    return [Finding(WRONG, bad[0].about, in_numbers(bad[0].line))]


def _no_number(inquiry: Inquiry, bad: list[Block]) -> list[Finding]:
    """Find derivatives that are nan or infinite where a number is due."""
    for block in bad:
        if block.yours is None or block.due is None or block.yours.shape != block.due.shape:
            continue
        if np.any(np.isfinite(block.due.values) & ~np.isfinite(block.yours.values)):
            return [Finding(WRONG, block.about, in_numbers(block.line), *_NO_NUMBER)]
    return []


def _raised(inquiry: Inquiry, raised: Raised) -> list[Finding]:
    inquiry.note_raised("second order", raised)
    if not_started(raised):
        return [see(inquiry, raised)]
    if count := wrong_count(raised):
        return [count]
    for is_so, name in ((invalid_shape, "wrong-shape"), (cannot_be_differentiated, LOST)):
        if is_so(raised):
            return [explained(Finding(name, "", who_says(raised)), raised)]
    return [see(inquiry, raised)]


def _constant(inquiry: Inquiry) -> list[Finding]:
    """The same derivatives by the inputs when the incoming gradient requires none."""
    for block in constant_blocks(inquiry):
        if block.kind != "right":
            note = "with an incoming gradient that requires none"
            inquiry.note(block.title, False, note=note)
            return [_of_constant(inquiry, block, f"It is so {note}.")]
    return []


def _of_constant(inquiry: Inquiry, block: Block, detail: str) -> Finding:
    ways = inquiry.base.second.constant.ways[block.row]
    if not (ways.own and ways.to[block.column]):
        return Finding(LOST, block.about, detail)
    function = ways.own[0]
    why = (
        f"`{function}.backward` asks whether a gradient is needed, but for another input, or for "
        "several at once."
    )
    look = (
        f"Ask for each gradient alone. `ctx.needs_input_grad` has the arguments of "
        f"`{function}.forward`, without `ctx`, counted from 0."
    )
    return Finding(MISSING, block.about, detail, why, look)


def elsewhere(inquiry: Inquiry) -> list[Finding]:
    """Find derivatives that are right only for inputs of the same kind as the first ones."""
    for trial in inquiry.evidence.trials[1:]:
        second, expected = trial.tracked, inquiry.expectation(trial)
        if not trial.second or expected is None or expected.second is None:
            continue
        low = trial.law == "wrong-dtype"
        if low:
            expected = replace(expected, relative=_ROUGH)
        where = f"with {trial.name}"
        title = f"second order, {where}"
        if raised := second.raised:
            inquiry.note_raised(title, raised, lenient=True)
            words = f"{raised.phase.capitalize()} raised {raised.type} {where}"
            size = Finding("fixed-size", "", f"{words}: {raised.message}")
            one = see(inquiry, raised) if low else explained(size, raised)
            if found := inquiry.unless_lenient([one]):
                return found
            continue
        for block in read_blocks(replace(inquiry, base=trial, expected=expected)):
            if block.kind != "right" and block.gradient not in inquiry.wrong:
                inquiry.note(title, False, note=block.title)
                way = second.ways[block.row].to[block.column]
                found = Finding(WRONG if way else LOST, block.about, f"It is so {where}.")
                return [found.because(*_reason_elsewhere(inquiry, trial, block, lost=not way))]
    return []


def _reason_elsewhere(
    inquiry: Inquiry, trial: Trial, block: Block, *, lost: bool
) -> tuple[str, str]:
    """Say why a derivative is wrong in a trial of another kind, and right in the first one."""
    if lost and trial.law in _ANEW:
        return f"{_ANEW[trial.law]} {_NOT_SAVED}", _SAVE_ITSELF
    if no_number := _no_number(inquiry, [block]):
        return no_number[0].why, no_number[0].look
    if _dimensions(trial) != _dimensions(inquiry.base):
        return _ELSEWHERE, ""
    return (_OF_A_SIZE, _SIZES) if _shapes(trial) != _shapes(inquiry.base) else ("", "")


def _shapes(trial: Trial) -> list[list[int]]:
    return [about.shape for about in trial.inputs if about.shape is not None]


def _dimensions(trial: Trial) -> list[int]:
    return [len(shape) for shape in _shapes(trial)]
