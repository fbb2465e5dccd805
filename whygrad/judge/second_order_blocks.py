"""The second derivatives, block by block: each gradient, by each input and incoming gradient."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from whygrad.evidence.second_order import SecondRun
from whygrad.judge.arrays import Array, close, difference
from whygrad.judge.expectation import blocks
from whygrad.judge.inquiry import Inquiry
from whygrad.verdict import Property

_LEAST = 1e-5  # how exact a second derivative is expected to be, at most


@dataclass(frozen=True)
class Block:
    """The derivatives of one gradient by one target.

    Attributes:
        gradient: the name of the input whose gradient it is.
        target: what it is differentiated by: the name of an input, or of an incoming gradient.
        row, column: their places; incoming gradients come after the inputs.
        by_incoming: the place of the incoming gradient among these, if the target is one.
        yours, due: what came back, and what is right; None stands for zeros.
        relative: how exact the right numbers are.
    """

    gradient: str
    target: str
    row: int
    column: int
    by_incoming: int | None
    yours: Array | None
    due: Array | None
    relative: float

    @property
    def kind(self) -> str:
        """One of "right", "missing" (zero, and should not be) and "wrong"."""
        nothing_due = is_zero(self.due)
        nothing = self.yours is None or not np.any(np.abs(self.yours.values) > 1e-9)
        if nothing or nothing_due:
            if nothing and nothing_due:
                return "right"
            return "missing" if nothing else "wrong"
        return "right" if close(self.yours.values, self.due.values, self.relative) else "wrong"

    @property
    def name(self) -> str:
        """The gradient's own name, such as "grad_x"."""
        plain = self.gradient.isidentifier()
        return f"grad_{self.gradient}" if plain else f"the gradient of {self.gradient}"

    @property
    def about(self) -> str:
        """What the derivative is one of, such as "grad_x by w"."""
        return f"{self.name} by {self.target}"

    @property
    def title(self) -> str:
        """What the report calls it among the things that were looked at."""
        return f"second derivative: gradient of {self.gradient}, by {self.target}"

    @property
    def line(self) -> Property:
        """The line of the report."""
        yours, due = self.yours, self.due
        if due is None:
            due = Array(np.zeros(yours.shape if yours else ()), "float64")
        if yours is None:
            yours = Array(np.zeros(due.shape), "float64")
        return difference(self.title, yours, due, self.relative)


def read_blocks(
    inquiry: Inquiry, run: SecondRun | None = None, due: list[list[Array | None]] | None = None
) -> list[Block]:
    """Return the blocks of a double backward, by default of the one that was measured first."""
    mine = blocks(run or inquiry.base.tracked)
    return list(pairs(inquiry, mine, due or inquiry.expected.second)) if mine else []


def constant_blocks(inquiry: Inquiry) -> list[Block]:
    """Return the blocks by the inputs when the incoming gradient requires none."""
    mine = blocks(inquiry.base.second.constant)
    count = len(inquiry.base.wanted)
    return list(pairs(inquiry, mine, [row[:count] for row in inquiry.expected.second]))


def pairs(inquiry: Inquiry, mine: list[list[Any]], right: list[list[Any]]) -> Iterator[Block]:
    """Put what came back beside what is right."""
    inputs = [inquiry.names[place] for place in inquiry.base.wanted]
    columns = (inputs + inquiry.incoming)[: len(right[0])]
    relative = max(inquiry.expected.relative, inquiry.expected.second_noise, _LEAST)
    # Inputs that the reference takes for data: it may have detached them.
    data = {place for place, grad in enumerate(inquiry.expected.grads) if is_zero(grad)}
    for row, gradient in enumerate(inputs):
        for column, target in enumerate(columns):
            yours, due = mine[row][column], right[row][column]
            if column not in data or not is_zero(due):
                place = column - len(inputs) if column >= len(inputs) else None
                yield Block(gradient, target, row, column, place, yours, due, relative)


def is_zero(array: Array | None) -> bool:
    """Tell whether an array is nothing but zeros, or None, which stands for them."""
    return array is None or not np.any(np.abs(np.nan_to_num(array.values)) > 1e-7)
