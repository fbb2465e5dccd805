"""Facts about a run: its graph, what is kept for backward, what backward returned and wrote."""

from collections.abc import Iterable
from typing import Any

import torch
from torch.autograd.graph import Node

from whygrad.graph.nodes import accumulates, hidden_tensors, saved_tensors
from whygrad.measure.encode import encode
from whygrad.measure.run_once import Run, differs
from whygrad.torch_private import is_custom, outputs_of

_MOST = 400  # functions


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


def reaches(found: Iterable[Node], leaf: torch.Tensor) -> bool:
    """Tell whether a leaf is among what these nodes lead to."""
    return any(accumulates(node) and node.variable is leaf for node in found)


def kept(run: Run) -> dict[str, int]:
    """Count the floating-point tensors that the custom nodes behind the outputs keep."""
    counts = {"given": 0, "copies": 0, "others": 0}
    ends = [value for value in (*run.inputs, *run.outputs) if isinstance(value, torch.Tensor)]
    for node in custom(nodes(run.outputs)):
        for _, tensor in [*saved_tensors(node)[0], *hidden_tensors(node)]:
            if tensor.is_floating_point() and tensor.numel():
                counts[_kind(tensor, ends)] += 1
    return counts


def _kind(tensor: torch.Tensor, ends: list[torch.Tensor]) -> str:
    # A saved output comes back as a new object: it is known by its memory and its history.
    for end in ends:
        if _storage(tensor) == _storage(end):
            return "given" if tensor.requires_grad == end.requires_grad else "copies"
    same = (end for end in ends if end.shape == tensor.shape and torch.equal(end, tensor))
    if next(same, None) is not None:
        return "given" if tensor.requires_grad else "copies"
    return "given" if tensor.requires_grad else "others"


def returned(run: Run) -> list[dict]:
    """Say what each custom backward returned in the last backward pass, slot by slot.

    A slot that leads straight to a leaf names the leaf's place among the inputs.
    """
    slots = []
    for call in run.watch.backwards:
        raw = call.returned if isinstance(call.returned, tuple) else (call.returned,)
        for (target, output), grad in zip(call.node.next_functions, raw, strict=False):
            leaf = target.variable if target is not None and accumulates(target) else None
            place = next((p for p in run.wanted if run.inputs[p] is leaf), None)
            about: dict[str, Any] = {"shape": None, "dtype": None}
            if leaf is not None:
                about = shape_and_dtype(leaf)
            elif target is not None and output < len(outputs := outputs_of(target)):
                about = shape_and_dtype(outputs[output])
            slots.append({"input": place, **about, "grad": encode(grad)})
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
    outputs = {_storage(out) for out in run.outputs}
    tensors = [(p, v) for p, v in enumerate(run.inputs) if isinstance(v, torch.Tensor)]
    return [place for place, value in tensors if value.numel() and _storage(value) in outputs]


def shape_and_dtype(tensor: Any) -> dict[str, Any]:
    """Return both as JSON data, of a tensor or of what a graph notes about one."""
    return {"shape": list(tensor.shape), "dtype": str(tensor.dtype).removeprefix("torch.")}


def _storage(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()
