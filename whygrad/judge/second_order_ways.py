"""Explain a second derivative by the graph: where a way to an input is missing, and why."""

from dataclasses import replace

from whygrad.evidence.second_order import Called
from whygrad.evidence.trial import Kept
from whygrad.judge.inquiry import Inquiry
from whygrad.judge.line_reasons import histories_ended, named
from whygrad.judge.second_order_blocks import Block
from whygrad.lines.step import DECORATORS, NO_GRAD, SET_GRAD, TAKES_OUT, Step
from whygrad.verdict import Finding

LOST, TERM = "second-order-lost", "second-order-term-left-out"
_MOST = 2  # reasons that are told at once
_OUTSIDE = {*TAKES_OUT.values()}
_CUT_IN_BACKWARD = (
    "What comes into backward has a history, so it is cut there: by `.detach()`, `.data`, "
    "`no_grad`, `inference_mode`, `torch.tensor(…)`, or arithmetic outside of PyTorch.",
    "Go through the formula in backward, factor by factor, and print `requires_grad` of each, and "
    "of what it is made of, under `create_graph=True`.",
)
_CONSTANT = (
    "A factor of it, or one case of a condition, is a constant to autograd.",
    _CUT_IN_BACKWARD[1],
)
_MADE_ELSEWHERE = (
    "No line of backward cuts it. So the lines that ran do not use it, or use a tensor without a "
    "history that was made elsewhere and that `ctx.saved_tensors` does not give.",
    "Compute it in backward, from what `ctx.saved_tensors` gives.",
)
_NO_SECOND = (
    "Backward applies no second Function. What it computes outside of PyTorch, or from detached "
    "tensors, has no history.",
    "Move the formula of backward into the forward of a second Function. In backward call that "
    "Function by `.apply`, with the saved tensor and the incoming gradient as they are, without "
    "`.detach()`.",
)


def no_history(inquiry: Inquiry, bad: list[Block]) -> list[Finding]:
    """All gradients are plain numbers: nothing leads back from them."""
    if any(inquiry.base.tracked.requires_grad):
        return []
    names = " and ".join(dict.fromkeys(block.name for block in bad))
    verb = "have" if " and " in names else "has"
    detail = f"Here {names} {verb} no history: requires_grad is False."
    if "backward pass" in inquiry.base.autograd and not inquiry.asked.by_hand:
        why = "Backward asks autograd, and what autograd gives has no history by itself."
        look = "Call `torch.autograd.grad` with `create_graph=True`, which records how it was made."
        return [Finding(LOST, names, detail, why, look)]
    reason = _by_line(inquiry, "") or _by_no_line(inquiry)
    return [Finding(LOST, names, detail, *reason)]


def cut(inquiry: Inquiry, bad: list[Block]) -> list[Finding]:
    """Some derivatives, or terms of them, are lost on the way back.

    Where a backward consists of PyTorch's operations alone, and its numbers are right, nothing else
    can be wrong with its derivatives.
    """
    lost = [block for block in bad if not has_way(inquiry, block)]
    if _by_own_functions(inquiry, bad) and not lost:
        return []
    first = lost[0] if lost else bad[0]
    rest = [block for block in bad if block is not first]
    # What is wrong, and has a way through a second Function, may be so for another reason.
    others = [block for block in rest if not (has_way(inquiry, block) and _by_own(inquiry, block))]
    reasons = [(block, _reason(inquiry, block)) for block in (first, *others)]
    told = [reason or (_by_no_line(inquiry) if lost else _CONSTANT) for _, reason in reasons]
    whys, looks = (list(dict.fromkeys(said))[:_MOST] for said in zip(*told, strict=True))
    detail = (
        f"No way leads from {first.name} back to {first.target}."
        if lost
        else f"A way leads from {first.name} back to {first.target}, but not for each factor."
    )
    if lost and rest:
        also = ", ".join(block.about for block in rest[:3])
        detail += f" Wrong, too: {also}."
    name = LOST if lost else TERM
    return [Finding(name, first.about, detail, " ".join(whys), " ".join(looks))]


_ONCE = (
    "Backward cannot be differentiated, and says so: `once_differentiable` stands above it.",
    "If nobody takes a second derivative, leave it as it is: with `order=1` all else is checked. "
    "Otherwise take the decorator away, and compute backward with PyTorch's operations.",
)


def _handed_on(inquiry: Inquiry) -> str:
    """Say what to do with a number that forward makes on the way and backward needs."""
    if inquiry.asked.once:
        return "let forward return what else backward needs, as further outputs"
    return "let backward compute the rest from them"


def has_way(inquiry: Inquiry, block: Block) -> bool:
    """Tell whether the graph of the gradient leads to what it is differentiated by."""
    return inquiry.base.tracked.ways[block.row].to[block.column]


def _by_own_functions(inquiry: Inquiry, bad: list[Block]) -> bool:
    return any(_by_own(inquiry, block) for block in bad)


def _by_own(inquiry: Inquiry, block: Block) -> bool:
    return bool(inquiry.base.tracked.ways[block.row].own)


def _keeps(inquiry: Inquiry) -> bool:
    """Tell whether Functions keep any tensor of forward's."""
    return replace(inquiry.base.keeps, attribute=0) != Kept()


def _reason(inquiry: Inquiry, block: Block) -> tuple[str, str] | None:
    """Say why a way is missing, and what to do; None if that is known of no tensor that is kept."""
    facts = inquiry.base.tracked
    target = block.target
    if facts.ways[block.row].once:
        return (
            _ONCE
            if inquiry.reference is None
            else (
                "The decorator above backward forbids a second derivative.",
                "Take the decorator away, and compute backward with PyTorch's operations.",
            )
        )
    if block.by_incoming is None and facts.ways[block.row].other_leaves:
        return (
            "A tensor that is told to require a gradient, as by `requires_grad_()`, begins a "
            "history of its own: it leads back to this tensor, and not to what it was made of.",
            "Set no `requires_grad`. Save only tensors that forward takes or returns, without "
            f"a copy, and {_handed_on(inquiry)}.",
        )
    if (found := _by_line(inquiry, target)) or block.by_incoming is not None:
        return found
    if any(place is not None and inquiry.names[place] == target for place in facts.copies):
        return (
            f"What is kept has the numbers of {target}, without its history: nothing that forward "
            "makes has one.",
            f"Save {target} itself by `ctx.save_for_backward`, and do the rest in backward.",
        )
    if None in facts.copies:
        return (
            "What is kept is not the very tensor that forward returns, though it has its numbers: "
            "one was made from the other, or the same was computed twice. So it has no history.",
            "Save the very tensor that forward returns. Give it one name, save that and return "
            "that.",
        )
    keeps = inquiry.base.keeps
    if keeps.other and inquiry.base.marks_constant:
        return (
            "Backward uses an output that `ctx.mark_non_differentiable` marks, or a tensor "
            "that is no output. Neither has a history, so autograd takes it for a constant.",
            "Take the mark away, and let backward add what arrives for that output. Or save "
            f"only inputs, and {_handed_on(inquiry)}.",
        )
    if keeps.other or (keeps.copy and not facts.copies):
        return (
            "Backward uses a tensor that forward computed, and that is neither an input nor an "
            "output. It has no history, so autograd takes it for a constant.",
            f"Save only tensors that forward takes or returns, and {_handed_on(inquiry)}."
            + _off_ctx(inquiry),
        )
    if not _keeps(inquiry):
        return (
            f"No Function keeps {target} as a tensor. An array or a number of it has no history, "
            "nor has a tensor that is made of one.",
            f"Save {target} itself by `ctx.save_for_backward`.",
        )
    return None


def _by_line(inquiry: Inquiry, target: str) -> tuple[str, str] | None:
    """Say how lines of backward end a history, if the log has them, and forward ends none.

    Args:
        inquiry: with the log.
        target: whose history it is; "" for all, whatever forward ends.
    """
    steps = histories_ended(target, inquiry.names, inquiry.base.tracked.lines)
    cut = [step for step in steps if not step.kept]
    if not cut or (target and cut != steps):
        return None
    called = inquiry.base.tracked.called
    hows = list(dict.fromkeys(step.ends for step in cut))[:_MOST]
    if inquiry.asked.numpy and not called and not _OUTSIDE.isdisjoint(hows):
        return _NO_SECOND
    whys, looks = zip(*(_instead(how, cut, called) for how in hows), strict=True)
    return " ".join(dict.fromkeys(whys)), " ".join(dict.fromkeys(looks))


def _by_no_line(inquiry: Inquiry) -> tuple[str, str]:
    """Say what is left where no line is known to end a history."""
    called = inquiry.base.tracked.called
    if not inquiry.base.tracked.lines:
        return _CUT_IN_BACKWARD
    if not called:
        return _MADE_ELSEWHERE
    call = f"`{called[-1].function}.apply`"
    return (
        f"It is cut where {call} is called: under `no_grad`, what that gives has no history.",
        f"Call {call} outside of `no_grad`.",
    )


def _instead(how: str, steps: list[Step], called: list[Called] | None) -> tuple[str, str]:
    """Say what it means that histories ended so, and what to do instead."""
    names = named(steps, how) or "the tensor"
    made, look = f"what {how} gives", f"Use {names} without {how}."
    if how in DECORATORS.values():
        made, look = f"what is computed under {how}", f"Take {how} away."
    elif how in (NO_GRAD, SET_GRAD):
        made = f"what is computed under {how}"
        look = f"Compute what is made of {names} outside of {how}."
    elif called and how in _OUTSIDE:
        name = called[-1].function
        look = f"Hand {names} to `{name}.apply`, and do this in `{name}.forward`."
    elif how in _OUTSIDE:
        made = "what is computed outside of PyTorch"
        look = f"Compute it in PyTorch's operations alone, from {names}."
    elif len({step.place for step in steps if step.ends == how}) > 1:
        look = f"Which of these tensors must not be a constant? Use it without {how}."
    return f"To autograd, {made} is a constant.", look


def _off_ctx(inquiry: Inquiry) -> str:
    """Add where tensors are to be kept, if this is asked for, and one stands on `ctx`."""
    if not inquiry.asked.saves:
        return ""
    if not inquiry.base.tensors_on_ctx:
        return ""
    return (
        " A tensor stands on `ctx` as an attribute, too: keep tensors by `ctx.save_for_backward` "
        "alone."
    )
