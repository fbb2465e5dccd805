"""Run one training step of a model, note each custom Function it applies, and leave no trace."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from torch.autograd.graph import Node
from torch.nn.parameter import is_lazy

from whygrad.evidence import Raised
from whygrad.measure.encode import encode_raised
from whygrad.measure.quiet import same_random_states
from whygrad.measure.reals import as_pairs
from whygrad.measure.watch import Watch, watching
from whygrad.torch_private import is_inside_transform


@dataclass
class Kind:
    """One kind of call of a Function: what it is given looks the same each time.

    Attributes:
        function: the class.
        arguments: copies of those of the first call, made when it was called; None if they could
            not be copied, inside a transform such as `torch.vmap`.
        count: how often it was applied so.
    """

    function: type
    arguments: tuple | None
    count: int = 0

    @property
    def tracked(self) -> bool:
        """Whether one of the arguments requires a gradient, or nobody knows."""
        return self.arguments is None or any(t.requires_grad for t in tensors_in(self.arguments))


@dataclass
class StepRecorder(Watch):
    """Notes each kind of call when it is made: later its arguments may be freed, or others.

    Attributes:
        kinds: by what they look like, in the order in which they were met first.
        differentiated: whether a backward pass was run.
        raised: what the step raised after a Function was applied, or None.
    """

    kinds: dict[tuple, Kind] = field(default_factory=dict)
    differentiated: bool = False
    raised: Raised | None = None

    def apply(self, function: type, inputs: tuple, run: Callable[[], Any]) -> Any:
        """Run the forward of a Function that is applied."""
        looks = (function, *map(_looks, inputs))
        if looks not in self.kinds:
            hidden = any(map(is_inside_transform, tensors_in(inputs)))
            self.kinds[looks] = Kind(function, None if hidden else copied(inputs))
        self.kinds[looks].count += 1
        return run()

    def backward(self, node: Node, grads: tuple, run: Callable[[], Any]) -> Any:
        """Run the backward of a Function."""
        return run()


def run_step(model: Callable[..., Any], batch: Any, loss: Callable | None) -> StepRecorder:
    """Run forward, loss and backward once; return what was applied on the way.

    Raises:
        TypeError: the loss is no tensor. What is raised before any Function is applied is passed
            on; later it is noted.
    """
    total, phase = None, "forward"
    with watching(forward=True, watch=StepRecorder()) as seen, torch.enable_grad():
        try:
            output = _called(model, copied(batch))
            phase = "the loss"
            total = _sum(output) if loss is None else loss(output)
            if isinstance(total, torch.Tensor) and total.requires_grad:
                phase = "backward"
                total.sum().backward()
                seen.differentiated = True
        except Exception as error:
            if not seen.kinds:
                raise
            seen.raised = encode_raised(error, phase)
    if not isinstance(total, torch.Tensor | None):
        kind = type(total).__name__
        raise TypeError(f"the loss is of type {kind}: let `loss(output)` return a tensor")
    return seen


def _called(model: Callable[..., Any], given: Any) -> Any:
    if isinstance(given, dict):
        return model(**given)
    return model(*given) if isinstance(given, tuple | list) else model(given)


def _sum(output: Any) -> torch.Tensor | None:
    """Add up all numbers of the outputs that have a history."""
    sums = [as_pairs(t).sum() for t in tensors_in(output) if t.requires_grad]
    return sum(sums) if sums else None


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """Give the tensors in nested tuples, lists and dicts."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, tuple | list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from tensors_in(item)


def copied(value: Any) -> Any:
    """Copy the tensors in tuples, lists and dicts, as leaves; other values stay what they are."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if type(value) in (tuple, list):
        return type(value)(map(copied, value))
    if type(value) is dict:
        return {key: copied(item) for key, item in value.items()}
    return value


def _looks(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.shape, value.dtype, value.requires_grad
    if isinstance(value, tuple | list):
        return tuple(map(_looks, value))
    return value if isinstance(value, bool | int | str | None) else type(value)


@contextmanager
def left_as_it_was(model: Any) -> Iterator[None]:
    """Give a model its numbers, gradients and modes back after the block, and random states."""
    with ExitStack() as back:
        back.enter_context(same_random_states())
        if isinstance(model, nn.Module):
            for module in model.modules():
                back.callback(setattr, module, "training", module.training)
                held = dict(module.named_buffers(recurse=False))
                held |= dict(module.named_parameters(recurse=False))
                for key, tensor in held.items():
                    if not is_lazy(tensor):  # it has no numbers yet
                        back.callback(_put_back, module, key, tensor, tensor.detach().clone())
            for parameter in model.parameters():
                back.callback(setattr, parameter, "grad", parameter.grad)
                parameter.grad = None
        yield


def _put_back(module: nn.Module, name: str, tensor: torch.Tensor, before: torch.Tensor) -> None:
    if getattr(module, name) is not tensor:
        setattr(module, name, tensor)
    if not torch.equal(tensor, before):
        with torch.no_grad():
            tensor.copy_(before)
