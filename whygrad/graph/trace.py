"""Read an autograd graph into plain data: nodes and edges, named by order and not by address."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import torch
from torch.autograd.graph import Node as AutogradNode

from whygrad.graph.autograd_graph import KEPT, Edge, Graph, Node
from whygrad.graph.nodes import (
    Kept,
    accumulates,
    hidden_tensors,
    number_functions,
    recorded_during_backward,
    saved_tensors,
)
from whygrad.torch_private import is_custom, outputs_of, view_base


def trace(*tensors: torch.Tensor, show_saved: bool = True, **named: torch.Tensor) -> Graph:
    """Read the autograd graph behind some tensors.

    Args:
        tensors: tensors without a label, or tuples and lists of them.
        show_saved: read what functions saved for backward, too.
        named: tensors (or tuples and lists of them) by the label to show.

    Returns:
        The graph; nothing in it refers to a tensor, so it keeps no memory alive.

    Raises:
        TypeError: nothing was given, or something that is not a tensor.

    >>> x = torch.ones(3, requires_grad=True)
    >>> [node.title for node in trace(x=x, out=x.exp()).nodes]
    ['ExpBackward0', 'AccumulateGrad', 'x', 'out']
    """
    given = list(_given(tensors, named))
    if not given:
        raise TypeError("nothing to draw: pass tensors by name, as in draw(out=out, x=x)")
    with _no_garbage_collection():
        return _Tracer(given, show_saved).graph()


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    # The collector would walk a large graph's growing data again and again, and find nothing.
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _given(tensors: tuple, named: dict[str, object]) -> Iterator[tuple[str, torch.Tensor]]:
    pairs = [("", tensor) for tensor in tensors] + list(named.items())
    for label, value in pairs:
        group = isinstance(value, tuple | list)
        for index, tensor in enumerate(value if group else [value]):
            place = f"{label}[{index}]" if group and label else label
            if not isinstance(tensor, torch.Tensor):
                raise TypeError(
                    f"{place or 'the argument'} is of type {type(tensor).__name__}: "
                    "pass tensors, as in draw(out=out, x=x)"
                )
            yield place, tensor


@dataclass
class _Tracer:
    given: list[tuple[str, torch.Tensor]]
    show_saved: bool
    tensors: list[torch.Tensor] = field(default_factory=list)  # alive, so that no id comes twice
    described: list[Node] = field(default_factory=list)
    known: dict[object, str] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)

    def graph(self) -> Graph:
        self.names = number_functions(tensor for _, tensor in self.given)
        self.consumed = {edge for fn in self.names for edge in fn.next_functions}
        for label, tensor in self.given:
            self._given_tensor(label, tensor)
        for fn, name in self.names.items():
            if accumulates(fn):
                leaf = self._tensor(fn.variable, "leaf")
                self.edges.append(Edge(leaf, name, shape=tuple(fn.variable.shape)))
        functions = [self._function(fn, name) for fn, name in self.names.items()]
        notes = tuple(self._notes())
        return Graph((*functions, *self.described), tuple(self.edges), notes=notes)

    def _given_tensor(self, label: str, tensor: torch.Tensor) -> None:
        known = len(self.tensors)
        name = self._tensor(tensor, _kind(tensor, self.consumed), label)
        if len(self.tensors) == known and label:  # given twice
            place = int(name[1:]) - 1
            titles = filter(None, [self.described[place].title, label])
            self.described[place] = replace(self.described[place], title=", ".join(titles))
            return
        base = view_base(tensor)
        if base is not None:
            known = self._tensor(base, _kind(base, self.consumed), f"base of {label}".strip())
            self.edges.append(Edge(known, name, "view"))

    def _tensor(self, tensor: torch.Tensor, kind: str = "", title: str = "") -> str:
        # A saved output comes back as a new Python object with the same place in the graph.
        key = id(tensor) if tensor.grad_fn is None else (tensor.grad_fn, tensor.output_nr)
        if key in self.known:
            return self.known[key]
        self.tensors.append(tensor)
        name = self.known[key] = f"t{len(self.tensors)}"
        dtype = str(tensor.dtype).removeprefix("torch.")
        constant = kind in KEPT and _is_constant(tensor)
        node = Node(name, kind, title, tuple(tensor.shape), dtype, constant=constant)
        self.described.append(node)
        if tensor.grad_fn is not None and kind != "saved":
            self.edges.append(self._flow(tensor.grad_fn, tensor.output_nr, name))
        return name

    def _flow(self, source: AutogradNode, output: int, target: str) -> Edge:
        made = outputs_of(source)
        shape = tuple(made[output].shape) if output < len(made) else None
        return Edge(
            self.names[source], target, output=output if len(made) > 1 else None, shape=shape
        )

    def _function(self, fn: AutogradNode, name: str) -> Node:
        for source, output in fn.next_functions:
            if source is not None:
                self.edges.append(self._flow(source, output, name))
        note = ""
        custom = is_custom(fn)
        if self.show_saved:
            saved, note = saved_tensors(fn)
            self._keep(saved, "saved", name)
        if custom:
            self._keep(hidden_tensors(fn), "hidden", name)
        return Node(
            name,
            "function",
            type(fn).__name__,
            custom=custom,
            in_backward=recorded_during_backward(fn),
            note=note,
        )

    def _keep(self, kept: list[Kept], kind: str, function: str) -> None:
        for label, tensor in kept:
            source = self._tensor(tensor, kind, label.removeprefix("saved "))
            self.edges.append(Edge(source, function, kind, label))

    def _notes(self) -> Iterator[str]:
        used = {edge.source for edge in self.edges}
        for label, tensor in self.given:
            if tensor.grad_fn is not None or self._tensor(tensor) in used:
                continue
            if tensor.requires_grad:
                yield f"{label or 'the tensor'} is a leaf that nothing drawn here depends on."
            else:
                yield (
                    f"{label or 'the tensor'} has no history: autograd recorded nothing that "
                    "leads to it, and no gradient flows through it."
                )


def _kind(tensor: torch.Tensor, consumed: set) -> str:
    if tensor.grad_fn is None:
        return "leaf" if tensor.requires_grad else "no history"
    return "intermediate" if (tensor.grad_fn, tensor.output_nr) in consumed else "output"


def _is_constant(tensor: torch.Tensor) -> bool:
    if tensor.requires_grad or tensor.is_meta or not tensor.dim() or not tensor.is_floating_point():
        return False
    return bool(tensor.any())  # zeros stand for a gradient that did not come
