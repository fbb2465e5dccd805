"""Diagnose any custom Function: gradcheck with an explanation."""

import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch.autograd import Function

from whygrad.diagnosis import Diagnosis
from whygrad.judge import judge_function
from whygrad.judge.inquiry import OTHER_NUMBERS
from whygrad.measure import Probe, measure_function
from whygrad.measure.closely import turned
from whygrad.measure.run_once import is_wanted
from whygrad.pictures import pictures

_MOST = 512  # numbers in all inputs together


def diagnose(
    fn: Any, *inputs: Any, reference: Callable[..., Any] | None = None, order: int = 1
) -> Diagnosis:
    """Look for the known mistakes in a custom Function, and name the one that explains the rest.

    What it finds rests on laws: a backward is linear in the incoming gradient, returns the shape
    and dtype of its input, agrees with finite differences of forward, leaves inputs and incoming
    gradient alone, gives the same twice, and takes non-contiguous tensors; with `order=2` its
    own derivatives agree with finite differences of backward. A gradient that breaks a law is held
    against what each known mistake would have given.

    With a reference it also finds a wrong forward value, an output of a wrong dtype, a Function
    that returns its input, and sizes, an empty batch or an absent bias that only the reference
    takes. Without one, it cannot know what forward should give, and an input that forward refuses
    counts as refused on purpose.

    It does not find what shows at other inputs only (pass those), mistakes that need a GPU, complex
    inputs, and a Function that is slow or keeps more memory than it must. At a kink of the
    function the finite differences say nothing and are left out.

    Args:
        fn: a Function subclass, its `.apply`, or a callable around it.
        inputs: float64 tensors of any shape, together at most 512 numbers, as `fn` takes them;
            None and plain values are passed on. Gradients are taken for every tensor.
        reference: a callable that is right, where there is one; called like `fn`.
        order: 2 to look at double backward too.

    Returns:
        A `Diagnosis`: `.ok`, `.name`, `.names`, `.message`, `.evidence`. A notebook shows it as a
        report.

    Raises:
        TypeError: `fn` cannot be called, or an input is not a float64 tensor.
        ValueError: there is no tensor among the inputs, they are too large, `order` is not 1
            or 2, or the reference raises or returns nothing that has a gradient.

    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x**2
    ...     @staticmethod
    ...     def backward(ctx, grad_y):
    ...         (x,) = ctx.saved_tensors
    ...         return x * grad_y
    >>> diagnose(Square, torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64)).name
    'wrong-factor'
    """
    _check_arguments(fn, inputs, reference, order)
    plain = tuple(v.detach() if isinstance(v, torch.Tensor) else v for v in inputs)
    names = _names(fn, reference, len(inputs))
    probes = [Probe("base", "", plain), *_others(plain, reference, names)]
    call, right = callable_of(fn), callable_of(reference)
    measured = {
        "names": names,
        "incoming": _incoming(fn),
        **measure_function(call, probes, order=order, differences=reference is None),
    }
    expected = None
    if right is not None:
        expected = measure_function(right, probes, order=order)
        if raised := expected["trials"][0]["raised"]:
            raise ValueError(
                f"the reference raised {raised['type']} on these inputs ({raised['message']}): "
                "pass inputs that it takes"
            )
        has_gradient = any(measured["trials"][0].get("requires_grad", ()))
        if has_gradient and not any(expected["trials"][0].get("requires_grad", ())):
            raise ValueError(
                "the reference returned no tensor with a gradient: return one, made from the "
                "inputs without `.detach()` or NumPy"
            )
    verdict = judge_function(measured, expected)
    incoming = next(iter(measured["incoming"]), "grad_output")
    shown = pictures(verdict, call, right, plain, names, incoming)
    return Diagnosis(verdict, {"ok": verdict.ok, "measured": measured}, shown)


def callable_of(fn: Any) -> Callable[..., Any]:
    """Return what to call: a Function subclass is called by its `.apply`."""
    if isinstance(fn, type) and issubclass(fn, Function):
        return lambda *inputs: fn.apply(*inputs)
    return fn


def low(value: Any) -> Any:
    """Return a float64 tensor as float32, and anything else as it is."""
    if isinstance(value, torch.Tensor) and value.dtype == torch.float64:
        return value.to(torch.float32)
    return value


def _check_arguments(fn: Any, inputs: tuple, reference: Any, order: int) -> None:
    if not callable(fn):
        raise TypeError(
            f"fn is of type {type(fn).__name__}: pass a Function subclass, its .apply, or a "
            "callable around it"
        )
    if reference is not None and not callable(reference):
        raise TypeError(f"reference is of type {type(reference).__name__}: pass a callable or None")
    if order not in (1, 2):
        raise ValueError(f"order is {order!r}: pass 1, or 2 for double backward too")
    tensors = {p: value for p, value in enumerate(inputs) if isinstance(value, torch.Tensor)}
    numbers = {p: t for p, t in tensors.items() if t.is_floating_point() or t.is_complex()}
    if not numbers:
        raise ValueError("there is no float64 tensor among the inputs: pass at least one")
    for place, value in numbers.items():
        if value.device.type != "cpu":
            where = value.device
            raise TypeError(f"input {place} is on {where}: diagnose needs the CPU, call .cpu()")
        if value.dtype != torch.float64:
            name = str(value.dtype).removeprefix("torch.")
            raise TypeError(f"input {place} is {name}: diagnose needs float64, call .double()")
    count = sum(value.numel() for value in tensors.values())
    if count > _MOST:
        raise ValueError(
            f"the inputs hold {count} numbers, and {_MOST} is the most: pass smaller ones, such "
            "as 3 by 4"
        )


def _names(fn: Any, reference: Any, count: int) -> list[str]:
    """Read the inputs' names off the signature of forward, or of the callable."""
    owner = fn if isinstance(fn, type) else getattr(fn, "__self__", None)
    if isinstance(owner, type) and issubclass(owner, Function):
        own_setup = owner.setup_context is not Function.setup_context
        names = _parameters(owner.forward)[0 if own_setup else 1 :]
    else:
        names = _parameters(fn)
    if len(names) < count and reference is not None:
        names = _parameters(reference)
    return [*names, *(f"input {place}" for place in range(len(names), count))][:count]


def _incoming(fn: Any) -> list[str]:
    """Read the incoming gradients' names off the signature of backward, where it can be seen."""
    owner = fn if isinstance(fn, type) else getattr(fn, "__self__", None)
    if isinstance(owner, type) and issubclass(owner, Function):
        return _parameters(owner.backward)[1:]
    return []


def _parameters(fn: Any) -> list[str]:
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return []
    named = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [parameter.name for parameter in parameters if parameter.kind in named]


def _others(inputs: tuple, reference: Any, names: list[str]) -> list[Probe]:
    """Make inputs of other sizes: each length that occurs is changed everywhere at once."""
    probes = [Probe(OTHER_NUMBERS, "", tuple(map(_near, inputs)))]
    lengths = {size for v in inputs if isinstance(v, torch.Tensor) for size in v.shape}
    for length in sorted(lengths - {0, 1}):  # a length of 1 is there to broadcast
        for size in (length + 2, 1):
            if size != length:
                made = tuple(_resized(value, length, size) for value in inputs)
                name = f"{size} in place of {length} rows or columns"
                probes.append(Probe(name, "fixed-size", made))
    shape = next(value.shape for value in inputs if isinstance(value, torch.Tensor))
    first = shape[0] if shape else 0
    if first:
        made = tuple(_resized(value, first, 0) for value in inputs)
        probes.append(Probe("an empty batch", "fails-on-empty", made))
    if reference is not None:
        probes += _without_one(inputs, names)
    return [*probes, Probe("float32 inputs", "wrong-dtype", tuple(map(low, inputs)))]


def _resized(value: Any, length: int, size: int) -> Any:
    """Repeat or drop what is needed to change every length of a tensor that is `length`."""
    if not isinstance(value, torch.Tensor):
        return value
    for axis, old in enumerate(value.shape):
        if old == length:
            places = torch.arange(size) % max(old, 1)
            value = value.index_select(axis, places)
    return value


def _without_one(inputs: tuple, names: list[str]) -> list[Probe]:
    """Drop each tensor in turn; where the reference refuses that, nothing is asked of `fn`."""
    if len(inputs) < 2:
        return []
    return [
        Probe(f"no {names[place]}", "needs-bias", (*inputs[:place], None, *inputs[place + 1 :]))
        for place, value in enumerate(inputs)
        if isinstance(value, torch.Tensor)
    ]


def _near(value: Any) -> Any:
    """Other numbers from the same range: the same ones from behind, each a little nearer to 0."""
    if not is_wanted(value):
        return value
    nearer = torch.linspace(0.75, 0.95, value.numel(), dtype=value.dtype)
    return turned(value) * nearer.reshape(value.shape)
