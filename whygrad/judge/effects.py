"""Judge side effects: what is written into, and what the next call gives."""

import re

from whygrad.evidence import Raised, Values
from whygrad.evidence.value import Backward
from whygrad.judge.arrays import Array, close, read_array, same
from whygrad.judge.inquiry import OTHER_NUMBERS, Inquiry, see, writes_to_shared
from whygrad.raised import explained
from whygrad.verdict import Finding

_TAKEN_AWAY = r"Backward' object has no attribute|NoneType"
_DELETED = (
    "The first backward ran through this line, and a second one does not: backward itself deletes "
    "what stands on `ctx`, or sets it to None. Until then it stands there as before; after it, "
    "even a second backward that was announced, by `retain_graph=True`, breaks.",
    "Delete nothing by hand. What went through `ctx.save_for_backward` is freed by autograd, when "
    "nobody has asked to keep it.",
)


def changes_inputs(inquiry: Inquiry) -> list[Finding]:
    """Find an input that backward wrote into."""
    changed = inquiry.base.changed
    names = inquiry.named(changed)
    several = len(changed) > 1
    note = names and f"{names} {'were' if several else 'was'} changed"
    if changed or not inquiry.asked.in_place:
        inquiry.note("the inputs are left alone", not changed, note=note)
    words = f"Backward wrote into {'them' if several else 'it'}."
    return [Finding("modifies-input", names, words)] if changed else []


def changes_outputs(inquiry: Inquiry) -> list[Finding]:
    """Find a backward that writes into what forward returned, which is often what was saved."""
    if not inquiry.base.outputs_changed or inquiry.base.shares:
        return []
    inquiry.note("the output is left alone", False, note="backward changed it")
    detail = "Backward wrote into the output: after it, the output holds other numbers."
    why = "What backward reads from `ctx` can be the very tensor that forward returned, not a copy."
    look = (
        "`y *= …`, `y[…] = …` and methods that end in an underscore write into a tensor itself. "
        "Write `y * …`, which makes a new one."
    )
    return [Finding("modifies-input", "the output", detail, why, look)]


def changes_grad_output(inquiry: Inquiry) -> list[Finding]:
    """Find a backward that writes into its incoming gradient."""
    expanded = inquiry.base.expanded or Backward()
    written = inquiry.base.grad_output_changed or expanded.grad_output_changed
    raised = expanded.raised
    written = written or (raised and writes_to_shared(raised))
    inquiry.note("the incoming gradient is left alone", not written)
    if written:
        return [Finding("modifies-grad-output")]
    if raised:
        inquiry.note_raised("backward from .sum()", raised, lenient=True)
        if "view size is not compatible" in raised.message or "stride" in raised.message:
            detail = f"PyTorch says: {raised.message}"
            return inquiry.unless_lenient([Finding("needs-contiguous", "", detail)])
        return inquiry.unless_lenient([see(inquiry, raised)])
    return []


def gives_the_same_twice(inquiry: Inquiry) -> list[Finding]:
    """Find gradients that depend on earlier calls or on chance."""
    repeats = inquiry.base.repeats
    if not repeats:
        return []
    raised = repeats.raised
    if raised:
        return _second_raises(inquiry, raised, once_only=repeats.once_only)
    base, first = inquiry.base.grads, repeats.first
    steady = same(base, first)
    again, anew = same(first, repeats.second), same(first, repeats.anew)
    by_chance = not same(repeats.second, repeats.reseeded_backward)
    inquiry.note("a second call gives the same", steady and again and anew and not by_chance)
    if not (again and anew):
        what = "backward through the same graph" if not again else "call of forward and backward"
        return [Finding("keeps-state", "", f"A second {what} gave other gradients.")]
    if by_chance:
        return [Finding("nondeterministic", "", "Backward draws random numbers.")]
    if not steady:
        return [_overwritten(repeats.written)]
    return []


def _second_raises(inquiry: Inquiry, raised: Raised, *, once_only: bool) -> list[Finding]:
    """A second call that raises; a second backward that does is an error to a strict judge only."""
    words = f"The second time it raised {raised.type}: {raised.message}"
    finding = explained(Finding("keeps-state", "", words), raised)
    if re.search(_TAKEN_AWAY, raised.message) and "ctx" in raised.line:
        finding = finding.because(*_DELETED)
    inquiry.note_raised("a second call gives the same", raised, lenient=once_only)
    return inquiry.unless_lenient([finding]) if once_only else [finding]


def _overwritten(written: list[str]) -> Finding:
    """Say what a second forward wrote over before the first one's backward had run."""
    detail = "A second forward, before the backward of the first, changed what that one gives."
    if not written:
        return Finding("keeps-state", "", detail)
    names = " and ".join(f"`{name}`" for name in written)
    why = (
        f"{names} {'is' if len(written) == 1 else 'are'} kept on the class, and all calls share "
        "the class: the second forward writes over what the first one noted."
    )
    look = (
        "Each call has a `ctx` for itself. Hand tensors to `ctx.save_for_backward`, keep numbers "
        "and flags as attributes of `ctx`, and read them there in `backward`."
    )
    return Finding("keeps-state", "", detail, why, look)


def forgets_the_call_before(inquiry: Inquiry) -> list[Finding]:
    """Find an answer that is right in its first call, and wrong for other numbers like them."""
    trial = next((t for t in inquiry.evidence.trials if t.name == OTHER_NUMBERS), None)
    expected = inquiry.expectation(trial) if trial else None
    if expected is None or inquiry.expected is None or not trial.grads:
        return []
    if inquiry.wrong:
        return []  # the first call is not right either
    if expected.outputs is not None and not _are(trial.outputs, expected.outputs):
        again = same(trial.outputs, inquiry.base.outputs)
    elif _are(trial.grads, expected.grads):
        return []
    else:
        again = same(trial.grads, inquiry.base.grads)
        if not again:
            return []  # a piece of the function that the first numbers do not reach
    inquiry.note("other numbers", False)
    words = "Other inputs gave what the inputs before had given." if again else ""
    return [Finding("keeps-state", "", words), *([] if again else [Finding("wrong-forward")])]


def _are(found: Values, right: list[Array]) -> bool:
    pairs = zip(map(read_array, found), right, strict=False)
    return all(mine is None or close(mine.values, due.values, 1e-3) for mine, due in pairs)
