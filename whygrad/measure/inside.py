"""Look inside a forward for what makes its numbers rough: low precision, and loops that stop."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import torch

from whygrad.measure.finite_differences import flat
from whygrad.measure.ladder import RUNGS
from whygrad.torch_private import noting_operations

_LOOP = 2  # questions about numbers that make a loop likely
_ASKS = ("_local_scalar_dense", "is_nonzero", "equal")  # operations that hand a number to Python


@dataclass
class Inside:
    """What was seen in a call.

    Attributes:
        precision: the lowest precision of several numbers that were worked out, such as "float32".
        asks: how often Python was told a number, as a loop that stops by a tolerance is.
    """

    precision: str = "float64"
    asks: int = 0

    @property
    def stops_by_numbers(self) -> bool:
        """Whether it looks like an iteration."""
        return self.asks >= _LOOP

    def add(self, operation: str, args: tuple, kwargs: dict, result: object) -> None:
        """Note one operation."""
        self.asks += operation in _ASKS
        if isinstance(result, torch.Tensor) and result.dim():
            self.precision = lowest((self.precision, precision_of(result)))


def precision_of(tensor: torch.Tensor) -> str:
    """Return the dtype of the real numbers in a tensor; float64 for those that are none."""
    name = str(tensor.dtype.to_real()).removeprefix("torch.")
    return name if name in RUNGS else "float64"


def lowest(precisions: Iterable[str]) -> str:
    """Return the lowest one of some precisions."""
    return max(precisions, key=[*RUNGS].index)


def look_inside(call: Callable, inputs: Sequence) -> Inside:
    """Call once, and note which precision the numbers pass through."""
    found = Inside()
    with noting_operations(found.add):
        flat(call, inputs)
    return found
