"""What an autograd graph is as plain data."""

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property

KEPT = ("saved", "hidden")  # the kinds of what a function keeps
RESULTS = ("output", "intermediate")


@dataclass(frozen=True, slots=True)
class Node:
    """A function or a tensor of an autograd graph.

    Attributes:
        name: "1", "2", … for functions in the order in which backward visits them; "t1", … for
            tensors.
        kind: "function", "leaf", "output", "intermediate", "saved", "hidden" (kept on `ctx` as a
            plain attribute), "no history" (no `grad_fn`, and asks for no gradient), or "more"
            (stands for what was left out of a large graph).
        title: a function's class name, or a tensor's label ("" if it has none).
        shape, dtype: of a tensor; None for a function.
        custom: the function is a `torch.autograd.Function`.
        in_backward: the function was recorded while a backward pass was running.
        note: why something about the node cannot be shown, or "".
        constant: a tensor that is kept, with numbers other than 0, has no history and asks for no
            gradient.
    """

    name: str
    kind: str
    title: str
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    custom: bool = False
    in_backward: bool = False
    note: str = ""
    constant: bool = False

    @property
    def remarks(self) -> list[str]:
        """What is said of a function beside its title."""
        said = {"custom Function": self.custom, "recorded during backward": self.in_backward}
        return [remark for remark, holds in said.items() if holds]


@dataclass(frozen=True, slots=True)
class Edge:
    """A connection, in the direction in which data flowed in forward.

    Attributes:
        source, target: names of nodes.
        kind: "flow", "saved", "hidden" (kept on `ctx`) or "view" (the source is the target's base).
        label: how the target calls the tensor: "saved self", "ctx.exp_x", …; "" for flow.
        output: which output of the source function the edge leaves from, where it has several.
        shape: of the tensor that flows, where autograd knows it.
    """

    source: str
    target: str
    kind: str = "flow"
    label: str = ""
    output: int | None = None
    shape: tuple[int, ...] | None = None

    def moved(self, names: dict[str, str]) -> "Edge":
        """Give the same edge between nodes of other names; those that are not listed stay."""
        source, target = (names.get(end, end) for end in (self.source, self.target))
        return replace(self, source=source, target=target)


@dataclass(frozen=True, slots=True)
class Repeat:
    """A run of equal pieces of a folded graph: `names` is the one that is kept, of `count`."""

    names: tuple[str, ...]
    count: int


@dataclass(frozen=True)
class Graph:
    """An autograd graph as data: functions first, in backward's order, then tensors."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    repeats: tuple[Repeat, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def functions(self) -> list[Node]:
        """The functions, in backward's order."""
        return [node for node in self.nodes if node.kind == "function"]

    @cached_property
    def named(self) -> dict[str, Node]:
        """The nodes by name."""
        return {node.name: node for node in self.nodes}

    @cached_property
    def _into(self) -> dict[str, list[Edge]]:
        edges = defaultdict(list)
        for edge in self.edges:
            edges[edge.target].append(edge)
        return edges

    def into(self, name: str, *kinds: str) -> list[Edge]:
        """Return the edges that lead to a node, in order: those of some kinds, or all."""
        return [edge for edge in self._into[name] if not kinds or edge.kind in kinds]
