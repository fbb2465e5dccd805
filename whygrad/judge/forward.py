"""Judge forward: it runs, leaves its inputs alone, is a Function, and gives the right value."""

from collections.abc import Iterable

import numpy as np

from whygrad.evidence import Trial
from whygrad.judge.arrays import (
    FLOAT32,
    Array,
    close,
    exact_in,
    has_gradient,
    read_array,
    same,
)
from whygrad.judge.expectation import rows_of
from whygrad.judge.forward_words import why_wrong
from whygrad.judge.inquiry import Inquiry, compared, in_place, see
from whygrad.judge.missing_ways import first_hidden
from whygrad.raised import explained
from whygrad.verdict import Finding, Raised

_OF_SHAPE = (
    "Print the shape after each line of `forward`. The first that is not as you expect is the one "
    "to mend."
)
_INSTANCE = "an instance of the Function"  # as `measure.run_once` calls it
_CUT = (
    "No history leads to the output, so backward is not even asked. Mostly it is cut by "
    "`.detach()`, `.data`, `no_grad` or a new tensor made of the numbers, before `.apply` or after "
    "it.",
    "Hand the argument itself to `.apply`, and return what comes back. Print `requires_grad` of "
    "both: the first that is False shows where the history ends.",
)
_WHOLE = (
    "The output is of the dtype {dtype}: autograd keeps a history for floats only, so backward is "
    "not even asked.",
    "Make the output of the dtype of the input, as `.to(x.dtype)` does. Print `y.dtype`.",
)
_CONSTANT = (
    "`ctx.mark_non_differentiable` cuts an output off: no gradient comes back from it.",
    "Leave this mark out where a gradient is due. It says nothing of a write, nor of what is kept.",
)
_TUPLE = (
    "A comma behind the value makes a tuple: `return y,` hands out a tuple that holds `y`, and "
    "whoever goes on to compute with it gets an error.",
    "Return the tensor without a comma behind it, and without brackets of a tuple around it.",
)
_STATISTICS = (
    "No output depends on what is written there, and backward returns None for it.",
    "Forward keeps statistics there, as a normalisation does: it was looked at as a constant.",
    "Leave it so if that is meant. To say it yourself, name it in `constant=…`.",
)


def raises(inquiry: Inquiry) -> list[Finding]:
    """Find an exception of forward, or an output that is no tensor."""
    raised = inquiry.base.raised
    if raised and raised.phase == "forward":
        if inquiry.base.changed_in_forward:
            see(inquiry, raised)
            words = f"PyTorch says: {raised.message}"
            return [Finding("modifies-input", _changed(inquiry), words)]
        inquiry.note_raised("forward", raised)
        return [see(inquiry, raised)]
    return _odd(inquiry, inquiry.base.odd)


def returned_arrays(inquiry: Inquiry) -> list[Finding]:
    """Find arrays that forward returned: what is looked at behind them are tensors made of them."""
    return _odd(inquiry, inquiry.evidence.returned_arrays)


def _odd(inquiry: Inquiry, odd: str) -> list[Finding]:
    """Say what came back that is no tensor, if anything did, and why."""
    if not odd:
        return []
    if odd == _INSTANCE:
        inquiry.note("a custom Function is at work", False, note="it was made, but not applied")
        why = "`Name(x)` makes an object of the class `Name` and computes nothing."
        look = "Write `.apply` between the name of the class and the brackets: `Name.apply(x)`."
        detail = f"What came back is {odd}, not a tensor."
        return [Finding("not-a-function", "", detail, why, look)]
    none = odd == "NoneType"
    detail = "None came back, not a tensor." if none else f"Forward returned {odd}, not a tensor."
    inquiry.note("forward", False, note=detail)
    if not none:  # no exception, but the table knows what makes it
        return [explained(Finding("wrong-forward", "", detail), Raised("", detail, "forward"))]
    why = "A function or a method without `return` gives None, whatever it computed."
    look = (
        "Look for the `return` in every `forward`, and in each function of yours that calls "
        "`.apply`: it is missing in one of them, or what stands behind it is None."
    )
    return [Finding("wrong-forward", "", detail, why, look)]


_MARKED = (
    "Forward calls `ctx.mark_dirty`.",
    "This says that forward writes into the input. Then the caller's tensor holds other numbers, "
    "and a leaf that requires a gradient raises. The task does not ask for it.",
    "Leave `ctx.mark_dirty` out, and make a new tensor for what forward returns.",
)


def _changed(inquiry: Inquiry) -> str:
    return inquiry.named(inquiry.base.changed_in_forward)


def changes_inputs(inquiry: Inquiry) -> list[Finding]:
    """Find an input that forward wrote into."""
    if kept := inquiry.evidence.statistics:
        inquiry.remarks.append(Finding("modifies-input", " and ".join(kept), *_STATISTICS))
    if not inquiry.base.changed_in_forward:
        return _marked(inquiry)
    inquiry.note("the inputs are left alone", False, note=f"forward changed {_changed(inquiry)}")
    it = "them" if len(inquiry.base.changed_in_forward) > 1 else "it"
    they = "they hold" if it == "them" else "it holds"
    why = look = ""
    if _returns_input(inquiry):
        why = "What forward returns is no new tensor, but the memory of the input, overwritten."
        look = (
            "A method whose name ends in an underscore, such as `x.abs_()`, writes into the tensor "
            "itself, and so does `x *= …`. `x.abs()` and `x * …` make a new one."
        )
    detail = f"Forward wrote into {it}: saved or not, {they} the new numbers."
    return [Finding("modifies-input", _changed(inquiry), detail, why, look)]


def _marked(inquiry: Inquiry) -> list[Finding]:
    """Find an input that forward may say it writes into, and that a task leaves to its caller."""
    marked = inquiry.base.marks_written
    if not marked or inquiry.asked.in_place or inquiry.evidence.demands is None:
        return []
    names = inquiry.named(marked)
    inquiry.note("the inputs are left alone", False, note=f"`ctx.mark_dirty` of {names}")
    return [Finding("modifies-input", names, *_MARKED)]


def is_a_function(inquiry: Inquiry) -> list[Finding]:
    """Find an answer without a custom Function at work."""
    base = inquiry.base
    if base.uses is False:
        inquiry.note("the Function is used", False, note="its node is not in the graph")
        return [Finding("unused-function")]
    if base.custom or (inquiry.every and _is_constant(inquiry)):
        return []
    # The Function is the answer, or a layer is to use it.
    name = "unused-function" if inquiry.evidence.kind == "module" else "not-a-function"
    if base.marks_constant:
        inquiry.note("the output has a history", False, note="it was said to have no gradient")
        detail = "Forward marked the output by `ctx.mark_non_differentiable`."
        return [Finding("missing-gradient", "", detail, *_CONSTANT)]
    if any(base.requires_grad):
        inquiry.note("a custom Function is at work", False, note="the graph holds none")
        return [Finding(name)]
    inquiry.note("the output has a history", False, note="it has no grad_fn")
    if lists := base.lists:
        return [_list(lists[0])]
    # It was applied, but autograd saw no tensor among its arguments, or the history was cut.
    why, look = first_hidden(inquiry) or (_cut(base) if base.applied else ("", ""))
    detail = "The output has no grad_fn, so no gradient comes back."
    cut = Finding("missing-gradient", "", detail, why, look)
    return [cut] if base.applied else [Finding(name), cut]


def _cut(base: Trial) -> tuple[str, str]:
    """Say why the outputs of a Function that was applied have no history, and what to do."""
    if not base.outputs or any(map(has_gradient, base.outputs)):
        return _CUT
    dtypes = sorted({output.dtype for output in base.outputs})
    return _WHOLE[0].format(dtype=" and ".join(dtypes)), _WHOLE[1]


def _list(function: str) -> Finding:
    why = (
        "Autograd looks at a tensor, or a tuple of tensors. What stands in a list, it passes over."
    )
    look = "Return the tensors with commas between them, and without the square brackets."
    detail = f"`{function}.forward` returned a list, and its tensors have no history."
    return Finding("missing-gradient", "", detail, why, look)


def _is_constant(inquiry: Inquiry) -> bool:
    """Tell whether a Function was applied whose outputs nothing moves: no history is due."""
    base, expected = inquiry.base, inquiry.expected
    if any(base.requires_grad) or not base.applied:
        return False
    if not any(map(has_gradient, base.outputs)):
        return True
    jacobians = expected.jacobians if expected else None
    return jacobians is not None and not any(np.nan_to_num(matrix).any() for matrix in jacobians)


def cuts_the_history(inquiry: Inquiry) -> list[Finding]:
    """Find one of several outputs that should have a history and has none."""
    expected = inquiry.expected
    floats = {number: out for number, out in enumerate(inquiry.base.outputs) if has_gradient(out)}
    for number, rows in zip(floats, rows_of(floats.values()), strict=True):
        if inquiry.base.requires_grad[number] or expected is None or not expected.jacobians:
            continue
        if any(np.abs(np.nan_to_num(j[rows])).max(initial=0.0) > 1e-6 for j in expected.jacobians):
            inquiry.note(f"output {number} has a history", False, note="it has no grad_fn")
            return [Finding("missing-gradient", "", f"Output {number} has no grad_fn.")]
    return []


def gives_the_value(inquiry: Inquiry) -> list[Finding]:
    """Compare the outputs with the right ones."""
    expected, base = inquiry.expected, inquiry.base
    if expected is None or expected.outputs is None:
        return []
    yours = [read_array(out) for out in base.outputs]
    if len(yours) != len(expected.outputs):
        return [_another_number(inquiry, yours, expected.outputs)]
    if unstable := _unstable(inquiry):
        return unstable
    relative = exact_in((mine.dtype for mine in yours if mine), expected.relative)
    for mine, right in zip(yours, expected.outputs, strict=True):
        line = compared(inquiry, base, "forward", mine, right, relative)
        if not line.ok:
            inquiry.properties.append(line)
            wrong = _another_output(inquiry, right) or Finding(
                "wrong-forward",
                why=why_wrong(mine.values, right.values, inquiry.values(of_output=False)),
                look=_OF_SHAPE if mine.values.shape != right.values.shape else "",
            )
            return [*_returns_input(inquiry), in_place(wrong, line)]
    if base.unasked and not same(base.unasked, base.outputs):
        inquiry.note("forward", False, note="with inputs that require no gradient")
        detail = "It gives other values where no input requires a gradient, as in an evaluation."
        return [Finding("wrong-forward", "", detail)]
    if _came_in_a_tuple(inquiry):
        detail = "A tuple of one tensor came back, and the tensor itself is due."
        inquiry.note("forward", False, note=detail)
        return [Finding("wrong-forward", "", detail, *_TUPLE)]
    inquiry.note("forward", True)
    shared = _returns_input(inquiry)
    if shared:
        inquiry.note("the output is a tensor of its own", False)
    return shared


def _came_in_a_tuple(inquiry: Inquiry) -> bool:
    """Tell whether a task's one output came in a tuple, and that of the reference did not."""
    if inquiry.evidence.demands is None or not inquiry.reference:
        return False
    right = inquiry.reference.get(inquiry.base.name)
    return inquiry.base.a_tuple_of_one and not (right and right.a_tuple_of_one)


def _another_number(inquiry: Inquiry, yours: list, right: list) -> Finding:
    """Say how many outputs came back; of several where one is due, whether the first is right."""
    due = f"{len(right)} {'is' if len(right) == 1 else 'are'} due"
    came = "1 tensor" if len(yours) == 1 else f"{len(yours)} tensors"
    detail = f"{came} came back ({_shapes(yours)}), and {due} ({_shapes(right)})."
    inquiry.note("forward", False, note=detail)
    first = yours[0] if yours else None
    if len(right) != 1 or first is None or not close(first.values, right[0].values, FLOAT32):
        return Finding("wrong-forward", "", detail)
    why = "The first of them is right, and the others are handed out beside it."
    look = (
        "If `backward` takes an incoming gradient for each of them, leave both methods as they "
        "are: the function that calls `.apply` takes the first and drops the others, as in "
        "`Name.apply(x)[0]`. Otherwise let forward return the first alone, without a comma."
    )
    if inquiry.asked.bytes:
        why += " What is kept is counted here, and an output counts, too."
        look = "Let forward return the first alone, without a comma, and keep none of the others."
    return Finding("wrong-forward", "the result as a whole", detail, why, look)


def has_another_shape(inquiry: Inquiry) -> bool:
    """Tell whether the outputs differ from the right ones in number or shape."""
    expected = inquiry.expected
    if expected is None or expected.outputs is None:
        return False
    return _shapes(map(read_array, inquiry.base.outputs)) != _shapes(expected.outputs)


def _shapes(outputs: Iterable[Array | None]) -> str:
    return ", ".join("no tensor" if out is None else str(list(out.shape)) for out in outputs)


def _another_output(inquiry: Inquiry, right: Array) -> Finding | None:
    """Find the right value among the outputs that a Function returns and its caller drops."""
    for out in inquiry.base.hidden_outputs:
        value = read_array(out.value)
        if value is not None and close(value.values, right.values, FLOAT32):
            why = (
                f"Of the outputs of `{out.function}` that do not come back, one has the right "
                "value."
            )
            look = (
                f"Look at the order in which `{out.function}.forward` returns its outputs, and "
                "at which of them is taken where `.apply` is called."
            )
            return Finding("wrong-forward", why=why, look=look)
    return None


def _unstable(inquiry: Inquiry) -> list[Finding]:
    """Find a forward that gives something else the next time, where the right one does not."""
    repeats = inquiry.base.repeats
    if repeats is None or repeats.anew_outputs is None:
        return []
    outputs = inquiry.base.outputs
    anew = same(repeats.anew_outputs, outputs)
    if anew and same(repeats.reseeded_outputs, outputs):
        return []
    inquiry.note("forward gives the same twice", False)
    if anew:
        return [Finding("nondeterministic", "", "Forward draws random numbers.")]
    return [Finding("keeps-state", "", "A second call of forward gave another value.")]


def _returns_input(inquiry: Inquiry) -> list[Finding]:
    views = inquiry.expected.views if inquiry.expected else None
    if not inquiry.base.shares or views is not False or inquiry.evidence.views:
        return []
    return [Finding("returns-input", inquiry.named(inquiry.base.shares))]
