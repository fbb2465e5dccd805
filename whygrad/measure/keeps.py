"""Tell what the custom Functions of a graph keep for backward: inputs, outputs, copies, others."""

import torch

from whygrad.graph.nodes import hidden_tensors, saved_tensors
from whygrad.measure.graph import custom, nodes
from whygrad.measure.run import Run


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
        if tensor.untyped_storage().data_ptr() == end.untyped_storage().data_ptr():
            return "given" if tensor.requires_grad == end.requires_grad else "copies"
    same = (end for end in ends if end.shape == tensor.shape and torch.equal(end, tensor))
    if next(same, None) is not None:
        return "given" if tensor.requires_grad else "copies"
    return "given" if tensor.requires_grad else "others"
