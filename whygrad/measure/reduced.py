"""Make a small callable of one with large inputs or outputs: along directions, in weighted sums.

What is right for each number of `f(x)` is right for `P f(x + D t)` as well, and the few numbers
`t` have a Jacobian that can be measured whole. Every direction in `D` moves all numbers of an input
and every row of `P` weighs all numbers of an output: none is left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from whygrad.measure.along import direction
from whygrad.measure.reals import as_pairs, shape_of, shaped_like
from whygrad.measure.run_once import constant_places, is_wanted
from whygrad.measure.trial import strided
from whygrad.sample import FLOAT64

MOST = 512  # numbers of all inputs, or of all outputs, that are measured one by one
SUMS = 5  # weighted sums of an output
_FEW = 4  # numbers of an input or output that is taken as it is
_STEP = 1 / 16  # of an element in a direction: small, since many elements are near a kink
_FIRST, _APART = 0.5, 0.125  # where along the directions the inputs themselves are


class Reduced:
    """A small callable made of a large one.

    Attributes:
        inputs: its arguments that stand for those of the large one: float64 of shape (directions,)
            for each large tensor that is to be differentiated, and the argument itself otherwise.

    Args:
        call: the large callable.
        inputs: its arguments.
        is_strided: whether what it gets, and its incoming gradients, are non-contiguous.
        still: by place, which numbers of an input no direction moves.
    """

    def __init__(
        self,
        call: Callable,
        inputs: Sequence[Any],
        is_strided: bool = False,
        still: Mapping[int, torch.Tensor] | None = None,
    ) -> None:
        self._call, self._inputs, self._is_strided = call, tuple(inputs), is_strided
        wanted = wanted_places(call, inputs)
        count = 3 if len(wanted) == 1 else 2  # each direction costs calls
        self._steps = {
            place: _steps(inputs[place], count) for place in wanted if inputs[place].numel() > _FEW
        }
        for place, mask in (still or {}).items():
            self._steps[place][:, mask.reshape(-1)] = 0
        self._start = _FIRST + _APART * torch.arange(count, **FLOAT64)
        self._weights: dict[int, list[torch.Tensor]] = {}
        self.inputs = tuple(
            self._start.clone() if place in self._steps else value
            for place, value in enumerate(inputs)
        )

    @property
    def directions(self) -> dict[int, int]:
        """How many directions stand for an input, by its place."""
        return dict.fromkeys(self._steps, len(self._start))

    def __call__(self, *values: Any) -> Any:
        """Call the large one, and return weighted sums of each of its outputs."""
        given = list(values)
        for place, steps in self._steps.items():
            value, by = self._inputs[place], (values[place] - self._start) @ steps
            given[place] = value + shaped_like(by, value).to(value.dtype)
        result = self._call(*(strided(given) if self._is_strided else given))
        if not isinstance(result, tuple | list):
            return self._summed(0, result)
        return tuple(self._summed(place, out) for place, out in enumerate(result))

    def _summed(self, place: int, out: Any) -> Any:
        if not isinstance(out, torch.Tensor) or out.numel() <= _FEW:
            return out
        if not (out.is_floating_point() or out.is_complex()):
            return out.reshape(-1)[:_FEW]
        numbers = as_pairs(out)
        weights = self._weights.get(place)
        if weights is None or weights[0].shape != numbers.shape:
            made = [direction(numbers, SUMS * place + row) for row in range(SUMS)]
            weights = self._weights[place] = list(strided(made)) if self._is_strided else made
        return torch.stack([(numbers * weight).sum() for weight in weights])


def is_large(call: Callable, inputs: Sequence[Any], outputs: Sequence[Any] = ()) -> bool:
    """Tell whether there are too many numbers to measure one by one."""
    into = [inputs[place] for place in wanted_places(call, inputs)]
    return max(map(_numbers, (into, outputs))) > MOST


def _numbers(values: Sequence[Any]) -> int:
    return sum(value.numel() for value in values if isinstance(value, torch.Tensor))


@contextmanager
def one_thread(inputs: Sequence[Any]) -> Iterator[None]:
    """Compute in one thread in the block, which is fastest for small inputs; not for large ones."""
    count = torch.get_num_threads()
    if _numbers(inputs) <= MOST:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(count)


def wanted_places(call: Callable, inputs: Sequence[Any]) -> list[int]:
    """Return the places of the arguments that are to be differentiated."""
    constant = constant_places(call)
    return [p for p, v in enumerate(inputs) if is_wanted(v) and p not in constant]


def _steps(value: torch.Tensor, count: int) -> torch.Tensor:
    """Directions as rows; the same for inputs of one shape, so that swapped gradients show."""
    like = torch.empty(shape_of(value), **FLOAT64)
    rows = [_STEP * direction(like, 100 + number).reshape(-1) for number in range(count)]
    return torch.stack(rows).to(value.device)
