"""Find the Functions that a call applies, each with the arguments that it got."""

import inspect
from collections.abc import Sequence
from typing import Any

import torch
from torch.autograd import Function

from whygrad.measure.reals import is_number
from whygrad.measure.run_once import Call, forward, items, leaf
from whygrad.torch_private import unwrapped

Application = tuple[type, tuple]


def applied_functions(call: Call, inputs: Sequence) -> list[Application]:
    """Call once; return each Function that is applied, with copies of its first arguments.

    What `torch.vmap` makes of a Function, for its own use, is left out; where it applies one to a
    batch, the first item stands for the arguments.
    """
    run = forward(call, inputs)
    found: dict[type, tuple] = {}
    for kind, arguments in run.watch.given:
        if kind not in found and not kind.__module__.startswith("torch."):
            found[kind] = tuple(leaf(unwrapped(value), False) for value in arguments)
    return [*found.items()]


def has_own(kind: type, method: str) -> bool:
    """Tell whether a Function defines a method that PyTorch's `Function` has only as a stub."""
    return getattr(kind, method) is not getattr(Function, method)


def argument_names(kind: type, count: int) -> list[str]:
    """Read the names of a Function's arguments off the signature of its forward."""
    names = parameter_names(kind.forward)[not has_own(kind, "setup_context") :]
    return [*names, *(f"argument {place}" for place in range(len(names), count))][:count]


def parameter_names(fn: Any) -> list[str]:
    """Return the names of the parameters that take one positional argument each."""
    return [one.name for one in positional(fn) if one.kind is not one.VAR_POSITIONAL]


def positional(fn: Any) -> list[inspect.Parameter]:
    """Return the parameters that take positional arguments: any, where a callable hides them."""
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):  # one of PyTorch's own does not say
        return [inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)]
    return [one for one in parameters if one.kind not in (one.KEYWORD_ONLY, one.VAR_KEYWORD)]


def floats_of(result: Any) -> list[torch.Tensor]:
    """Return the tensors of a result that can have a tangent or a gradient."""
    return [out for out in items(result) if is_number(out)]
