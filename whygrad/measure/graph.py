"""Facts about an autograd graph: names of its functions, and which leaves it reaches."""

from collections.abc import Iterable

import torch
from torch.autograd.graph import Node

from whygrad.graph.nodes import accumulates
from whygrad.torch_private import is_custom

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
