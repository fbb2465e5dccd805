"""Note which autograd nodes were recorded while a backward pass was running.

PyTorch numbers its nodes in the order in which a thread records them, but keeps no word on whether
that happened in a forward computation or, under `create_graph=True`, inside a backward pass. So
`install` wraps the one function through which `backward()` and `torch.autograd.grad()` reach the
engine, and notes the counter before and after each run. It changes nothing else. Nodes that CUDA's
own backward threads record are numbered apart from these and are not told apart.
"""

import threading
from bisect import bisect_right
from functools import wraps

import torch

from whygrad.torch_private import next_sequence_number, sequence_number, wrap_engine

_thread = threading.local()


def install() -> None:
    """Start taking notes; calling it again changes nothing."""
    wrap_engine(_noting)


def recorded_during_backward(fn: torch.autograd.graph.Node) -> bool:
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
