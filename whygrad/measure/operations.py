"""Note which operations of PyTorch a callable and its custom backwards run."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch

from whygrad.measure.quiet import quiet
from whygrad.measure.run_once import Call, backward, forward
from whygrad.measure.trial import grad_outputs
from whygrad.torch_private import gradients, noting_operations, watched_functions


@dataclass
class Operations:
    """What was seen of the operations in a forward and in a plain backward.

    Attributes:
        names: of all operations, such as "mul".
        in_forward: those of them that the forward ran.
        in_backward: those of them that a backward ran.
        elements: how many numbers all results had together, those of views left out.
        elements_again: how many those of backwards had, as they ran for a second derivative.
        is_complex: whether a result was complex where no input is.
        gradients: what came of the backward.
    """

    names: set[str] = field(default_factory=set)
    in_forward: set[str] = field(default_factory=set)
    in_backward: set[str] = field(default_factory=set)
    elements: int = 0
    elements_again: int = 0
    is_complex: bool = False
    gradients: list[torch.Tensor | None] | None = None


def operations(call: Call, inputs: tuple, seed: int, order: int = 1) -> Operations:
    """Run a callable and its backward, and note the operations.

    What the engine does between custom backwards is left out. With `order` 2, the names are also
    those of a backward that is recorded, for a second one.
    """
    found, first, recorded, again = (Operations() for _ in range(4))
    plain = [first]  # the last is what a backward that is not recorded is noted in

    def noted_backward(node: Any, grads: tuple, run: Callable[..., Any]) -> Any:
        with _noting(recorded if torch.is_grad_enabled() else plain[-1]):
            return run(node, *grads)

    with _noting(found):
        run = forward(call, inputs)
    found.in_forward = set(found.names)
    if run.outputs:
        with watched_functions(lambda kind, inputs, run: run(), noted_backward):
            (grads,) = grad_outputs(run, seed)
            found.gradients = backward(run, [grad.clone() for grad in grads])
            if order == 2 and run.tracked and not run.raised:
                with quiet(), suppress(Exception, SystemExit):
                    firsts = gradients(run.tracked, run.leaves, grads, create_graph=True)
                    plain.append(again)
                    ends = [each for each in firsts if each is not None and each.requires_grad]
                    gradients(ends, run.leaves, [torch.ones_like(each) for each in ends])
    found.in_backward = first.names | recorded.names
    found.names |= found.in_backward
    found.elements += first.elements
    found.elements_again = again.elements
    found.is_complex |= first.is_complex or recorded.is_complex
    if any(isinstance(value, torch.Tensor) and value.is_complex() for value in inputs):
        found.is_complex = False
    return found


def _noting(found: Operations) -> AbstractContextManager:
    return noting_operations(partial(_note, found))


def _note(found: Operations, name: str, args: tuple, kwargs: dict, result: Any) -> None:
    several = result if isinstance(result, tuple | list) else (result,)
    tensors = [value for value in several if isinstance(value, torch.Tensor)]
    found.names.add(name)
    writes = name.endswith("_") or "out" in kwargs
    given = {_memory(value) for value in args if isinstance(value, torch.Tensor)}
    found.elements += sum(
        value.numel() for value in tensors if writes or _memory(value) not in given
    )
    found.is_complex |= any(value.is_complex() for value in tensors)


def _memory(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr() if tensor.layout == torch.strided else id(tensor)
