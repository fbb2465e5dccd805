"""Find the custom Functions of a model at work in a training step, and diagnose each."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from whygrad.arguments import check_order
from whygrad.diagnosing import diagnose
from whygrad.measure.one_step import Kind, left_as_it_was, run_step
from whygrad.torch_private import apply_of, is_plumbing
from whygrad.watched import Watched, WatchedCall

_MOST_KINDS = 8  # of calls of one Function that are examined
_NO_BACKWARD = (
    "No backward pass was run, since no output requires a gradient. Is the model frozen, or was "
    "the output detached?"
)
_HIDDEN = "a transform such as `torch.vmap` hides its inputs: pass some to `diagnose`"


def watch(
    model: Callable[..., Any],
    batch: Any,
    loss: Callable[[Any], torch.Tensor] | None = None,
    *,
    intended: Mapping[str, Callable[..., Any]] | None = None,
    order: int = 1,
    strict: bool = False,
) -> Watched:
    """Run one training step, and diagnose every custom Function on the inputs that it really got.

    A step is forward, loss and backward; no optimizer takes part. Afterwards the model is what it
    was: its parameters, buffers, gradients and modes, and the states of random generators. What a
    forward writes elsewhere, such as a counter in Python, stays written.

    Args:
        model: an `nn.Module`, or any callable.
        batch: what it is called with: a tensor, a tuple or list of arguments, or a dict of
            keywords.
        loss: takes what the model returns, and returns a tensor. Without one, all numbers of the
            outputs are added up.
        intended: by the name of a Function, what its backward is meant to be, as `diagnose` takes
            it.
        order, strict: as `diagnose` takes them.

    Returns:
        A `Watched`: `.ok`, `.heading`, `.calls`, and pairs of a name and a `Diagnosis` to iterate
        over. `.raised` is what the step raised after a custom Function was applied: the Functions
        up to there are examined all the same.

    Raises:
        TypeError: the model, the loss or what is intended cannot be called as it has to be, or the
            loss is no tensor. What the model raises before any Function is applied is passed on.
        ValueError: `order` is not 1 or 2, or `intended` names a Function that was not applied.

    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return 2 * x
    ...     @staticmethod
    ...     def backward(ctx, grad_y):
    ...         return grad_y
    >>> x = torch.tensor([1.0, 3.0], dtype=torch.float64, requires_grad=True)
    >>> [(name, found.name) for name, found in watch(Double.apply, x)]
    [('Double', 'wrong-factor')]
    """
    check_order(order)
    _check(model, loss, intended)
    with left_as_it_was(model):
        step = run_step(model, batch, loss)
        kinds = _worth_a_line(step.kinds.values())
        if not step.raised:
            _check_names(intended or {}, [kind.function.__name__ for kind in kinds])
        met: dict[type, int] = {}
        calls = []
        for kind in kinds:
            met[kind.function] = met.get(kind.function, 0) + 1
            many = met[kind.function] > _MOST_KINDS
            meant = (intended or {}).get(kind.function.__name__)
            calls.append(_call(kind, many, intended=meant, order=order, strict=strict))
    if step.raised:
        return Watched(tuple(calls), raised=step.raised)
    return Watched(tuple(calls), "" if step.differentiated or not calls else _NO_BACKWARD)


def _check(model: Any, loss: Any, intended: Any) -> None:
    if not callable(model):
        raise TypeError(f"the model is of type {type(model).__name__}: pass a module or a callable")
    if loss is not None and not (callable(loss) and _takes_one(loss)):
        kind = "takes more than the output" if callable(loss) else "cannot be called"
        alone = "let the loss take the output alone, such as `lambda y: mse(y, target)`"
        raise TypeError(f"the loss {kind}: {alone}")
    if intended is not None and not isinstance(intended, Mapping):
        raise TypeError('intended is no dict: pass one by name, such as `{"Square": square}`')
    for name, one in (intended or {}).items():
        if not callable(one):
            raise TypeError(f"intended[{name!r}] is of type {type(one).__name__}: pass a callable")


def _takes_one(loss: Callable[..., Any]) -> bool:
    try:
        signature = inspect.signature(loss.forward if isinstance(loss, nn.Module) else loss)
    except (TypeError, ValueError):
        return True  # one of PyTorch's own does not say
    try:
        signature.bind(None)
    except TypeError:
        return False
    return True


def _check_names(intended: Mapping[str, Any], applied: list[str]) -> None:
    if unknown := [name for name in intended if name not in applied]:
        there = ", ".join(dict.fromkeys(applied))
        said = f"the Functions applied are {there}" if there else "no custom Function was applied"
        raise ValueError(f"intended names {', '.join(map(repr, unknown))}: {said}")


def _worth_a_line(kinds: Iterable[Kind]) -> list[Kind]:
    """Leave out PyTorch's plumbing, and calls without gradients where others had some.

    `torch.utils.checkpoint` calls everything twice, and without gradients first.
    """
    kinds = [kind for kind in kinds if not is_plumbing(kind.function)]
    tracked = {kind.function for kind in kinds if kind.tracked}
    return [kind for kind in kinds if kind.tracked or kind.function not in tracked]


def _call(kind: Kind, many: bool, **options: Any) -> WatchedCall:
    name, on = kind.function.__name__, ", ".join(map(_about, kind.arguments or ()))
    call = WatchedCall(name, kind.count, on)
    if kind.arguments is None:
        return replace(call, why_not=_HIDDEN)
    if many:
        why_not = f"{_MOST_KINDS} other kinds of its calls are examined"
        return replace(call, why_not=why_not)
    if not kind.tracked:
        return replace(call, why_not="none of its inputs requires a gradient")
    if kind.function.__module__.partition(".")[0] == "torch" and any(map(callable, kind.arguments)):
        why_not = "it is PyTorch's own, and runs other code"
        return replace(call, why_not=why_not, is_pytorchs=True)
    try:
        diagnosis = diagnose(apply_of(kind.function), *kind.arguments, **options)
    except Exception as error:
        return replace(call, why_not=str(error) or type(error).__name__)
    if diagnosis.name == "not-examined":
        return replace(call, why_not=diagnosis.verdict.findings[0].detail)
    return replace(call, diagnosis=replace(diagnosis, title=name))


def _about(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{list(value.shape)} {str(value.dtype).removeprefix('torch.')}"
    return (
        repr(value) if isinstance(value, bool | int | float | str | None) else type(value).__name__
    )
