"""What autograd's nodes tell: their order, what they keep, and which a backward pass recorded.

PyTorch numbers its nodes in the order in which a thread records them, but keeps no word on whether
that happened in a forward computation or, under `create_graph=True`, inside a backward pass. So
`install` wraps the one function through which `backward()` and `torch.autograd.grad()` reach the
engine, and notes the counter before and after each run. It changes nothing else. Nodes that CUDA's
own backward threads record are numbered apart from these and are not told apart.
"""

import heapq
import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import wraps
from itertools import count

import torch
from torch.autograd.graph import Node as AutogradNode

from whygrad.torch_private import (
    is_custom,
    next_sequence_number,
    saved_by,
    sequence_number,
    view_base,
    wrap_engine,
)

Kept = tuple[str, torch.Tensor]
_STEP = 1_000  # functions
_thread = threading.local()


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


def saved_tensors(fn: AutogradNode) -> tuple[list[Kept], str]:
    """Read the tensors that a node saved.

    Returns:
        Pairs of a label ("saved self", "saved [0]") and a tensor; and a note that says why they
        cannot be read, or "".
    """
    try:
        values = {"": fn.saved_tensors} if is_custom(fn) else saved_by(fn)
    except RuntimeError as error:
        return [], _reason(str(error))
    return [pair for name, value in values.items() for pair in _tensors(f"saved {name}", value)], ""


def hidden_tensors(fn: AutogradNode) -> list[Kept]:
    """List the tensors that a custom Function keeps on `ctx`: attributes, and in its metadata."""
    return [
        pair
        for attribute, value in {**vars(fn), "metadata": fn.metadata}.items()
        for pair in _tensors(f"ctx.{attribute}", value)
    ]


def _tensors(label: str, value: object) -> Iterator[Kept]:
    if isinstance(value, torch.Tensor):
        yield label, value
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _tensors(f"{label}[{index}]", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _tensors(f"{label}[{key!r}]", item)


def _reason(message: str) -> str:
    if "freed" in message:
        return "saved tensors already freed by a backward pass"
    if "inplace" in message:
        return "a saved tensor was changed in place since"
    return "saved tensors cannot be read"


def install() -> None:
    """Start taking notes; calling it again changes nothing."""
    wrap_engine(_noting)


def recorded_during_backward(fn: AutogradNode) -> bool:
    """Tell whether `fn` was recorded by a backward pass of this thread."""
    if type(fn).__name__ == "Error":  # what once_differentiable leaves; it has no number of its own
        return True
    runs = _runs()
    number = sequence_number(fn)
    before = bisect_right(runs, number, key=lambda run: run[0])
    return before > 0 and number < runs[before - 1][1]


def _runs() -> list[tuple[int, int]]:
    if not hasattr(_thread, "runs"):
        _thread.runs = []
    return _thread.runs


def _noting(engine):
    if hasattr(engine, "takes_notes"):
        return engine

    @wraps(engine)
    def run(*args, **kwargs):
        start = next_sequence_number()
        try:
            return engine(*args, **kwargs)
        finally:
            _note(start, next_sequence_number())

    run.takes_notes = True
    return run


def _note(start: int, stop: int) -> None:
    if start == stop:
        return
    runs = _runs()
    # A backward pass inside a backward pass ends first; the outer one covers it.
    while runs and runs[-1][0] >= start:
        runs.pop()
    runs.append((start, stop))
