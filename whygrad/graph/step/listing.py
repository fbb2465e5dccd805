"""Say in words what happens at each step of a backward pass that is shown, and what is not."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from whygrad.graph.autograd_graph import RESULTS, Graph
from whygrad.graph.describe import bracketed, counted
from whygrad.graph.step.backward_pass import Arrival, Handed, Recording, Step

MOST_STEPS = 60
MOST_ROWS = 6


# One thing that a step says: what it is about, and one or more rows of text.
Said = tuple[str, tuple[str, ...]]


class _Words:
    def __init__(self, recording: Recording) -> None:
        self._graph = recording.graph
        self._labels = _labels_of_outputs(recording.graph)
        self._with_outputs = {e.source for e in recording.graph.edges if e.output is not None}

    def entry(self, step: Step, left_out: int) -> "ListedStep":
        leaves = [edge.source for edge in self._graph.into(step.name)] if step.accumulates else []
        goes_to = [h.target for h in step.went_out if h.target and h.value is not None]
        return ListedStep(
            step,
            self._titled(step.name) + bracketed(self._graph.named[step.name].remarks),
            tuple(self._lines(step)),
            tuple(goes_to + leaves),
            self._leaf(step.name),
            _not_listed(left_out),
        )

    def _lines(self, step: Step) -> Iterator[Said]:
        yield from self._came_in(step)
        if step.went_out:
            yield "went out", _bounded([self._handed(handed) for handed in step.went_out])
        if step.error:
            yield "raised", (step.error,)
        elif step.accumulates:
            leaf = self._leaf(step.name)
            label = f"{leaf}, .grad" if leaf == f"leaf {step.name}" else f"{leaf}.grad"
            yield label, (f"now {step.after}", f"before {step.before}")

    def _came_in(self, step: Step) -> Iterator[Said]:
        several = len(step.came_in) > 1
        shown = [a for a in step.came_in if a.parts or a.total or not several][:MOST_ROWS]
        for arrival in shown:
            label = "came in" + (f" for output {arrival.output}" if several else "")
            if of := self._labels[step.name, arrival.output]:
                label += f", gradient of {', '.join(of)}"
            yield label, tuple(self._arrived(arrival))
        left = len(step.came_in) - len(shown)
        if left:
            nothing = sum(1 for a in step.came_in if not a.parts and not a.total)
            what = "nothing" if nothing == left else "not shown"
            yield f"came in for {counted(left, 'other output')}", (what,)

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
        return f"node {name} ({self._titled(name)})"

    def _titled(self, name: str) -> str:
        leaf, title = self._leaf(name), self._graph.named[name].title
        return f"{title} of {leaf}" if leaf else title

    def _leaf(self, name: str) -> str:
        """Return what an AccumulateGrad's leaf is called; "" for another function."""
        for edge in self._graph.into(name, "flow"):
            if edge.source.startswith("t"):
                return self._graph.named[edge.source].title or f"leaf {name}"
        return ""


@dataclass(frozen=True, slots=True)
class ListedStep:
    """A step as it is listed.

    Attributes:
        step: as it was recorded.
        heading: the function's title.
        lines: what happens.
        goes_to: names of the nodes that a gradient goes to.
        leaf: what an `AccumulateGrad`'s leaf is called; "" for other functions.
        left_out: says how many steps before this one are not listed, or "".
    """

    step: Step
    heading: str
    lines: tuple[Said, ...]
    goes_to: tuple[str, ...]
    leaf: str
    left_out: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A backward pass in words: a first sentence, the steps that are listed, and notes."""

    opening: str
    entries: tuple[ListedStep, ...]
    notes: tuple[str, ...]
    count: int  # of all steps


def make_listing(recording: Recording, drawn: Graph) -> Listing:
    """List the steps whose functions are drawn, and the last one."""
    words = _Words(recording)
    names = {node.name for node in drawn.functions}
    listed = [place for place, step in enumerate(recording.steps) if step.name in names]
    listed = listed[:MOST_STEPS]
    last = len(recording.steps) - 1  # it raised, or it fills the last .grad
    places = sorted({*listed, last} - {-1})
    entries = [
        words.entry(recording.steps[place], place - before - 1)
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
    width = max((len(entry.step.name) for entry in listing.entries), default=1)
    for entry in listing.entries:
        if entry.left_out:
            lines.append(f"  {'…':>{width}}  {entry.left_out}")
        lines.append(f"  {entry.step.name:>{width}}  {entry.heading}")
        pad = " " * (width + 6)
        for label, (first, *others) in entry.lines:
            lines.append(f"{pad}{label}: {first}")
            lines += [f"{pad}  {row}" for row in others]
    return "\n".join([*lines, *listing.notes])


def _not_listed(count: int) -> str:
    return f"{counted(count, 'step')} not shown" if count else ""


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


def _labels_of_outputs(graph: Graph) -> dict[tuple[str, int], list[str]]:
    """Find which labelled tensors are the outputs of which function."""
    labels = defaultdict(list)
    for edge in graph.edges:
        target = graph.named[edge.target]
        if edge.kind == "flow" and target.kind in RESULTS and target.title:
            labels[edge.source, edge.output or 0].append(target.title)
    return labels


def _bounded(rows: list[str]) -> tuple[str, ...]:
    if len(rows) <= MOST_ROWS:
        return tuple(rows)
    left = len(rows) - MOST_ROWS + 1
    return (*rows[: MOST_ROWS - 1], f"{left:,} more gradients, not shown")
