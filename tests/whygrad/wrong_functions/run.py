"""Run a case and compare two runs, with PyTorch alone."""

import itertools
from collections.abc import Callable
from typing import Any

import torch

from tests.whygrad.wrong_functions.case import normal


def leaves(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copies of the inputs that require a gradient; plain values as they are."""
    return tuple(
        v.detach().clone().requires_grad_() if isinstance(v, torch.Tensor) else v for v in inputs
    )


def floats(outputs: Any) -> tuple[torch.Tensor, ...]:
    """The outputs that can have a gradient."""
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    return tuple(y for y in outputs if y.is_floating_point())


def run(call: Callable, inputs: tuple[Any, ...], scale: float = 1.0, only: int = -1) -> Any:
    """Outputs, gradients and what else there was to see; a string if it raised."""
    made = leaves(inputs)
    try:
        outputs = floats(call(*made))
        some = [y for i, y in enumerate(outputs) if y.requires_grad and only in (-1, i)]
        seeds = [scale * normal(*y.shape, seed=9).to(y.dtype) for y in some]
        tensors = [v for v in made if isinstance(v, torch.Tensor)]
        grads = torch.autograd.grad(some, tensors, seeds, allow_unused=True, retain_graph=True)
        values = [y.detach().clone() for y in outputs]
        return values, [torch.tensor(0.0) if g is None else g for g in grads], made, outputs
    except Exception as error:
        return type(error).__name__


def same(a: Any, b: Any) -> bool:
    """Tell whether two runs gave the same values and gradients, or both raised."""
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str)
    pairs = list(itertools.zip_longest(a[0] + list(a[1]), b[0] + list(b[1])))
    return all(
        x.dtype == y.dtype and x.shape == y.shape and torch.allclose(x, y, 1e-9, 1e-11)
        for x, y in pairs
    )
