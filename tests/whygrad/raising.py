"""Run code that raises, as a cell, with a Square at hand."""

import linecache
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.autograd import Function

from whygrad.measure.encode import encode_raised
from whygrad.verdict import Raised


class Square(Function):
    """A right one; the cases replace one of its methods."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


def square(x: torch.Tensor, **methods: Any) -> torch.Tensor:
    """Apply a Square with other methods, and run its backward."""
    changed = {name: staticmethod(method) for name, method in methods.items()}
    y = type("Other", (Square,), changed).apply(x)
    y.backward(torch.ones_like(y))
    return y


def raised_by(code: str, phase: str) -> Raised:
    """Run code as a cell and return what it raises."""
    title = "<a cell>"
    names = {"torch": torch, "nn": nn, "np": np, "Function": Function, "square": square}
    names |= {"Square": Square, "__name__": "__main__"}
    names |= {
        "x": torch.arange(1.0, 4.0, dtype=torch.float64, requires_grad=True),
        "X": torch.ones(4, 3, dtype=torch.float64, requires_grad=True),
        "W": torch.ones(2, 3, dtype=torch.float64, requires_grad=True),
        "plain": torch.ones(3, dtype=torch.float64),
        "b": None,
    }
    linecache.cache[title] = (len(code), None, code.splitlines(keepends=True), title)
    try:
        exec(compile(code, title, "exec"), names)
    except Exception as error:
        return encode_raised(error, phase)
    raise AssertionError(f"nothing was raised by\n{code}")
