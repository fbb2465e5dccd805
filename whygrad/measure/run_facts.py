"""Facts about a run: its graph, what is kept for backward, what backward returned and wrote."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch.autograd.graph import Node

from whygrad.evidence import Slot
from whygrad.evidence.trial import Held, Kept
from whygrad.graph.nodes import accumulates, hidden_tensors, saved_tensors
from whygrad.measure.encode import encode
from whygrad.measure.reals import are_equal, dtype_of, memory_of, shape_of
from whygrad.measure.run_once import Run, differs, items
from whygrad.torch_private import is_custom, is_of_pytorch, outputs_of

_MOST = 400  # functions
_PLAIN_TYPES = (bool, int, float, torch.dtype, torch.device)
_FEW_NUMBERS = 4
_MOST_BITS = 64  # of a whole number
_MOST_LETTERS = 20  # of a text, which could hold all numbers of an input
_PLAIN = (torch.Tensor, torch.nn.Parameter)


def nodes(tensors: Iterable[torch.Tensor | None]) -> list[Node]:
    """Return the functions behind some tensors, nearest first, at most a few hundred."""
    waiting = [t.grad_fn for t in tensors if isinstance(t, torch.Tensor) and t.grad_fn is not None]
    found: dict[Node, None] = {}
    while waiting and len(found) < _MOST:
        node = waiting.pop(0)
        if node not in found:
            found[node] = None
            waiting += [target for target, _ in node.next_functions if target is not None]
    return list(found)


def custom(found: Iterable[Node]) -> list[Node]:
    """Return the nodes of custom Functions among some nodes."""
    return [node for node in found if is_custom(node)]


def around(run: Run, found: Sequence[Node]) -> list[str]:
    """Name what stands between inputs and outputs beside custom Functions, sorted.

    These are nodes of PyTorch's own; the type of an output, if it is no plain tensor, whose
    operations could be anybody's; and "…" if there are too many nodes to look at.
    """
    names = {node.name() for node in found if is_of_pytorch(node) and not accumulates(node)}
    names |= {type(out).__name__ for out in run.outputs if type(out) not in _PLAIN}
    return sorted(names | ({"…"} if len(found) == _MOST else set()))


def reaches(found: Iterable[Node], leaf: torch.Tensor) -> bool:
    """Tell whether a leaf is among what these nodes lead to."""
    return any(accumulates(node) and node.variable is leaf for node in found)


def kept(run: Run, found: Iterable[Node]) -> Kept:
    """Count the floating-point tensors that custom nodes keep.

    They are inputs, outputs, copies of one of these without a history, or others; the attributes
    of `ctx` among them are counted once more.
    """
    counts: Counter[str] = Counter()
    ends = _ends(run)
    for node in found:
        saved, hidden = saved_tensors(node)[0], hidden_tensors(node)
        counts["attribute"] += sum(not _is_plain(value) for value in vars(node).values())
        # Sizes and settings are few; many numbers could hold those of an input.
        dims = sum(value.dim() for _, value in ends)
        counts["attribute"] += _plain_count(vars(node)) > _FEW_NUMBERS + 2 * dims
        for place, (_, tensor) in enumerate([*saved, *hidden]):
            if tensor.is_floating_point() and tensor.numel():
                counts[_kind(tensor, ends)] += 1
                counts["attribute"] += place >= len(saved)
    return Kept(**counts)


def held_by_float32(tensor: torch.Tensor | None) -> int:
    """Count the float64 numbers of a tensor that float32 can hold: those of a cast are all such."""
    if tensor is None or tensor.dtype != torch.float64 or tensor.layout != torch.strided:
        return 0
    plain = tensor.detach()
    return int((plain == plain.float()).sum())


def _ends(run: Run) -> list[tuple[str, torch.Tensor]]:
    """Return the tensors among inputs and outputs, each with what it is."""
    both = (("input", run.inputs), ("output", run.outputs))
    return [(kind, v) for kind, values in both for v in values if isinstance(v, torch.Tensor)]


def on_ctx(found: Iterable[Node]) -> list[str]:
    """Name the floating-point tensors that custom nodes keep as attributes of `ctx`, with bytes."""
    return [
        f"`{label}`, {_bytes(tensor)} bytes"
        for node in found
        for label, tensor in hidden_tensors(node)
        if tensor.is_floating_point() and tensor.numel()
    ]


def held(run: Run, found: Iterable[Node]) -> Held:
    """Add up the bytes that custom nodes keep for backward, each storage once; and list what.

    Tensors of every dtype count, saved ones and attributes of `ctx`. Inputs and outputs count, too.
    Named once more are those of fewer digits than any input has. Said is whether one is a copy of
    an input or output, in a storage of its own.
    """
    digits = min((_digits(v) for v in run.inputs if _digits(v)), default=0)
    ends = _ends(run)
    known = {memory_of(value): f"an {kind}" for kind, value in ends if value.numel()}
    seen: dict[int, int] = {}
    each, narrow, copied = [], [], False
    for node in found:
        for label, tensor in [*saved_tensors(node)[0], *hidden_tensors(node)]:
            place = memory_of(tensor)
            if tensor.numel() and place not in seen:
                seen[place] = _bytes(tensor)
                word = known.get(place, "made in forward")
                about = f"{dtype_of(tensor)} {shape_of(tensor)}"
                own = tensor.numel() * tensor.element_size()
                copied |= place not in known and any(are_equal(value, tensor) for _, value in ends)
                if word == "made in forward" and own < seen[place]:
                    word = f"a view, whose own numbers take {own} bytes"
                elif word == "made in forward":
                    word += _repeated(tensor)
                each.append(f"{label}: {seen[place]} bytes, {about}, {word}")
                narrow += [f"{label}: {about}"] if 0 < _digits(tensor) < digits else []
    return Held(sum(seen.values()), each, narrow, copied)


def _repeated(tensor: torch.Tensor) -> str:
    """Say along which dimension a strided tensor repeats its numbers; "" if along none.

    One number everywhere, as in zeros to begin with, says nothing of a dimension.
    """
    if tensor.layout != torch.strided or tensor.is_nested:
        return ""
    if torch.equal(tensor, tensor.flatten()[0].expand_as(tensor)):
        return ""
    for dim, size in enumerate(tensor.shape):
        if size > 1 and torch.equal(tensor, tensor.narrow(dim, 0, 1).expand_as(tensor)):
            return f", the same along dimension {dim}"
    return ""


def _digits(value: Any) -> int:
    """Return how many bits a floating-point number takes in a tensor; 0 of anything else."""
    is_float = isinstance(value, torch.Tensor) and value.is_floating_point()
    return torch.finfo(value.dtype).bits if is_float else 0


def _bytes(tensor: torch.Tensor) -> int:
    if tensor.layout != torch.strided:
        return tensor.numel() * tensor.element_size()
    return tensor.untyped_storage().nbytes()


def _is_plain(value: Any) -> bool:
    """Tell whether an attribute of `ctx` is seen through: no function, array or other object."""
    if isinstance(value, slice):
        return not any(isinstance(v, torch.Tensor | slice) for v in _inside(value))
    if (inside := _inside(value)) is not None:
        return all(map(_is_plain, inside)) and not any(type(item) is float for item in inside)
    if isinstance(value, str):
        return type(value) is str and len(value) <= _MOST_LETTERS
    if type(value) is int:
        return value.bit_length() <= _MOST_BITS
    return value is None or type(value) in _PLAIN_TYPES or isinstance(value, torch.Tensor)


def _plain_count(value: Any) -> int:
    """Count the numbers and texts in an attribute of `ctx`."""
    if (inside := _inside(value)) is not None:
        return sum(map(_plain_count, inside))
    return isinstance(value, int | float | str)


def _inside(value: Any) -> Iterable | None:
    """Return what a list, a tuple, a dict or a slice holds; None of anything else."""
    if isinstance(value, slice):
        return value.start, value.stop, value.step
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, tuple | list) else None


def _kind(tensor: torch.Tensor, ends: list[tuple[str, torch.Tensor]]) -> str:
    # A saved output comes back as a new object: it is known by its memory and its history.
    for kind, end in ends:
        if memory_of(tensor) == memory_of(end):
            return kind if tensor.requires_grad == end.requires_grad else "copy"
    for kind, end in ends:
        if are_equal(end, tensor):
            return kind if tensor.requires_grad else "copy"
    return "output" if tensor.requires_grad else "other"


def returned(run: Run) -> list[Slot]:
    """Say what each custom backward returned in the last backward pass, slot by slot.

    A slot that leads straight to a leaf names the leaf's place among the inputs.
    """
    slots = []
    for call in run.watch.backwards:
        raw = items(call.returned) if isinstance(call.returned, tuple) else (call.returned,)
        # The graph goes on from those arguments alone that need a gradient.
        asked = zip(call.node.needs_input_grad, raw, strict=False)
        needed = (grad for is_needed, grad in asked if is_needed)
        edges = (edge for edge in call.node.next_functions if edge[0] is not None)
        for (target, output), grad in zip(edges, needed, strict=False):
            leaf = target.variable if accumulates(target) else None
            place = next((p for p in run.wanted if run.inputs[p] is leaf), None)
            known = outputs_of(target)[output:] if leaf is None else [leaf]
            about = shape_and_dtype(known[0]) if known else (None, "")
            slots.append(Slot(place, *about, encode(grad)))
    return slots


def grad_output_changed(run: Run) -> bool:
    """Tell whether a custom backward changed its incoming gradient in the last backward pass."""
    return any(
        isinstance(now, torch.Tensor) and differs(now, then)
        for call in run.watch.backwards
        for now, then in zip(call.incoming, call.before, strict=True)
    )


def shares_memory(run: Run) -> list[int]:
    """List the places of the inputs that an output is, or is a view of."""
    outputs = {memory_of(out) for out in run.outputs}
    return [
        place
        for place, value in enumerate(run.inputs)
        if isinstance(value, torch.Tensor) and value.numel() and memory_of(value) in outputs
    ]


def shape_and_dtype(tensor: Any) -> tuple[list[int], str]:
    """Return both, of a tensor or of what a graph notes about one."""
    return shape_of(tensor), dtype_of(tensor)
