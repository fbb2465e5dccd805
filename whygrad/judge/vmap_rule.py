"""Judge what a Function gives under `torch.vmap` by a loop over the batch."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from whygrad.evidence.modes import Batch, Vmap
from whygrad.judge.arrays import EXACT, FLOAT32, Array, close, difference, read_array
from whygrad.judge.inquiry import Inquiry, not_started, see, who_says
from whygrad.raised import explained
from whygrad.verdict import Finding

WRONG = "wrong-vmap"
_MANY = 6  # dimensions, whose orders are too many to try
_NO_WAY = (
    "The rule computes the output in a way that autograd cannot follow: in NumPy, or after a "
    "`.detach()`.",
    "Apply the Function itself to the batch, by `.apply` and without `.detach()`: then its "
    "backward is in the graph.",
)
_NOT_APPLIED = (
    "The rule computes the output with operations of PyTorch's own, so your backward is not in the "
    "graph: for a batch, PyTorch's derivative takes its place.",
    "Apply the Function itself to the whole batch in the rule, by `.apply`.",
)
_GENERATED = (
    "The task asks for a rule written by hand, and PyTorch has generated this one.",
    "Take `generate_vmap_rule = True` away, leave forward as it is given, and write a static "
    "method `vmap(info, in_dims, …)`.",
)
_SOME_BATCHES = (
    "The rule has an answer for some batches alone, and refuses the others. A batch can be in one "
    "input or in several, in any dimension of each.",
    "Ask the entry of each input in `in_dims` by itself: None means that it has no batch, and a "
    "number where the batch is.",
)
_BATCH_TWICE = (
    "The output has a dimension too many. Such a one comes in where an input that has a batch is "
    "given another one. `if dim:` does so: it takes 0 for false, like None.",
    "Ask `if dim is None` for an input without a batch.",
)
_NONE_RETURNED = (
    "The output has a dimension too many. Such a one comes in where the rule returns None as the "
    "dimension of the batch, as an entry of `in_dims` may be, or where an input that has a batch "
    "is given another one.",
    "Return the number of the dimension where the rule has put the batch, such as 0. Give a batch "
    "only to an input whose own entry of `in_dims` is None.",
)
_EXCHANGED = (
    "The numbers are those of the loop, but dimensions stand in another order. `transpose` "
    "exchanges two dimensions; `movedim` moves one, and leaves the others in their order.",
    "Print the shape of each input, and again after its batch was moved. Behind the batch, the "
    "dimensions of a sample must stand in their own order.",
)
_NOT_LINED_UP = (
    "In the rule, the tensors are whole batches. Where shapes do not fit, a batch was not moved to "
    "where the rule says it is, an input without a batch (None in `in_dims`) has got none, or its "
    "length is not `info.batch_size`.",
    "Print `in_dims` and the shape of each tensor just before `.apply` in the rule.",
)
_BY_CHANCE = "randomness"  # PyTorch asks what is meant, before it draws numbers in a vmap


def vmap(inquiry: Inquiry) -> list[Finding]:
    """Find a Function that gives something else for a batch than for its items, one by one."""
    functions, demanded = inquiry.base.vmap, "vmap" in inquiry.asked.modes
    if not functions:
        if demanded:
            return _absent(inquiry)
        inquiry.left_out["vmap"] = "no Function defines `vmap` or `generate_vmap_rule`"
        return []
    found, looked_at = [], 0
    for about in functions:
        title = "vmap" if len(functions) == 1 else f"vmap of {about.function}"
        stubs = [way for way in about.ways if not_started(way.raised)]
        if demanded and stubs == about.ways:
            inquiry.note(title, None, said="not started")
            return [see(inquiry, stubs[0].raised)]
        if demanded and stubs:
            inquiry.note(title, False, note="refuses some batches")
            words = f"{_said(about, stubs[0])}: the rule raises NotImplementedError."
            return [Finding(WRONG, about.function, words, *_SOME_BATCHES)]
        ways = [way for way in about.ways if not _refused(way, demanded)]
        ways = [way for way in ways if not _fails_aloud(inquiry, title, about, way)]
        looked_at += len(ways)
        finding = next(filter(None, (_wrong(inquiry, title, about, way) for way in ways)), None)
        if finding is None and demanded:
            finding = _of_own_means(inquiry, title, about, ways)
        if finding is not None:
            found.append(finding)
        elif ways:
            inquiry.note(title, True)
    if looked_at:
        inquiry.examined.append("vmap")
    else:
        inquiry.left_out["vmap"] = (
            "the rule or a loop over the batch refuses, or random numbers are drawn"
        )
    return found


def _absent(inquiry: Inquiry) -> list[Finding]:
    inquiry.note("vmap", False, note="no Function has a rule")
    detail = "No Function that is applied has a rule for it, and the task asks for one."
    why = "Without a rule, `torch.vmap` does not know how to run a Function for a whole batch."
    look = (
        "If forward takes `ctx`, take it out and write `setup_context` beside it. Where NumPy "
        "computes, write a static method `vmap(info, in_dims, …)`. Where all is PyTorch's, the "
        "line `generate_vmap_rule = True` does as well. Both stand in the class itself, outside of "
        "its other methods, and are spelt letter by letter."
    )
    if found := inquiry.base.like_a_rule:
        why = f"The class has `{found}`. PyTorch looks for `generate_vmap_rule`, or for `vmap`."
        look = "Write the name of the rule letter by letter."
    return [Finding(WRONG, "", detail, why, look)]


def _refused(way: Batch, demanded: bool) -> bool:
    """Tell whether nothing can be compared: a rule may say that it cannot do this."""
    raised = way.raised
    if demanded and raised:
        return False
    if way.refused or not raised:
        return bool(way.refused)
    by_pytorch = raised.type == "AssertionError" and not raised.line
    return by_pytorch or not_started(raised) or _BY_CHANCE in raised.message


def _fails_aloud(inquiry: Inquiry, title: str, about: Vmap, way: Batch) -> bool:
    """Tell whether it raises where the batch is not in front: an error to a strict judge only."""
    raised = way.raised
    if inquiry.strict or not raised or not any(way.in_dims):
        return False
    inquiry.note_raised(title, raised, lenient=True)
    inquiry.unless_lenient([_of_raised(inquiry, about, way)])
    return True


def _wrong(inquiry: Inquiry, title: str, about: Vmap, way: Batch) -> Finding | None:
    if raised := way.raised:
        inquiry.note_raised(title, raised)
        return _of_raised(inquiry, about, way)
    detail = _of_outputs(way) or _of_gradients(about, way)
    if not detail:
        return None
    inquiry.note(title, False, note=detail)
    why, look = _NO_WAY if " is lost, and" in detail else _of_shapes(way)
    return Finding(WRONG, about.function, f"{_said(about, way)}: {detail}", why, look)


def _of_own_means(inquiry: Inquiry, title: str, about: Vmap, ways: list[Batch]) -> Finding | None:
    """Find a rule with the right numbers that is not the author's, or leaves backward aside."""
    if inquiry.asked.own_rule and any(way.generated for way in ways):
        detail, words = "It has no rule written by hand.", _GENERATED
    elif any(any(way.due_grads or ()) and not way.in_graph for way in ways if way.grads):
        detail, words = "The numbers are right, but its rule does not apply it.", _NOT_APPLIED
    else:
        return None
    inquiry.note(title, False, note=detail)
    return Finding(WRONG, about.function, detail, *words)


def _said(about: Vmap, way: Batch) -> str:
    dims = ", ".join(map(str, way.in_dims)) + ("," if len(way.in_dims) == 1 else "")
    batched = [n for n, dim in zip(about.names, way.in_dims, strict=True) if dim is not None]
    return f"With a batch of {' and '.join(batched)}, `in_dims=({dims})`"


def _of_raised(inquiry: Inquiry, about: Vmap, way: Batch) -> Finding:
    raised = way.raised
    if raised.line:
        finding = see(inquiry, raised)
        if finding.name != "raises":
            return finding
        if not finding.why and raised.phase == "vmap":
            own = raised.line.lstrip().startswith("raise ")
            finding = finding.because(*(_SOME_BATCHES if own else _NOT_LINED_UP))
        said = _said(about, way).removeprefix("With ")
        return finding.because(finding.why and f"{finding.why} It happens with {said}.")
    words = f"{_said(about, way)}: {who_says(raised)}"
    return explained(Finding(WRONG, about.function, words), raised)


def _of_outputs(way: Batch) -> str:
    if len(way.out) != len(way.due):
        return f"{len(way.out)} outputs come back, and a loop gives {len(way.due)}."
    for mine, due in _pairs(way):
        if not _alike(mine, due):
            return _elsewhere(mine, due) or _words("the output", mine, due)
    return ""


def _pairs(way: Batch) -> Iterator[tuple[Array, Array]]:
    return zip(map(read_array, way.out), map(read_array, way.due), strict=False)


def _of_shapes(way: Batch) -> tuple[str, str]:
    """Say what stands behind an output with other dimensions than the loop's, if it is known."""
    for mine, due in _pairs(way):
        if mine.values.ndim == due.values.ndim + 1 and not way.generated:
            return _NONE_RETURNED if None in way.in_dims else _BATCH_TWICE
        orders = permutations(range(mine.values.ndim)) if mine.values.ndim < _MANY else ()
        if mine.shape != due.shape and any(
            close(mine.values.transpose(order), due.values, _relative(due))
            for order in orders
            if order[0] == 0
        ):
            return _EXCHANGED
    return "", ""


def _of_gradients(about: Vmap, way: Batch) -> str:
    found = zip(way.wanted, way.grads or (), way.due_grads or (), strict=False)
    for place, grad, right in found:
        mine, due = read_array(grad), read_array(right)
        name = f"the gradient of {about.names[place]}"
        if due is None or (mine is None and not due.values.any()):
            continue
        if mine is None:
            return f"{name} is lost, and a loop gives one."
        if not _alike(mine, due):
            return _words(name, mine, due)
    return ""


def _alike(mine: Array, due: Array) -> bool:
    return close(mine.values, due.values, _relative(due)) and mine.dtype == due.dtype


def _relative(due: Array) -> float:
    return EXACT if due.dtype in ("float64", "complex128") else FLOAT32


def _elsewhere(mine: Array, due: Array) -> str:
    """Recognise the right numbers with the batch in another dimension."""
    for dim in range(1, mine.values.ndim):
        if close(np.moveaxis(mine.values, dim, 0), due.values, _relative(due)):
            return "the numbers are right, but the batch is not where the rule says."
    return ""


def _words(name: str, mine: Array, due: Array) -> str:
    if mine.shape != due.shape:
        shapes = list(mine.shape), list(due.shape)
        return f"{name} has the shape {shapes[0]}, and a loop gives {shapes[1]}."
    if mine.dtype != due.dtype:
        return f"{name} is {mine.dtype}, and a loop gives {due.dtype}."
    line = difference(name, mine, due, _relative(due))
    at = f" at {line.where}" if line.where.startswith("[") else ""
    return f"{name}{at} is {line.yours}, and a loop over the batch gives {line.expected}."
