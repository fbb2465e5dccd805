"""What is wrong with my backward? `diagnose(MyFunction, x)` names the mistake and shows it.

    >>> import torch, whygrad
    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x**2
    ...     @staticmethod
    ...     def backward(ctx, grad_y):
    ...         (x,) = ctx.saved_tensors
    ...         return x * grad_y
    >>> whygrad.diagnose(Square, torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64)).message
    'The gradient of x is off by a constant factor. It is 0.5 times the right one.'

It finds what breaks a law that every backward keeps: gradients of the wrong number, shape, dtype,
sign or factor; transposed, swapped or summed over the wrong dimensions; not linear in the incoming
gradient; inputs or incoming gradients overwritten; something kept between two calls; sizes and
memory layouts that fail. With `order=2` it looks at the derivatives of backward too, and with
`reference=` also at the values of forward. `whygrad.MISTAKES` lists every mistake by name.

It does not find what shows at other inputs only, what needs a GPU, a Function that is slow or
keeps too much memory, and, without a reference, a wrong forward.

`watch(model, batch)` runs a training step, and diagnoses each custom Function in it on the inputs
that it really got. The command `whygrad` diagnoses in a terminal. docs/whygrad.md of the repository
shows what gradcheck passes, how intent is said, and what is not found.

`draw`, `compare` and `step` show the autograd graph, `trace` reads it as data, and
`whygrad.testing.assert_right` is a diagnosis for a test. Each name is loaded when it is first
used, so that importing `whygrad` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # an editor or a type checker runs no code, so it finds them here
    from whygrad.diagnosing import diagnose
    from whygrad.diagnosis import Diagnosis
    from whygrad.graph import compare, draw, step, tidy, trace
    from whygrad.mistakes import MISTAKES
    from whygrad.training_step import watch

# No name here is that of a module of this package: importing that module would take its place.
_HOME = {
    "Diagnosis": "whygrad.diagnosis",
    "MISTAKES": "whygrad.mistakes",
    "compare": "whygrad.graph",
    "diagnose": "whygrad.diagnosing",
    "draw": "whygrad.graph",
    "step": "whygrad.graph",
    "tidy": "whygrad.graph",
    "trace": "whygrad.graph",
    "watch": "whygrad.training_step",
}
__version__ = "0.1.0"
__all__ = ["MISTAKES", "Diagnosis", "compare", "diagnose", "draw", "step", "tidy", "trace", "watch"]


def __getattr__(name: str):
    if name == "testing":
        return import_module("whygrad.testing")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'whygrad' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
