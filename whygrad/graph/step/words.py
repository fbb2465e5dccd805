"""Say in words what happens at each step of a backward pass."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from whygrad.graph.data import Graph, Node
from whygrad.graph.step.data import Arrival, Handed, Recording, Step
from whygrad.graph.text import bracketed, counted

MOST_ROWS = 6


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that a step says: what it is about, and one or more rows of text."""

    label: str
    rows: tuple[str, ...]


class Words:
    """The words for one recording.

    Attributes:
        leaf_of: the name of an `AccumulateGrad`'s leaf, as in "bias".
        tensor_of: the leaf's node, by the same name.
    """

    def __init__(self, recording: Recording) -> None:
        graph = recording.graph
        self._nodes = {node.name: node for node in graph.nodes}
        self._labels = _labels_of_outputs(graph, self._nodes)
        self._with_outputs = {e.source for e in graph.edges if e.output is not None}
        self.tensor_of = {
            edge.target: edge.source
            for edge in graph.edges
            if edge.source.startswith("t") and edge.kind == "flow"
        }
        self.leaf_of = {
            name: self._nodes[tensor].title or f"leaf {name}"
            for name, tensor in self.tensor_of.items()
        }

    def heading(self, step: Step) -> str:
        """Name the step's function, as in "AccumulateGrad of bias"."""
        node = self._nodes[step.name]
        title = node.title + (f" of {self.leaf_of[step.name]}" if step.accumulates else "")
        return title + bracketed(node.remarks)

    def lines(self, step: Step) -> list[Line]:
        """Say what came in, what went out, what `.grad` is now, and what was raised."""
        lines = list(self._came_in(step))
        if step.went_out:
            rows = [self._handed(handed) for handed in step.went_out]
            lines.append(Line("went out", _bounded(rows, "gradients")))
        if step.error:
            lines.append(Line("raised", (step.error,)))
        elif step.accumulates:
            leaf = self.leaf_of[step.name]
            label = (
                f"{leaf}.grad" if self._nodes[self.tensor_of[step.name]].title else f"{leaf}, .grad"
            )
            lines.append(Line(label, (f"now {step.after}", f"before {step.before}")))
        return lines

    def _came_in(self, step: Step) -> Iterator[Line]:
        several = len(step.came_in) > 1
        shown = [a for a in step.came_in if a.parts or a.total or not several][:MOST_ROWS]
        for arrival in shown:
            label = "came in" + (f" for output {arrival.output}" if several else "")
            if of := self._labels.get((step.name, arrival.output)):
                label += f", gradient of {', '.join(of)}"
            yield Line(label, tuple(self._arrived(arrival)))
        left = len(step.came_in) - len(shown)
        if left:
            nothing = sum(1 for a in step.came_in if not a.parts and not a.total)
            what = "nothing" if nothing == left else "not shown"
            yield Line(f"came in for {counted(left, 'other output')}", (what,))

    def _arrived(self, arrival: Arrival) -> Iterator[str]:
        parts = [f"{self._source(part.source)}{part.value}" for part in arrival.parts]
        if not parts:
            yield str(arrival.total) + (" (a hook put it there)" if arrival.changed else "")
            return
        first, *others = _bounded(parts, "gradients")
        yield first
        yield from (f"+ {part}" for part in others)
        if arrival.changed:
            yield f"a hook changed it to {arrival.total}"
        elif others:
            yield f"sum: {arrival.total}"

    def _source(self, name: str | None) -> str:
        return f"from {self._called(name)}: " if name else "backward starts with "

    def _handed(self, handed: Handed) -> str:
        if handed.target is None:
            return f"to an operand that needs no gradient: {handed.value}"
        output = f", for output {handed.output}" if handed.target in self._with_outputs else ""
        return f"to {self._called(handed.target)}{output}: {handed.value}"

    def _called(self, name: str) -> str:
        leaf = f" of {self.leaf_of[name]}" if name in self.leaf_of else ""
        return f"node {name} ({self._nodes[name].title}{leaf})"


def _labels_of_outputs(graph: Graph, nodes: dict[str, Node]) -> dict[tuple[str, int], list[str]]:
    """Find which labelled tensors are the outputs of which function."""
    labels = defaultdict(list)
    for edge in graph.edges:
        target = nodes[edge.target]
        if edge.kind == "flow" and target.kind in ("output", "intermediate") and target.title:
            labels[edge.source, edge.output or 0].append(target.title)
    return dict(labels)


def _bounded(rows: list[str], what: str) -> tuple[str, ...]:
    if len(rows) <= MOST_ROWS:
        return tuple(rows)
    left = len(rows) - MOST_ROWS + 1
    return (*rows[: MOST_ROWS - 1], f"{left:,} more {what}, not shown")
