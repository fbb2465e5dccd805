"""Run a backward pass with hooks on its nodes, and leave everything as it was before."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch.autograd.graph import Node as AutogradNode

from whygrad.graph.nodes import accumulates
from whygrad.graph.step.backward_pass import Value, read


@dataclass
class Visit:
    """One visit of a node, as its hooks saw it."""

    fn: AutogradNode
    came_in: list[Value | None]
    went_out: list[Value | None] | None = None  # None as long as the function has not returned
    before: Value | None = None  # the `.grad` of an `AccumulateGrad`'s leaf
    after: Value | None = None


@dataclass
class Recorder:
    """Notes of one backward pass: its visits, in the order in which they began."""

    visits: list[Visit] = field(default_factory=list)

    @contextmanager
    def listening(self, functions: list[AutogradNode]) -> Iterator[None]:
        """Hook into some nodes, and take the hooks off at the end."""
        handles = []
        try:
            for fn in functions:
                handles.append(fn.register_prehook(self._beginning(fn)))
                handles.append(fn.register_hook(self._end(fn)))
            yield
        finally:
            for handle in handles:
                handle.remove()

    def unfinished(self) -> Visit | None:
        """Find the visit that began and did not end, which is the one that raised."""
        return next((v for v in reversed(self.visits) if v.went_out is None), None)

    def _beginning(self, fn: AutogradNode):
        @torch.no_grad()
        def note(grad_outputs):
            visit = Visit(fn, [read(grad) for grad in grad_outputs])
            if accumulates(fn):
                visit.before = read(fn.variable.grad)
            self.visits.append(visit)

        return note

    def _end(self, fn: AutogradNode):
        @torch.no_grad()
        def note(grad_inputs, grad_outputs):
            visit = next(v for v in reversed(self.visits) if v.fn is fn and v.went_out is None)
            visit.went_out = [read(grad) for grad in grad_inputs]
            if accumulates(fn):
                visit.after = read(fn.variable.grad)

        return note


def run_backward(out: torch.Tensor, grad: torch.Tensor | None, create_graph: bool) -> None:
    """Run the engine from `out`; what the graph has saved stays for a later backward pass."""
    # A copy, because a function may write into what it is given.
    start = torch.ones_like(out) if grad is None else grad.clone()
    with warnings.catch_warnings(), _warnings_once_left():
        # .grad is put back, so that the cycle that this warning is about does not last.
        warnings.filterwarnings("ignore", message="Using backward.. with create_graph=True")
        torch.autograd.backward(out, start, retain_graph=True, create_graph=create_graph)


@contextmanager
def _warnings_once_left() -> Iterator[None]:
    # PyTorch gives some warnings once. One that is given here must not be lost for later.
    always = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        yield
    finally:
        torch.set_warn_always(always)


@contextmanager
def left_as_found(tensors: Iterable[torch.Tensor]) -> Iterator[None]:
    """Put the `.grad` of some tensors, and the random numbers, back at the end.

    Backward adds to what a leaf's `.grad` holds, in place; a copy of it stands in meanwhile.
    """
    # A tensor that is no leaf has a .grad if it was asked to, with retain_grad.
    holders = {id(t): t for t in tensors if t.is_leaf or t.retains_grad}.values()
    grads = [(tensor, tensor.grad) for tensor in holders]
    devices = {t.get_device() for t in holders if t.is_cuda}
    with torch.random.fork_rng(devices=sorted(devices)):
        try:
            for tensor, grad in grads:
                tensor.grad = None if grad is None else grad.detach().clone()
            yield
        finally:
            for tensor, grad in grads:
                tensor.grad = grad
