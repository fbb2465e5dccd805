"""Look at the graphs of gradients: what each can be traced back to, and by whose Functions."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import torch

from whygrad.evidence.second_order import Called, Ways
from whygrad.graph.nodes import accumulates, hidden_tensors, saved_tensors
from whygrad.measure.reals import are_equal, dense, memory_of
from whygrad.measure.run_facts import custom, nodes, reaches
from whygrad.measure.run_once import Run, items
from whygrad.measure.watch import Watch

_FORBIDDEN = ("torch::autograd::Error", "DelayedError")  # the node that `once_differentiable` adds


def ways(
    run: Run, grads: Sequence[torch.Tensor | None], asked: Sequence[torch.Tensor]
) -> list[Ways]:
    """Return, for each gradient, facts about the graph behind it, and paths to each leaf asked."""
    of_forward = set(nodes(run.outputs))
    return [_ways(grad, asked, of_forward) for grad in grads]


def _ways(grad: torch.Tensor | None, asked: Sequence[torch.Tensor], of_forward: set) -> Ways:
    found = nodes([grad])
    known = {id(leaf) for leaf in asked}
    leaves = [node.variable for node in found if accumulates(node)]
    # A gradient can be a leaf itself: what came in is handed on, or it was made to be one.
    is_leaf = grad is not None and grad.requires_grad and grad.grad_fn is None
    starts_anew = is_leaf and id(grad) not in known
    return Ways(
        to=[leaf is grad or reaches(found, leaf) for leaf in asked],
        own=[
            node.name().removesuffix("Backward") for node in custom(found) if node not in of_forward
        ],
        other_leaves=starts_anew or any(id(leaf) not in known for leaf in leaves),
        once=any(node.name() in _FORBIDDEN for node in found),
    )


def called(watch: Watch, asked: Sequence[torch.Tensor]) -> list[Called]:
    """Return the Functions that were applied; an argument can be equal to one of the leaves."""
    return [Called(kind.__name__, [*_equal(values, asked)]) for kind, values in watch.given]


def _equal(values: tuple, asked: Sequence[torch.Tensor]) -> Iterator[int]:
    for value in values:
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            equal = (column for column, leaf in enumerate(asked) if _are_equal(value, leaf))
            yield from islice(equal, 1)


def _are_equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.dtype == other.dtype and are_equal(one, other)


def copies(run: Run) -> list[int | None]:
    """List the inputs of which custom Functions keep a copy or a view of no history, by places.

    None stands for an output of a Function of which they do.
    """
    made = [items(result) if isinstance(result, tuple) else (result,) for _, result in run.made]
    outputs = [*run.outputs, *(out for several in made for out in several)]
    ends: list[tuple[int | None, Any]] = [*enumerate(run.inputs), *((None, y) for y in outputs)]
    kept = [
        tensor
        for node in custom(nodes(run.outputs))
        for _, tensor in [*saved_tensors(node)[0], *hidden_tensors(node)]
        if tensor.is_floating_point() and tensor.numel() and tensor.is_leaf
        if not any(tensor is value for value in run.inputs)
    ]
    found = [place for tensor in kept for place, end in ends if _is_copy(tensor, end)]
    return list(dict.fromkeys(found))


def _is_copy(tensor: torch.Tensor, end: Any) -> bool:
    if not isinstance(end, torch.Tensor) or not end.requires_grad:
        return False
    if tensor.requires_grad:  # a leaf that is no input: a view, which forward made
        return memory_of(tensor) == memory_of(end)
    return end.numel() == tensor.numel() and are_equal(
        dense(end).reshape(-1), dense(tensor).reshape(-1)
    )
