"""Read what `diagnose` was given: check it, and find the names that a report uses."""

from collections.abc import Callable, Sequence
from inspect import Parameter
from typing import Any

import torch
from torch.autograd import Function

from whygrad.evidence import Evidence
from whygrad.measure.applied import parameter_names, positional
from whygrad.measure.reals import is_number
from whygrad.torch_private import apply_of, function_behind

_DTYPES = {
    *(torch.float64, torch.float32, torch.float16, torch.bfloat16),
    *(torch.complex128, torch.complex64),
}


def callable_of(fn: Any) -> Callable[..., Any]:
    """Return what to call: a Function subclass is called by its `.apply`."""
    if isinstance(fn, type) and issubclass(fn, Function):
        return fn.apply
    return fn


def check_callables(fn: Any, reference: Any, intended: Any, order: int) -> None:
    """Check what `diagnose` is to call, and the order up to which it differentiates.

    Raises:
        TypeError: `fn` cannot be called, or `reference` or `intended` is neither callable nor None.
        ValueError: `order` is neither 1 nor 2.
    """
    if not callable(fn):
        raise TypeError(
            f"fn is of type {type(fn).__name__}: pass a Function subclass, its .apply, or a "
            "callable around it"
        )
    for name, given in (("reference", reference), ("intended", intended)):
        if given is not None and not callable(given):
            raise TypeError(f"{name} is of type {type(given).__name__}: pass a callable or None")
    check_order(order)


def check_order(order: int) -> None:
    """Raise ValueError if `order` is neither 1 nor 2."""
    if order not in (1, 2):
        raise ValueError(f"order is {order!r}: pass 1, or 2 for double backward too")


def check_count(fn: Any, count: int) -> None:
    """Refuse another number of inputs than the forward of a Function takes."""
    if not (owner := _applied_by(fn)):
        return
    parameters = positional(owner.forward)
    if owner.setup_context is Function.setup_context:
        # A forward without its ctx is a mistake of the code, and is named as one.
        if not parameters or ("ctx" not in parameters[0].name and parameters[0].name != "_"):
            return
        parameters = parameters[1:]
    least, most = how_many(parameters)
    if not least <= count <= most:
        takes = f"{most}" if least == most else f"{least} to {most}"
        takes += " input" if most == 1 else " inputs"
        names = f" ({', '.join(one.name for one in parameters)})" if parameters else ""
        raise TypeError(f"{owner.__name__} takes {takes}{names} and got {count}")


def check_values(inputs: tuple) -> None:
    """Check that some input can have a gradient, and that each tensor of numbers can be measured.

    Raises:
        TypeError: a tensor is on meta, or has a dtype in which nothing can be measured.
        ValueError: no input is a dense tensor of real or complex numbers.
    """
    numbers = {place: value for place, value in enumerate(inputs) if has_numbers(value)}
    if not any(map(is_number, numbers.values())):
        raise ValueError(
            "there is no dense tensor of real or complex numbers among the inputs: pass at least "
            "one, best of float64"
        )
    for place, value in numbers.items():
        if value.is_meta:
            raise TypeError(f"input {place} is on meta and has no numbers: pass one with numbers")
        if value.dtype not in _DTYPES:
            name = str(value.dtype).removeprefix("torch.")
            raise TypeError(f"input {place} is {name}: pass it as float64, or as complex128")


def input_names(fn: Any, reference: Any, count: int) -> list[str]:
    """Read the inputs' names off the signature of forward, or of the callable."""
    if owner := _applied_by(fn):
        names = parameter_names(owner.forward)[owner.setup_context is Function.setup_context :]
    else:
        called = callable_of(fn)
        names = parameter_names(fn.forward if isinstance(fn, torch.nn.Module) else called)
    if len(names) < count and reference is not None:
        names = parameter_names(reference)
    return [*names, *(f"input {place}" for place in range(len(names), count))][:count]


def not_finite(inputs: tuple, names: list[str], constant: frozenset[int]) -> str:
    """Say which input cannot be moved since it holds NaN, or each of them inf; "" if none.

    An input of inf beside others can be a mask: the gradients of the others say enough.
    """
    asked = [
        (name, value.detach())
        for place, (name, value) in enumerate(zip(names, inputs, strict=False))
        if place not in constant and is_number(value)
    ]
    if name := next((name for name, value in asked if value.isnan().any()), ""):
        return f"{name} holds NaN"
    if asked and all(value.isinf().any() for _, value in asked):
        return f"{asked[0][0]} holds inf"
    return ""


def name_of(fn: Any) -> str:
    """Name a Function, a function or a module's class; "" for a lambda, which has no name."""
    named = type(fn) if isinstance(fn, torch.nn.Module | Function) else function_behind(fn) or fn
    name = getattr(named, "__name__", "")
    return name if name.isidentifier() else ""


def title_of(fn: Any, evidence: Evidence) -> str:
    """Name what is looked at, as `name_of` does; a lambda by the one Function in its graph."""
    if name := name_of(fn):
        return name
    applied = {one.removesuffix("Backward") for one in evidence.base.custom}
    return applied.pop() if len(applied) == 1 else ""


def constants(
    inputs: tuple, names: list[str], constant: Sequence[int | str], count: int
) -> frozenset[int]:
    """Return the places of the inputs that are constants: those named, and those without a grad.

    Where none of the first `count` inputs requires a gradient, only those named are constants; the
    others are the parameters of a module.
    """
    held = {_place(one, names) for one in constant}
    floats = {place for place, value in enumerate(inputs) if has_numbers(value)}
    tracked = {place for place in floats if inputs[place].requires_grad}
    if any(place < count for place in tracked):
        held |= floats - tracked
    if floats and not floats - held:
        raise ValueError("all inputs are constants: leave one that a gradient is asked for")
    return frozenset(held)


def _place(given: int | str, names: list[str]) -> int:
    if isinstance(given, str) and given in names:
        return names.index(given)
    if isinstance(given, int) and 0 <= given < len(names):
        return given
    known = ", ".join(f"{place} or {name!r}" for place, name in enumerate(names))
    raise ValueError(f"constant names {given!r}, which is no input: the inputs are {known}")


def has_numbers(value: Any) -> bool:
    """Return whether a value is a tensor of real or complex numbers."""
    return isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())


def incoming_names(fn: Any) -> list[str]:
    """Read the incoming gradients' names off the signature of backward, where it can be seen."""
    owner = function_behind(fn)
    return parameter_names(owner.backward)[1:] if owner else []


def _applied_by(fn: Any) -> type[Function] | None:
    """Return the Function whose forward gets what `fn` does: its `.apply` is PyTorch's own."""
    owner = function_behind(fn)
    return owner if owner and callable_of(fn) == apply_of(owner) else None


def how_many(parameters: Sequence[Parameter]) -> tuple[int, float]:
    """Return how many positional arguments parameters take, at least and at most."""
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return 0, float("inf")
    return sum(one.default is one.empty for one in parameters), len(parameters)
