"""Note what arrives at each node of a backward pass and what it hands on, with node hooks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch.autograd.graph import Node as AutogradNode

from whygrad.graph.order import accumulates
from whygrad.graph.step.values import Value, read


@dataclass
class Visit:
    """One visit of a node, as its hooks saw it.

    Attributes:
        fn: the node.
        came_in: what its function got.
        went_out: what it returned; None as long as it has not returned.
        before, after: the `.grad` of an `AccumulateGrad`'s leaf.
    """

    fn: AutogradNode
    came_in: list[Value | None]
    went_out: list[Value | None] | None = None
    before: Value | None = None
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
