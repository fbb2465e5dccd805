"""Make a callable of what a backward is meant to be: one with the right gradients, or the vjp."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.autograd import Function

from whygrad.arguments import has_numbers, how_many
from whygrad.evidence import Trial
from whygrad.given import Given
from whygrad.measure.applied import positional
from whygrad.measure.quiet import quiet, same_settings
from whygrad.measure.run_once import Call, is_wanted, leaf

_WAYS = (
    "pass a callable of the same arguments as fn, or one that takes the incoming gradients first "
    "and then these arguments"
)


class UnfitError(ValueError):
    """What `intended` gives cannot be what backward is meant to return."""


def meant(intended: Callable[..., Any], call: Call, given: Given, outputs: int) -> Call:
    """Return a callable whose gradients are the intended ones; its forward values mean nothing.

    Args:
        intended: one of the same arguments whose own gradients are meant; or one that takes the
            incoming gradients and then these arguments, and returns the gradients; or one of the
            same arguments that returns a function of the incoming gradients.
        call: what is looked at: a vjp alone does not know its outputs.
        given: the arguments.
        outputs: how many outputs have a gradient.

    Raises:
        ValueError: it takes another number of arguments.
    """
    count, bound, plain = len(given.arguments), given.bind(intended), given.judging(None)
    least, most = how_many(positional(intended))
    if least <= count <= most:
        if not callable(_tried(bound, given.values)):
            return lambda *values: _tensors(bound(*values))
        return _of_vjp(lambda grads, values: bound(*values)(*grads), call, given)
    if least <= count + outputs <= most:

        def vjp(grads: Sequence, values: Sequence) -> Any:
            return plain.bind(lambda *arguments: intended(*grads, *arguments))(*values)

        return _of_vjp(vjp, call, given)
    takes = f"{least}" if least == most else f"{least} to {most}"
    raise ValueError(f"intended takes {_many(takes, 'argument')}, and fn {count} here: {_WAYS}")


def check_meant(trial: Trial, looked_at: Trial) -> None:
    """Refuse what `intended` gave if nothing can be held against it.

    Args:
        trial: what was measured of it on the first inputs.
        looked_at: what was measured of `fn` on the same.

    Raises:
        ValueError: it raised, or returns no tensor with a gradient, or one of another shape.
    """
    if raised := trial.raised:
        if raised.type == UnfitError.__name__:
            raise ValueError(f"intended {raised.message}")
        said = f"{raised.type} on these inputs ({raised.message})"
        raise ValueError(f"intended raised {said}: {_WAYS}")
    if not any(trial.requires_grad):
        raise ValueError(
            "intended returned no tensor with a gradient: return one, made from the inputs "
            "without `.detach()` or NumPy around all of them, or give the gradient as a function"
        )
    due, found = _shapes(looked_at), _shapes(trial)
    if found != due:
        raise ValueError(
            f"intended returned outputs of the shapes {found}, and those of fn are {due}: "
            "return what fn returns, with the gradients that are meant"
        )


def _shapes(trial: Trial) -> list[list[int]]:
    return [grad.shape for grad in trial.grad_outputs]


def _tensors(result: Any) -> Any:
    """Leave out what stands in the place of outputs that have no gradient."""
    if not isinstance(result, tuple | list):
        return result
    return tuple(out for out in result if isinstance(out, torch.Tensor)) or result


def _many(count: int | str, what: str) -> str:
    return f"{count} {what}{'' if str(count) == '1' else 's'}"


def _tried(intended: Callable, inputs: Sequence) -> Any:
    """Call it once, to see what comes back; what it raises is told when it is measured."""
    with same_settings(), quiet(), torch.no_grad():
        try:
            return intended(*(leaf(value, False) for value in inputs))
        except Exception:
            return None


def _of_vjp(vjp: Callable[[Sequence, Sequence], Any], call: Call, given: Given) -> Call:
    asked = [p for p, v in enumerate(given.values) if is_wanted(v) and p not in given.constant]
    return lambda *values: _Meant.apply(vjp, call, asked, *values)


class _Meant(Function):
    """The forward of one callable, with a vjp in place of its backward."""

    @staticmethod
    def forward(ctx, vjp, call, asked, *inputs):
        ctx.vjp, ctx.asked = vjp, asked
        ctx.tensors = [p for p, value in enumerate(inputs) if isinstance(value, torch.Tensor)]
        ctx.plain = [None if p in ctx.tensors else value for p, value in enumerate(inputs)]
        ctx.save_for_backward(*(inputs[place] for place in ctx.tensors))
        result = call(*(leaf(value, False) for value in inputs))
        outputs = tuple(result) if isinstance(result, tuple | list) else (result,)
        ctx.floats = [p for p, out in enumerate(outputs) if has_numbers(out)]
        return outputs if isinstance(result, tuple | list) else result

    @staticmethod
    def backward(ctx, *grads):
        values = list(ctx.plain)
        for place, tensor in zip(ctx.tensors, ctx.saved_tensors, strict=True):
            values[place] = tensor
        result = ctx.vjp([grads[place] for place in ctx.floats], values)
        found = _spread(result, len(values), ctx.asked)
        for place in ctx.asked:
            _check(found[place], values[place], place)
        return None, None, None, *(found if p in ctx.asked else None for p, found in found.items())


def _spread(result: Any, count: int, asked: Sequence[int]) -> dict[int, Any]:
    """Give each input its gradient: one came back for each, or for those that have one."""
    grads = tuple(result) if isinstance(result, tuple | list) else (result,)
    for places in (range(count), asked):
        if len(grads) == len(places):
            return dict.fromkeys(range(count)) | dict(zip(places, grads, strict=True))
    raise UnfitError(
        f"returned {_many(len(grads), 'gradient')} for {_many(count, 'input')}: return one for "
        "each, and None for a constant"
    )


def _check(grad: Any, value: torch.Tensor, place: int) -> None:
    if grad is None or (isinstance(grad, torch.Tensor) and grad.shape == value.shape):
        return
    shape = f"the shape {list(grad.shape)}" if isinstance(grad, torch.Tensor) else "no tensor"
    due = f"{list(value.shape)} is the shape of the input"
    raise UnfitError(f"returned {shape} as the gradient of input {place}, and {due}: return that")
