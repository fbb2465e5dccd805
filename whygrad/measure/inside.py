"""Look inside a forward for what makes its numbers rough: low precision, and loops that stop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from whygrad.measure.finite_differences import flat
from whygrad.measure.ladder import RUNGS
from whygrad.measure.reals import dtype_of
from whygrad.torch_private import noting_operations

_LOOP = 2  # questions about numbers that make a loop likely
_ASKS = ("_local_scalar_dense", "is_nonzero", "equal")  # operations that hand a number to Python
_OF_COMPLEX = {"complex64": "float32", "complex128": "float64", "complex32": "float16"}


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
            self.precision = lower(self.precision, precision_of(result))


def precision_of(tensor: torch.Tensor) -> str:
    """Return the dtype of the real numbers in a tensor; float64 for those that are none."""
    name = dtype_of(tensor)
    name = _OF_COMPLEX.get(name, name)
    return name if name in RUNGS else "float64"


def lower(one: str, other: str) -> str:
    """Return the lower one of two precisions."""
    order = list(RUNGS)
    return max(one, other, key=order.index)


def look_inside(call: Callable, inputs: Sequence) -> Inside:
    """Call once, and note which precision the numbers pass through."""
    found = Inside()
    with noting_operations(found.add):
        flat(call, inputs)
    return found
