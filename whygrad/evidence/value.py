"""What evidence is made of: tensors and other values, exceptions, and what a backward returned."""

import math
from dataclasses import dataclass
from typing import Annotated, Any

from whygrad.codec import EvidenceError, record

_MOST_DIMENSIONS, _MOST_NUMBERS = 20, 1_000_000


def _shape(data: Any) -> list[int]:
    are_few = isinstance(data, list) and len(data) <= _MOST_DIMENSIONS
    if not are_few or not all(type(n) is int and 0 <= n <= _MOST_NUMBERS for n in data):
        raise EvidenceError("its numbers have no shape")
    if math.prod(data) > _MOST_NUMBERS:
        raise EvidenceError("there are too many numbers")
    return data


def _numbers(data: Any) -> str:
    try:
        for number in data.split():
            float(number)
    except (AttributeError, TypeError, ValueError):
        raise EvidenceError("its numbers are no numbers") from None
    return data


Shape = Annotated[list[int], _shape]  # at most a million numbers in 20 dimensions
Numbers = Annotated[str, _numbers]


@record
class Value:
    """A tensor, a plain value, or the type of anything else.

    Attributes:
        shape: of a tensor, where complex numbers are pairs along a last dimension; otherwise None.
        dtype: its name, such as "float64", or "".
        data: the numbers in one text, rounded, since a notebook gives each number of a list a line
            of its own; "" of an input, whose numbers are elsewhere.
        left_out: how many numbers the text leaves out at its end.
        value: what Python writes for a plain value; None of anything else.
        type: the type of what is neither a tensor nor a plain value, or "".
        whole: the shape of a large tensor, where this one stands for it along directions; or None.
    """

    shape: Shape | None
    dtype: str
    data: Numbers
    left_out: int
    value: str | None
    type: str
    whole: Shape | None


Values = list[Value | None]  # None is a gradient that did not come back, and stands for zeros


@dataclass(frozen=True)
class Raised:
    """An exception from the code that was looked at.

    Attributes:
        type, message: of the exception; the message is cut where it is long.
        phase: what was being run: "forward", "backward", "second backward".
        line: the last line of that code, stripped, or "" if no frame is of it.
        number: that line's number in its cell or file, 0 if unknown.
        file: "" for a notebook's cell, otherwise the file's name.
        method: whose line it is, such as "Square.backward", or "".
        caller: whose line called that method, with nothing of PyTorch between, or "".
        setup: what its Function calls its `setup_context`, misspelt or not, "new style" or "".
        uncalled: a method that the function of that line names and does not call, such as
            "backward on line 3", or "".
    """

    type: str
    message: str
    phase: str
    line: str = ""
    number: int = 0
    file: str = ""
    method: str = ""
    caller: str = ""
    setup: str = ""
    uncalled: str = ""


@record
class Slot:
    """What a custom backward returned for one argument that needs a gradient.

    Attributes:
        input: the place among the inputs of the leaf that it leads to, or None.
        shape, dtype: of the argument; None and "" where they are not known.
        grad: what was returned.
    """

    input: int | None
    shape: Shape | None
    dtype: str
    grad: Value | None


@record
class Backward:
    """One more backward on the inputs of a trial.

    Attributes:
        grads: the gradients of the differentiable inputs; None if it raised.
        raised: what it raised.
        grad_outputs: the incoming gradients, where they are not those of the trial.
        grad_output_changed: whether it changed them.
        output: the one output that is used, where there is one; otherwise None.
    """

    grads: Values | None
    raised: Raised | None
    grad_outputs: list[Value] | None
    grad_output_changed: bool
    output: int | None


@record
class Alone:
    """A backward where one input alone requires a gradient: its place, and what came of it."""

    input: int
    grad: Value | None
    raised: Raised | None
