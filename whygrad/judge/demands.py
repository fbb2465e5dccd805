"""Judge what is demanded of the way to the numbers, where something is: a task may, at its word.

Composing a Function with PyTorch's operations is right by itself, and so is a backward that asks
autograd. So all of this is looked at only if the evidence holds "demands".
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from whygrad.evidence import Keeping, Trial
from whygrad.evidence.second_order import SecondRun
from whygrad.evidence.trial import Kept
from whygrad.judge.arrays import same
from whygrad.judge.inquiry import Inquiry
from whygrad.mistakes import table_beside
from whygrad.verdict import Finding

_TABLE = table_beside(__file__)
_SAID: dict[str, list[str]] = _TABLE["said"]  # why, and what to do
_BESIDES = _TABLE["besides"]
_COPIES, _MAKES, _PRODUCTS = (set(_TABLE[key]) for key in ("copies", "makes", "products"))
_OUTPUT_ALONE = Kept(output=1)
_MOST = 3  # operations, or tensors, that are named


def works_inside(inquiry: Inquiry) -> list[Finding]:
    """Find operations between inputs and outputs that are no custom Function's."""
    if inquiry.evidence.demands is None:
        return []
    allowed = _COPIES | set(inquiry.asked.around)
    names = {_operation(node) for run in _runs(inquiry) for node in run.around}
    outside = sorted(names - allowed)
    if not outside:
        return []
    listed = _listed(outside)
    inquiry.note("all of the work is inside the Function", False, note=f"outside: {listed}")
    words = _SAID["transform"] if all(name.startswith("Vmapped") for name in outside) else ("", "")
    return [Finding("outside-the-function", listed, "", *words)]


def is_worked_out(inquiry: Inquiry) -> list[Finding]:
    """Find autograd at work inside an answer."""
    if not inquiry.asked.by_hand:
        return []
    found = {how for run in _runs(inquiry) for how in run.autograd}
    if not found:
        return []
    how = " and ".join(sorted(found))
    inquiry.note("the gradients are worked out by hand", False, note=f"autograd: {how}")
    words = _SAID["records"] if found == {"recording"} else ("", "")
    return [Finding("method", "", f"Seen inside the answer: {how}.", *words)]


def evaluates_once(inquiry: Inquiry) -> list[Finding]:
    """Find functions that are to be evaluated in forward alone, and that backward runs as well."""
    ran = inquiry.base.operations_of_backward or ()
    again = [name for name in inquiry.asked.once if name in ran]
    if not again:
        return []
    *most, last = again
    listed = " and ".join(filter(None, [", ".join(most), last]))
    inquiry.note("evaluated in forward alone", False, note=f"backward ran {listed}")
    return [Finding("evaluated-again", listed)]


def keeps_what_is_asked_for(inquiry: Inquiry) -> list[Finding]:
    """Find tensors that are kept for backward beside the one that is to be, or in another place."""
    asked = inquiry.asked.saves
    if asked == "watched" and (unwatched := _unwatched(inquiry)):
        return unwatched
    if asked in ("by save_for_backward", "watched") and inquiry.base.tensors_on_ctx:
        return [_on_ctx(inquiry)]
    if asked == "by save_for_backward":
        return _rounded(inquiry)
    if asked != "output":
        return []
    keeps = inquiry.base.keeps
    if keeps == _OUTPUT_ALONE:
        return _needs_outputs_alone(inquiry)
    if replace(keeps, attribute=0) == _OUTPUT_ALONE and inquiry.base.tensors_on_ctx:
        return [_on_ctx(inquiry)]
    said = ", ".join(
        _TABLE["kept"][kind].format(count) for kind, count in vars(keeps).items() if count
    )
    inquiry.note("the output alone is saved", False, note=f"kept: {said or 'nothing'}")
    return [Finding("kept-tensors", "", f"Kept: {said or 'nothing'}.", *_inputs_kept(keeps))]


def keeps_what_can_be_counted(inquiry: Inquiry) -> list[Finding]:
    """Find objects on `ctx` that could hold any number of bytes, where a task counts them."""
    numbers = _keeping(inquiry).numbers
    if inquiry.asked.saves == "watched" and numbers:
        inquiry.note("tensors stay tensors", False)
        detail = f"Kept: {', '.join(numbers)}, numbers outside of a tensor."
        return [Finding("kept-tensors", "", detail, *_SAID["numbers"])]
    if not inquiry.asked.bytes:
        return []
    if inquiry.base.keeps.attribute <= inquiry.base.tensors_on_ctx:
        return []
    inquiry.note("what is kept can be counted", False)
    detail = "An attribute of `ctx` is neither a tensor nor a plain number: an array, a list of"
    detail += " numbers or a function can hold as much as a tensor, and cannot be counted."
    return [Finding("kept-tensors", "", detail, *_SAID["hidden"])]


def keeps_few_bytes(inquiry: Inquiry) -> list[Finding]:
    """Find more bytes kept for backward than a task allows."""
    if not inquiry.asked.bytes:
        return []
    if elsewhere := inquiry.base.held_elsewhere:
        if elsewhere.view_of_output:
            inquiry.note("memory is freed with the graph", False)
            detail = f"After the graph is gone, {elsewhere.bytes} bytes are still held."
            return [Finding("kept-tensors", "", detail, *_SAID["view_of_output"])]
        inquiry.note("what is kept stands on ctx", False)
        detail = f"Held outside of `ctx`: {elsewhere.bytes} bytes"
        detail += f", among them a tensor of shape {elsewhere.shape}."
        why, look = _SAID["elsewhere"]
        if elsewhere.stays:
            why += _BESIDES["stays"]
        return [Finding("kept-tensors", "", detail, why, look)]
    for trial in inquiry.evidence.trials:
        most = inquiry.asked.bytes.get(trial.name)
        if most is not None and trial.held.bytes > most and not trial.raised:
            return [_too_many(inquiry, trial, most)]
    inquiry.note("bytes held for backward", True)
    return []


def _too_many(inquiry: Inquiry, trial: Trial, most: int) -> Finding:
    """Say what is kept in a trial, and how much may be."""
    held = trial.held
    where = "" if trial is inquiry.base else f" with {trial.name}"
    said = f"{held.bytes} bytes{where}, and {most} are enough"
    inquiry.note("bytes held for backward", False, note=said)
    each = sorted(held.each, key=lambda line: line.endswith(", an input"))
    listed = "; ".join(each[:_MOST])  # inputs last: they are seldom what is too much
    more = f"; and {len(each) - _MOST} more" if len(each) > _MOST else ""
    detail = f"Held between forward and backward: {said}. Kept: {listed}{more}."
    signs = {"view": ", a view, ", "wide": ", the same along dimension ", "more": ""}
    kind = next(kind for kind, sign in signs.items() if any(sign in line for line in each))
    return Finding("kept-tensors", "", detail, *_SAID[kind])


def _inputs_kept(keeps: Kept) -> tuple[str, str]:
    """Say what to do where an input is kept, in place of the output or beside it, and no more."""
    inputs, outputs = keeps.input, keeps.output
    if not inputs or replace(keeps, input=0, output=0) != Kept():
        return "", ""
    return _SAID["input_beside" if outputs else "input_instead"]


def _on_ctx(inquiry: Inquiry) -> Finding:
    count = inquiry.base.tensors_on_ctx
    what = "an attribute" if count == 1 else "attributes"
    said = f"{count} tensor{'' if count == 1 else 's'} as {what} of `ctx`"
    inquiry.note("tensors are kept by `ctx.save_for_backward`", False, note=f"kept: {said}")
    if named := inquiry.base.named_on_ctx:
        said += f": {'; '.join(named[:_MOST])}{'; …' if len(named) > _MOST else ''}"
    why, look = _SAID["on_ctx"]
    most, held = inquiry.asked.bytes.get(inquiry.base.name), inquiry.base.held.bytes
    if most is not None and held > most:
        look = (
            f"All that is kept has {held} bytes, and {most} are enough. So find what backward can "
            "compute from the rest. Hand the rest to `ctx.save_for_backward`, and nothing else."
        )
    return Finding("kept-tensors", "", f"Kept: {said}.", why, look)


def _rounded(inquiry: Inquiry) -> list[Finding]:
    """Find tensors that are kept with fewer digits than the inputs have."""
    held, most = inquiry.base.held, inquiry.asked.bytes.get(inquiry.base.name)
    narrow = held.narrow
    if not narrow or (most is not None and held.bytes > most):  # which is said by itself
        return []
    inquiry.note("what is kept has all its digits", False)
    words = _SAID["rounded" if all(line.endswith(" []") for line in narrow) else "narrow"]
    return [Finding("kept-tensors", "", f"Kept with fewer digits: {'; '.join(narrow)}.", *words)]


def _unwatched(inquiry: Inquiry) -> list[Finding]:
    """Find what follows from tensors that are kept where autograd does not look."""
    kept = _keeping(inquiry)
    if rounded := kept.rounded:
        inquiry.note("numbers keep their digits", False)
        detail = f"Kept: {', '.join(rounded)}, a number as a tensor of float32."
        return [Finding("kept-tensors", "", detail, *_SAID["rounded"])]
    said = [words for key, words in _TABLE["follows"].items() if getattr(kept, key)]
    changed = kept.unnoticed
    names = [one if isinstance(one, str) else inquiry.names[one] for one in changed]
    said += [
        f"after a write into {name} another gradient comes back, without an error" for name in names
    ]
    on_ctx = kept.on_ctx
    if on_ctx and all(name.endswith("(one number)") for name in on_ctx):
        inquiry.note("numbers stay numbers", False)
        return [Finding("kept-tensors", "", f"Kept: {', '.join(on_ctx)}.", *_SAID["number"])]
    if not said:
        return []
    inquiry.note("autograd watches what is kept", False, note="; ".join(said))
    where = (
        f"Kept: {', '.join(on_ctx)}. " if on_ctx else "Kept in an object that leads to tensors. "
    )
    detail = f"{where}Seen: {'; '.join(said)}."
    why, look = _SAID["unwatched"]
    if kept.cycle:
        why += _BESIDES["cycle"]
    return [Finding("kept-tensors", "", detail, why, look)]


def _needs_outputs_alone(inquiry: Inquiry) -> list[Finding]:
    """Find what backward has from elsewhere: gradients that do not follow outputs as due."""
    right, moved = (inquiry.reference or {}).get(inquiry.base.name), inquiry.base.moved
    if right is None or right.moved is None or moved is None:
        return []
    if same(moved.grads, right.moved.grads):
        return []
    inquiry.note("the output alone is saved", False, note="backward has more from elsewhere")
    detail = "With other numbers in the saved output, backward does not give what they give."
    return [Finding("kept-tensors", "", detail)]


def computes_in_numpy(inquiry: Inquiry) -> list[Finding]:
    """Find operations of PyTorch where NumPy is to compute."""
    if not inquiry.asked.numpy:
        return []
    known, base = _COPIES | _MAKES | _PRODUCTS, inquiry.base
    all_of_them, first, later = (
        sorted({name.lstrip("_") for name in ran or ()} - known)
        for ran in (base.operations, base.operations_of_forward, base.operations_of_backward)
    )
    if not all_of_them:
        return []
    inquiry.note("computed in NumPy", False, note=f"PyTorch's: {_listed(all_of_them)}")
    said = [f"In forward PyTorch ran {_listed(first)}."] if first else []
    said += [f"In the first backward PyTorch ran {_listed(later)}."] if later else []
    whys, looks = zip(*_not_in_numpy(inquiry, first, later), strict=True)
    return [Finding("not-in-numpy", "", " ".join(said), " ".join(whys), " ".join(looks))]


def _not_in_numpy(inquiry: Inquiry, first: list[str], later: list[str]) -> Iterator[tuple]:
    """Say what is applied to tensors, and where to use arrays, for forward and for backward."""
    if first:
        yield _SAID["formula_in_forward"]
    called = inquiry.base.tracked.called
    if later and called:
        name = called[-1].function
        yield (
            f"`{name}` is applied in backward, and the formula of the slope is applied to tensors.",
            f"Compute the slope with NumPy's functions, of an array, in `{name}.forward`.",
        )
    elif later:
        yield _SAID["no_second"]


def _keeping(inquiry: Inquiry) -> Keeping:
    return inquiry.evidence.keeping or Keeping()


def _runs(inquiry: Inquiry) -> list[Trial | SecondRun]:
    """Return what was seen of each run, also of those for second derivatives."""
    trials = inquiry.evidence.trials
    return trials + [run for trial in trials if trial.second for run in trial.second.runs]


def _operation(node: str) -> str:
    """Return the operation's name of a node: "pow" of PowBackward0; another name as it is."""
    match = re.fullmatch(r"([A-Z]\w*?)Backward\d+", node)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", match[1]).lower() if match else node


def _listed(names: list[str]) -> str:
    more = ["…"] if len(names) > _MOST else []
    return ", ".join([*(f"`{name}`" for name in names[:_MOST]), *more])
