"""What a recorded backward pass is as plain data."""

from dataclasses import dataclass

from whygrad.graph.data import Graph
from whygrad.graph.step.values import Value


@dataclass(frozen=True, slots=True)
class Part:
    """What one function handed on to another: `source` is its name, or None for the start."""

    source: str | None
    value: Value


@dataclass(frozen=True, slots=True)
class Arrival:
    """The gradient of one output of a function's operation, as backward brings it.

    Attributes:
        output: which output.
        parts: what was handed on to it, in that order.
        total: what the function got: their sum, or None if nothing was handed on.
        changed: a hook made something else of the sum.
    """

    output: int
    parts: tuple[Part, ...]
    total: Value | None
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Handed:
    """A gradient that a function hands on: to which function, and for which of its outputs."""

    target: str | None
    output: int
    value: Value | None


@dataclass(frozen=True, slots=True)
class Step:
    """The visit of one function.

    Attributes:
        name: of the function in the recording's graph.
        came_in: one gradient for each output of the operation.
        went_out: one for each entry of the function's `next_functions`.
        accumulates: the function is an `AccumulateGrad`.
        before, after: what its leaf's `.grad` held.
        error: type and message of what the function raised, or "".
    """

    name: str
    came_in: tuple[Arrival, ...]
    went_out: tuple[Handed, ...] = ()
    accumulates: bool = False
    before: Value | None = None
    after: Value | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Recording:
    """A backward pass.

    Attributes:
        start: the label of the tensor that backward started from.
        graph: the graph; its functions are numbered in the order in which they were visited.
        steps: the visits, in that order.
        unreached: how many functions it would have visited, had nothing been raised.
        error: type and message of what was raised outside of all functions, by a hook say, or "".
    """

    start: str
    graph: Graph
    steps: tuple[Step, ...]
    unreached: int = 0
    error: str = ""
