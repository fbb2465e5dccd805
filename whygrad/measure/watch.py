"""Watch custom Functions at work: which are applied, what their backwards get and return.

What a backward returned cannot be read off the gradients that arrive: the engine casts a gradient
to its input's dtype, and sums one that broadcasts, without a word.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch.autograd.graph import Node

from whygrad.torch_private import watched_functions


@dataclass
class BackwardCall:
    """One call of a custom backward."""

    node: Node  # of the graph, which is also the `ctx`
    incoming: tuple  # the very tensors that backward got
    before: tuple  # copies of them, made before backward ran
    returned: object = None  # None also while it runs, or if it raised


@dataclass
class Watch:
    """What was seen: the Functions applied, by class, and the calls of their backwards."""

    applied: list[type] = field(default_factory=list)
    backwards: list[BackwardCall] = field(default_factory=list)


@contextmanager
def watching() -> Iterator[Watch]:
    """Watch every custom Function until the block ends."""
    watch = Watch()

    def watched_backward(node, grads, backward):
        with torch.no_grad():
            copies = tuple(g.clone() if isinstance(g, torch.Tensor) else g for g in grads)
        call = BackwardCall(node, grads, copies)
        watch.backwards.append(call)
        call.returned = backward(node, *grads)
        return call.returned

    with watched_functions(watch.applied.append, watched_backward):
        yield watch
