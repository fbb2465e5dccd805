"""Say in words what happens at each step of a backward pass that is shown, and what is not."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from whygrad.graph.autograd_graph import Graph, Node
from whygrad.graph.describe import bracketed, counted
from whygrad.graph.step.backward_pass import Arrival, Handed, Recording, Step

MOST_STEPS = 60
MOST_ROWS = 6


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a step says: what it is about, and one or more rows of text."""

    label: str
    rows: tuple[str, ...]


class _Words:
    def __init__(self, recording: Recording) -> None:
        graph = recording.graph
        self._nodes = {node.name: node for node in graph.nodes}
        self._labels = _labels_of_outputs(graph, self._nodes)
        self._with_outputs = {e.source for e in graph.edges if e.output is not None}
        flows = [edge for edge in graph.edges if edge.kind == "flow"]
        # By an AccumulateGrad's name: the name of its leaf's node, and what the leaf is called.
        self.tensor_of = {e.target: e.source for e in flows if e.source.startswith("t")}
        self.leaf_of = {
            name: self._nodes[tensor].title or f"leaf {name}"
            for name, tensor in self.tensor_of.items()
        }

    def heading(self, step: Step) -> str:
        node = self._nodes[step.name]
        title = node.title + (f" of {self.leaf_of[step.name]}" if step.accumulates else "")
        return title + bracketed(node.remarks)

    def lines(self, step: Step) -> list[Said]:
        lines = list(self._came_in(step))
        if step.went_out:
            rows = [self._handed(handed) for handed in step.went_out]
            lines.append(Said("went out", _bounded(rows)))
        if step.error:
            lines.append(Said("raised", (step.error,)))
        elif step.accumulates:
            titled = self._nodes[self.tensor_of[step.name]].title
            label = self.leaf_of[step.name] + (".grad" if titled else ", .grad")
            lines.append(Said(label, (f"now {step.after}", f"before {step.before}")))
        return lines

    def _came_in(self, step: Step) -> Iterator[Said]:
        several = len(step.came_in) > 1
        shown = [a for a in step.came_in if a.parts or a.total or not several][:MOST_ROWS]
        for arrival in shown:
            label = "came in" + (f" for output {arrival.output}" if several else "")
            if of := self._labels.get((step.name, arrival.output)):
                label += f", gradient of {', '.join(of)}"
            yield Said(label, tuple(self._arrived(arrival)))
        left = len(step.came_in) - len(shown)
        if left:
            nothing = sum(1 for a in step.came_in if not a.parts and not a.total)
            what = "nothing" if nothing == left else "not shown"
            yield Said(f"came in for {counted(left, 'other output')}", (what,))

    def _arrived(self, arrival: Arrival) -> Iterator[str]:
        parts = [f"{self._source(part.source)}{part.value}" for part in arrival.parts]
        if not parts:
            yield str(arrival.total) + (" (a hook put it there)" if arrival.changed else "")
            return
        first, *others = _bounded(parts)
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


@dataclass(frozen=True, slots=True)
class ListedStep:
    """A step as it is listed.

    Attributes:
        name, heading: the function's number and title.
        lines: what happens.
        goes_to: names of the nodes that a gradient goes to.
        leaf, before, after: an `AccumulateGrad`'s leaf, and its `.grad` in words; "" for others.
        left_out: says how many steps before this one are not listed, or "".
    """

    name: str
    heading: str
    lines: tuple[Said, ...]
    goes_to: tuple[str, ...]
    leaf: str
    before: str
    after: str
    left_out: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A backward pass in words.

    Attributes:
        opening: a first sentence.
        entries: the steps that are listed.
        notes: what else there is to say.
        count: how many steps there are.
    """

    opening: str
    entries: tuple[ListedStep, ...]
    notes: tuple[str, ...]
    count: int


def make_listing(recording: Recording, drawn: Graph) -> Listing:
    """List the steps whose functions are drawn, and the last one.

    Args:
        recording: what `record` returns.
        drawn: its graph, folded or not.
    """
    words = _Words(recording)
    names = {node.name for node in drawn.nodes if node.kind == "function"}
    listed = [place for place, step in enumerate(recording.steps) if step.name in names]
    listed = listed[:MOST_STEPS]
    last = len(recording.steps) - 1  # it raised, or it fills the last .grad
    places = sorted({*listed, last} - {-1})
    entries = [
        _entry(words, recording.steps[place], place - before - 1)
        for before, place in zip([-1, *places], places, strict=False)
    ]
    count = len(recording.steps)
    opening = (
        f"Backward from {recording.start or 'the given tensor'}: {counted(count, 'step')}, "
        "in the order in which the engine visited the functions."
    )
    notes = _notes(recording, drawn, count - len(places))
    return Listing(opening, tuple(entries), tuple(notes), count)


def to_text(listing: Listing) -> str:
    """Write a listing as plain text."""
    lines = [listing.opening]
    width = max((len(entry.name) for entry in listing.entries), default=1)
    for entry in listing.entries:
        if entry.left_out:
            lines.append(f"  {'…':>{width}}  {entry.left_out}")
        lines.append(f"  {entry.name:>{width}}  {entry.heading}")
        pad = " " * (width + 6)
        for line in entry.lines:
            first, *others = line.rows
            lines.append(f"{pad}{line.label}: {first}")
            lines += [f"{pad}  {row}" for row in others]
    return "\n".join([*lines, *listing.notes])


def _not_listed(count: int) -> str:
    return f"{counted(count, 'step')} not shown" if count else ""


def _entry(words: _Words, step: Step, left_out: int) -> ListedStep:
    goes_to = [h.target for h in step.went_out if h.target and h.value is not None]
    if step.accumulates:
        goes_to.append(words.tensor_of[step.name])
    return ListedStep(
        step.name,
        words.heading(step),
        tuple(words.lines(step)),
        tuple(goes_to),
        words.leaf_of[step.name] if step.accumulates else "",
        str(step.before) if step.accumulates else "",
        str(step.after) if step.accumulates else "",
        _not_listed(left_out),
    )


def _notes(recording: Recording, drawn: Graph, left_out: int) -> Iterator[str]:
    if left_out:
        yield (
            f"{_not_listed(left_out)}: the graph is large, and only the steps of the functions "
            "in its picture are listed, and the last one."
        )
    if recording.error:
        place = "first" if not recording.steps else "next"
        yield f"Before the {place} step, backward raised {recording.error}"
    if recording.unreached:
        count = recording.unreached
        yield (
            f"Backward stopped there: {counted(count, 'function')} "
            f"{'was' if count == 1 else 'were'} not visited."
        )
    yield from drawn.notes


def _labels_of_outputs(graph: Graph, nodes: dict[str, Node]) -> dict[tuple[str, int], list[str]]:
    """Find which labelled tensors are the outputs of which function."""
    labels = defaultdict(list)
    for edge in graph.edges:
        target = nodes[edge.target]
        if edge.kind == "flow" and target.kind in ("output", "intermediate") and target.title:
            labels[edge.source, edge.output or 0].append(target.title)
    return dict(labels)


def _bounded(rows: list[str]) -> tuple[str, ...]:
    if len(rows) <= MOST_ROWS:
        return tuple(rows)
    left = len(rows) - MOST_ROWS + 1
    return (*rows[: MOST_ROWS - 1], f"{left:,} more gradients, not shown")
