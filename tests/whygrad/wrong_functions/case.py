"""One wrong Function with the name of its mistake, and the numbers to try it on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

CASES: list["Case"] = []


@dataclass(frozen=True)
class Case:
    """A wrong Function.

    Attributes:
        name: the Function's own name.
        fn: the Function, or a callable around it.
        inputs: float64 tensors and plain values.
        names: the diagnoses that are fair.
        reference: a callable that is right, or None.
        order: 1 or 2.
    """

    name: str
    fn: Any
    inputs: tuple[Any, ...]
    names: tuple[str, ...]
    reference: Callable[..., Any] | None = None
    order: int = 1

    def __str__(self) -> str:
        return self.name


def wrong(
    names: str, *inputs: Any, reference: Callable[..., Any] | None = None, order: int = 1
) -> Callable[[Any], Any]:
    """Register a Function or a callable as a case; `names` are separated by `|`."""

    def register(fn: Any) -> Any:
        CASES.append(Case(fn.__name__, fn, inputs, tuple(names.split("|")), reference, order))
        return fn

    return register


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    """Float64 numbers of a standard normal distribution."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def positive(*shape: int, seed: int = 0) -> torch.Tensor:
    """Float64 numbers between 0.5 and 2.5."""
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(shape, generator=generator, dtype=torch.float64) * 2 + 0.5
