"""Put the functions of an autograd graph into the order in which backward visits them."""

import heapq

from torch.autograd.graph import Node as AutogradNode

_DEEP = 5_000  # functions


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
    found = {fn: i for i, fn in enumerate(consumers)}
    ready = [(-fn._sequence_nr(), found[fn], fn) for fn in consumers if not consumers[fn]]
    heapq.heapify(ready)
    order = []
    while ready:
        fn = heapq.heappop(ready)[-1]
        order.append(fn)
        for source, _ in fn.next_functions:
            if source is not None:
                consumers[source] -= 1
                if not consumers[source]:
                    heapq.heappush(ready, (-source._sequence_nr(), found[source], source))
    if len(order) > _DEEP:
        _free_one_by_one(order, {edge for fn in order for edge in fn.next_functions})
    return order


def _free_one_by_one(order: list[AutogradNode], consumed: set) -> None:
    """Make sure that a deep graph can be freed after Python has looked at all its nodes.

    torch 2.13 frees a node that Python has seen by recursion, and some 50,000 of them in a row
    overflow the C stack. So the first nodes carry a list of the others: it goes away with them and
    lets go of the others from its end, each when nothing else holds it.
    """
    reached = {fn for fn, _ in consumed}
    others = [fn for fn in reversed(order) if fn in reached]
    for fn in order:
        if fn not in reached:
            fn.metadata[__name__] = others
