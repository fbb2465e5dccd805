"""Note which operations of PyTorch a callable and its custom backwards run."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import torch

from whygrad.measure.run_once import Call, backward, forward
from whygrad.measure.trial import grad_outputs
from whygrad.torch_private import dispatch_mode, watched_functions

_COMPLEX = "complex numbers"


def operations(call: Call, inputs: tuple, seed: int) -> tuple[list[str], bool]:
    """Return the names of all operations in forward and in a plain backward, such as "mul", sorted.

    What the engine does between custom backwards is left out. And tell whether a result was complex
    where no input is.
    """
    names: set[str] = set()

    def noted_backward(node: Any, grads: tuple, run: Callable[..., Any]) -> Any:
        with _noting(names):
            return run(node, *grads)

    with _noting(names):
        run = forward(call, inputs)
    if run.outputs:
        with watched_functions(lambda _, apply: apply(), noted_backward):
            backward(run, grad_outputs(run, seed)[0])
    given = any(isinstance(value, torch.Tensor) and value.is_complex() for value in inputs)
    return sorted(names - {_COMPLEX}), _COMPLEX in names and not given


def _noting(names: set[str]) -> AbstractContextManager:
    kind = _noting_mode()
    return nullcontext() if kind is None else kind(names)


@cache
def _noting_mode() -> type | None:
    """Make the class that notes the names of operations; None if this PyTorch cannot tell them."""
    base = dispatch_mode()
    if base is None:
        return None

    class NotingMode(base):
        def __init__(self, names: set[str]) -> None:
            super().__init__()
            self._names = names

    def noting(self, operation, types, args=(), kwargs=None):
        self._names.add(operation.overloadpacket.__name__)
        result = operation(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor) and result.is_complex():
            self._names.add(_COMPLEX)
        return result

    # One that stands in the class's body, PyTorch wraps, and loads its compiler: seconds of work.
    NotingMode.__torch_dispatch__ = noting
    return NotingMode
