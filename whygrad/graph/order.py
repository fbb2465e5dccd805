"""Put the functions of an autograd graph into the order in which backward visits them."""

import heapq
from collections.abc import Iterable
from itertools import count

import torch
from torch.autograd.graph import Node as AutogradNode

from whygrad.torch_private import sequence_number, view_base

_STEP = 1_000  # functions


def accumulates(fn: AutogradNode) -> bool:
    """Tell whether a node adds to a leaf's `.grad`."""
    # Not by its attribute `variable`: a custom Function may keep one of that name on its ctx.
    return type(fn).__name__ == "AccumulateGrad"  # a custom Function's ends in "Backward"


def number_functions(tensors: Iterable[torch.Tensor]) -> dict[AutogradNode, str]:
    """Number the functions behind some tensors, and behind what these are views of."""
    tensors = list(tensors)
    bases = [base for tensor in tensors if (base := view_base(tensor)) is not None]
    starts = [tensor.grad_fn for tensor in [*tensors, *bases] if tensor.grad_fn is not None]
    return {fn: str(number) for number, fn in enumerate(visiting_order(starts), 1)}


def visiting_order(starts: list[AutogradNode]) -> list[AutogradNode]:
    """List every function in the order in which the engine would visit them.

    The engine takes a node once all its consumers are done; of several, the one recorded last.
    """
    consumers = dict.fromkeys(starts, 0)
    stack = list(consumers)
    while stack:
        for source, _ in stack.pop().next_functions:
            if source is None:
                continue
            if source not in consumers:
                consumers[source] = 0
                stack.append(source)
            consumers[source] += 1
    pushed = count()  # leaves' accumulators all have the same number: first come, first served
    ready = [(-sequence_number(fn), next(pushed), fn) for fn in consumers if not consumers[fn]]
    heapq.heapify(ready)
    order = []
    while ready:
        fn = heapq.heappop(ready)[-1]
        order.append(fn)
        for source, _ in fn.next_functions:
            if source is not None:
                consumers[source] -= 1
                if not consumers[source]:
                    heapq.heappush(ready, (-sequence_number(source), next(pushed), source))
    _free_in_steps(order)
    return order


def _free_in_steps(order: list[AutogradNode]) -> None:
    """Make sure that a deep graph can be freed after Python has looked at all its nodes.

    torch 2.13 frees nodes that Python has seen by recursion, and some 50,000 in a row overflow the
    C stack. So every so many nodes one carries the next ones in a list. The list goes away with its
    node, and lets go of the others from its end, one by one.
    """
    for start in range(0, len(order), _STEP):
        following = order[start + 1 : start + 1 + _STEP]
        if len(following) == _STEP:
            order[start].metadata[__name__] = following[::-1]
