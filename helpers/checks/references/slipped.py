"""Make a Function that differs from a right one in its backward alone, and a slip of one."""

from collections.abc import Callable
from typing import Any

from torch.autograd import Function

from helpers.checks.task import Slip


def with_backward(function: type[Function], backward: Callable[..., Any]) -> type[Function]:
    """Return a Function with the forward of another one, and a backward of its own."""
    return type(function.__name__, (function,), {"backward": staticmethod(backward)})


def exchanged(function: type[Function], *names: str) -> Slip:
    """Return the slip of a backward that unpacks two saved tensors in the wrong order."""
    one, other = names
    return Slip(
        with_backward(function, lambda ctx, *grads: function.backward(_Exchanged(ctx), *grads)),
        "wrong-gradient",
        f"Backward takes {one} for {other} and {other} for {one}: `ctx.saved_tensors` is unpacked "
        "in another order than it was saved.",
        "Compare the line that saves with the line that unpacks, name by name.",
    )


class _Exchanged:
    """A `ctx` that gives back the saved tensors from the last to the first."""

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._ctx, name)
        return value[::-1] if name == "saved_tensors" else value
