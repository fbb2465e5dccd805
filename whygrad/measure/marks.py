"""Note what a custom Function says of its tensors: written in place, or without a gradient."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.autograd.function import FunctionCtx

from whygrad.torch_private import replaced


@dataclass
class Marks:
    """What was said.

    Attributes:
        dirty: the tensors that a forward said it wrote into.
        constant: the outputs that it said have no gradient.
        plain: the tensors without a history that it said it wrote into, such as one that it made.
    """

    dirty: list[Any] = field(default_factory=list)
    constant: list[Any] = field(default_factory=list)
    plain: list[Any] = field(default_factory=list)


def places(values: tuple, marked: list[Any]) -> list[int]:
    """Return the places of the tensors among some values that were marked."""
    known = {id(one) for one in marked if isinstance(one, torch.Tensor)}
    return [place for place, value in enumerate(values) if id(value) in known]


@contextmanager
def noting_marks() -> Iterator[Marks]:
    """Note the marks of every custom Function until the block ends."""
    found = Marks()
    dirty, constant = FunctionCtx.mark_dirty, FunctionCtx.mark_non_differentiable

    def noting_dirty(self, *args):
        found.dirty += args
        found.plain += [t for t in args if isinstance(t, torch.Tensor) and not t.requires_grad]
        return dirty(self, *args)

    def noting_constant(self, *args):
        found.constant += args
        return constant(self, *args)

    with replaced(FunctionCtx, mark_dirty=noting_dirty, mark_non_differentiable=noting_constant):
        yield found
