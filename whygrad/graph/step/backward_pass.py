"""A recorded backward pass as plain data: its steps, and gradients as numbers.

Two machines write the numbers alike.
"""

import math
from dataclasses import dataclass

import torch

from whygrad.graph.autograd_graph import Graph
from whygrad.rounding import short

MOST_NUMBERS = 10
_DIGITS = 4
_NOISE = 4  # units in the last place of a tensor's largest number


@dataclass(frozen=True, slots=True)
class Value:
    """What a gradient was at one moment.

    Attributes:
        shape: of the tensor.
        numbers: all of them in row-major order, or None where there are more than 10, or none.
        norm: the square root of the sum of squares, or None where it cannot be computed.
        zero: what is not larger than this is rounding error, and written as 0.
        made_by: the function that autograd recorded for the gradient itself, or "".
    """

    shape: tuple[int, ...]
    numbers: tuple[float | complex, ...] | None = None
    norm: float | None = None
    zero: float = 0.0
    made_by: str = ""

    def __str__(self) -> str:
        made = f", made by {self.made_by}" if self.made_by else ""
        return _content(self) + made


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


def read(gradient: torch.Tensor | None) -> Value | None:
    """Copy a gradient's numbers; None, which autograd uses for "no gradient", stays None."""
    if gradient is None:
        return None
    shape = tuple(gradient.shape)
    made_by = type(gradient.grad_fn).__name__ if gradient.grad_fn is not None else ""
    tensor = gradient.detach()
    if tensor.is_meta:
        return Value(shape, made_by=made_by)
    if tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    wide = torch.complex128 if tensor.is_complex() else torch.float64
    noise = _NOISE * torch.finfo(tensor.dtype).eps
    tensor = tensor.to("cpu", wide)
    norm = float(torch.linalg.vector_norm(tensor))
    if tensor.numel() > MOST_NUMBERS or not tensor.numel():
        return Value(shape, None, norm, made_by=made_by)
    numbers = tuple(tensor.flatten().tolist())
    largest = max((abs(n) for n in numbers if math.isfinite(abs(n))), default=0.0)
    return Value(shape, numbers, norm, noise * largest, made_by)


def differs(total: Value | None, parts: list[Value | None]) -> bool:
    """Tell whether a gradient is another one than the sum of its parts, as far as one can see."""
    there = [part for part in parts if part is not None]
    if total is None or not there:
        return (total is None) != (not there)
    if len(there) == 1:
        # As texts, in which nan equals nan.
        one, other = (repr((v.shape, v.numbers, v.norm)) for v in (total, there[0]))
        return one != other
    if total.numbers is None or any(part.numbers is None for part in there):
        return False
    limit = len(there) * max([total.zero, *(part.zero for part in there)])
    columns = zip(*(part.numbers for part in there), strict=True)
    # A comparison with nan is false, and so it counts as no difference.
    return any(abs(n - sum(c)) > limit for n, c in zip(total.numbers, columns, strict=True))


def _content(value: Value) -> str:
    if value.numbers is None:
        if 0 in value.shape:
            return f"{value.shape} empty"
        if value.norm is None:
            return f"{value.shape} without values"
        return f"{value.shape} with norm {short(value.norm, _DIGITS)}"
    nested = _nested([_number(n, value.zero) for n in value.numbers], value.shape)
    return f"{value.shape} {nested}" if value.shape else nested


def _nested(numbers: list[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return numbers[0]
    size = len(numbers) // shape[0]
    parts = (numbers[i : i + size] for i in range(0, len(numbers), size))
    return "[" + ", ".join(_nested(part, shape[1:]) for part in parts) + "]"


def _number(number: float | complex, zero: float) -> str:
    if not isinstance(number, complex):
        return short(number, _DIGITS, zero)
    imaginary = short(number.imag, _DIGITS, zero)
    sign = "" if imaginary.startswith("-") else "+"
    return f"{short(number.real, _DIGITS, zero)}{sign}{imaginary}j"
