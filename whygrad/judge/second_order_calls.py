"""Explain a lost second derivative by how backward calls a second Function, or that it does not."""

from dataclasses import replace

from whygrad.judge.inquiry import Inquiry
from whygrad.judge.second_order_blocks import Block
from whygrad.verdict import Finding


def second_function_cut(inquiry: Inquiry) -> tuple[str, str] | None:
    """Say why no gradient has a history, where this can be told from the calls in backward."""
    called = inquiry.base.tracked.called
    if not called:
        if not inquiry.asked.numpy:
            return None
        where = _backward(inquiry)
        return (
            f"{where} applies no second Function. What it computes outside of PyTorch, or from "
            "detached tensors, has no history.",
            f"Move the formula of {where} into the forward of a second Function. In {where} call "
            "that Function by `.apply`, with the saved tensor and the incoming gradient as they "
            "are, without `.detach()`.",
        )
    name = called[-1].function
    arguments = [one for call in called for one in call.arguments]
    if any(one.history for one in arguments):
        return (
            f"`{name}.apply` is called with a tensor that has a history, and what backward "
            "returns has none. So it is cut after this call, or the call stands under `no_grad`.",
            f"Look at what happens to the result of `{name}.apply` between the call and `return`.",
        )
    return (
        f"`{name}.apply` is called with tensors that have no history, such as copies made by "
        "`.detach()`. So its result has none.",
        f"Look at the call of `{name}.apply` in {_backward(inquiry)}: hand over the saved tensor "
        "and the incoming gradient as they are.",
    )


def without_history(inquiry: Inquiry, block: Block) -> tuple[str, str] | None:
    """Say which argument of a second Function has no history, if no way leads to a target."""
    target = block.target
    for call in inquiry.base.tracked.called or ():
        name, given = call.function, call.arguments
        mine = [one for one in given if one.of == block.column]
        if mine and not any(one.history for one in mine):
            return (
                f"`{name}.apply` gets the numbers of {target} without their history, as after "
                "`.detach()`. To autograd they are a constant.",
                f"Look at the call of `{name}.apply` in {_backward(inquiry)}: hand over {target} "
                "as it is.",
            )
        cut = [one.place + 1 for one in given if not one.history and one.of is None]
        if cut and not mine:
            return (
                f"Argument {cut[0]} of `{name}.apply` is a tensor without a history, computed "
                f"before the call. {target} itself is not handed over.",
                f"In {_backward(inquiry)}, hand {target} to `{name}.apply` as it is, and let "
                f"`{name}.forward` do this computation.",
            )
    return None


def beside(inquiry: Inquiry, finding: Finding, function: str) -> Finding:
    """Say of a wrong gradient that a second Function, if there is one, has a part in it."""
    if not function:
        return finding
    incoming = _gets_incoming(inquiry, function)
    if finding.name == "grad-output-ignored" and incoming and not finding.why:
        why = f"`{function}.apply` is given {incoming}: the product with it belongs in its forward."
        look = f"Look at the formula in `{function}.forward`: where does {incoming} come in?"
        return replace(finding, why=why, look=look)
    detail = (
        f"{finding.detail} Backward applies `{function}` for it: look at backward and at "
        f"`{function}.forward`."
    )
    return replace(finding, detail=detail.strip())


def _gets_incoming(inquiry: Inquiry, function: str) -> str:
    """Return the name of an incoming gradient that a second Function is given as it is, or ""."""
    inputs = len(inquiry.base.wanted)
    for call in inquiry.base.tracked.called or ():
        if call.function == function:
            for one in call.arguments:
                if one.of is not None and one.of >= inputs:
                    return inquiry.incoming[one.of - inputs]
    return ""


def _backward(inquiry: Inquiry) -> str:
    """Name the backward that ran first, if it is known which."""
    ran = inquiry.base.tracked.ran
    return f"`{ran[0]}.backward`" if len(ran) == 1 else "backward"
