"""List the steps of a backward pass, those that are shown, and say what is not."""

from collections.abc import Iterator
from dataclasses import dataclass

from whygrad.graph.data import Graph
from whygrad.graph.step.data import Recording, Step
from whygrad.graph.step.words import Line, Words
from whygrad.graph.text import counted

MOST_STEPS = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """A step as it is listed.

    Attributes:
        name, heading: the function's number and title.
        lines: what happens.
        goes_to: names of the nodes that a gradient goes to.
        leaf, before, after: an `AccumulateGrad`'s leaf, and its `.grad` in words; "" for others.
        left_out: how many steps between the one before and this one are not listed.
    """

    name: str
    heading: str
    lines: tuple[Line, ...]
    goes_to: tuple[str, ...]
    leaf: str
    before: str
    after: str
    left_out: int


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
    entries: tuple[Entry, ...]
    notes: tuple[str, ...]
    count: int


def make_listing(recording: Recording, drawn: Graph) -> Listing:
    """List the steps whose functions are drawn, and the last one.

    Args:
        recording: what `record` returns.
        drawn: its graph, folded or not.
    """
    words = Words(recording)
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
    return Listing(
        opening, tuple(entries), tuple(_notes(recording, drawn, count - len(places))), count
    )


def to_text(listing: Listing) -> str:
    """Write a listing as plain text."""
    lines = [listing.opening]
    width = max((len(entry.name) for entry in listing.entries), default=1)
    for entry in listing.entries:
        if entry.left_out:
            lines.append(f"  {'…':>{width}}  {steps_left_out(entry.left_out)}")
        lines.append(f"  {entry.name:>{width}}  {entry.heading}")
        pad = " " * (width + 6)
        for line in entry.lines:
            first, *others = line.rows
            lines.append(f"{pad}{line.label}: {first}")
            lines += [f"{pad}  {row}" for row in others]
    return "\n".join([*lines, *listing.notes])


def steps_left_out(count: int) -> str:
    """Say that some steps are not listed."""
    return f"{counted(count, 'step')} not shown"


def _entry(words: Words, step: Step, left_out: int) -> Entry:
    goes_to = [h.target for h in step.went_out if h.target and h.value is not None]
    if step.accumulates:
        goes_to.append(words.tensor_of.get(step.name, ""))
    return Entry(
        step.name,
        words.heading(step),
        tuple(words.lines(step)),
        tuple(goes_to),
        words.leaf_of[step.name] if step.accumulates else "",
        str(step.before) if step.accumulates else "",
        str(step.after) if step.accumulates else "",
        left_out,
    )


def _notes(recording: Recording, drawn: Graph, left_out: int) -> Iterator[str]:
    if left_out:
        yield (
            f"{steps_left_out(left_out)}: the graph is large, and only the steps of the functions "
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
