"""Note which operations of PyTorch a callable and its custom backwards run."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch

from whygrad.measure.quiet import quiet
from whygrad.measure.run_once import Call, backward, forward, items
from whygrad.measure.trial import grad_outputs
from whygrad.torch_private import gradients, noting_operations, watched_functions


@dataclass
class Operations:
    """What was seen of the operations in a forward and in a plain backward.

    Attributes:
        names: of all operations, such as "mul".
        in_forward: those of them that the forward ran.
        in_backward: those of them that a backward ran.
        is_complex: whether a result was complex where no input is.
        gradients: what came of the backward.
    """

    names: set[str] = field(default_factory=set)
    in_forward: set[str] = field(default_factory=set)
    in_backward: set[str] = field(default_factory=set)
    is_complex: bool = False
    gradients: list[torch.Tensor | None] | None = None


def operations(call: Call, inputs: tuple, seed: int, order: int = 1) -> Operations:
    """Run a callable and its backward, and note the operations.

    What the engine does between custom backwards is left out. With `order` 2, the names are also
    those of a backward that is recorded, for a second one.
    """
    found, behind = Operations(), Operations()

    def noted_backward(node: Any, grads: tuple, run: Callable[[], Any]) -> Any:
        with _noting(behind):
            return run()

    with _noting(found):
        run = forward(call, inputs)
    found.in_forward = set(found.names)
    if run.outputs:
        with watched_functions(backward=noted_backward):
            (grads,) = grad_outputs(run, seed)
            found.gradients = backward(run, [grad.clone() for grad in grads])
            if order == 2 and run.tracked and not run.raised:
                with quiet(), suppress(Exception, SystemExit):
                    gradients(run.tracked, run.leaves, grads, create_graph=True)
    found.in_backward = behind.names
    found.names |= behind.names
    found.is_complex |= behind.is_complex
    if any(isinstance(value, torch.Tensor) and value.is_complex() for value in inputs):
        found.is_complex = False
    return found


def _noting(found: Operations) -> AbstractContextManager:
    return noting_operations(partial(_note, found))


def _note(found: Operations, name: str, args: tuple, kwargs: dict, result: Any) -> None:
    tensors = [value for value in items(result) if isinstance(value, torch.Tensor)]
    found.names.add(name)
    found.is_complex |= any(value.is_complex() for value in tensors)
