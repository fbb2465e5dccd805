"""What can be said of an answer that is right, and still not written as the lessons write it."""

from collections.abc import Iterator
from inspect import getattr_static
from typing import Any

from torch.autograd import Function

_METHODS = ("forward", "backward", "setup_context")


def _below(answer: type, name: str) -> Any:
    """Return what a decorator was put around; None if there is none."""
    return getattr(getattr_static(answer, name), "__wrapped__", None)


def remarks(measured: dict[str, Any], answers: tuple) -> Iterator[str]:
    """Yield a sentence or two for each thing that works, and that is a habit to leave.

    Args:
        measured: the evidence of the answer.
        answers: what was handed to the check.
    """
    for answer in answers:
        if isinstance(answer, type) and issubclass(answer, Function):
            plain = [name for name in _METHODS if name in vars(answer)]
            plain = [n for n in plain if not isinstance(getattr_static(answer, n), staticmethod)]
            if plain and all(isinstance(_below(answer, name), staticmethod) for name in plain):
                yield "put `@staticmethod` above the other decorators, as the lessons do."
                continue
            if plain:
                named = " and ".join(f"`{name}`" for name in plain)
                yield (
                    f"{named} of `{answer.__name__}`: write `@staticmethod` above. There is no "
                    "object of this class, and no `self`."
                )
    base = next(iter(measured.get("trials", ())), {})
    if base.get("marks made"):
        yield (
            "`ctx.mark_dirty` is called with a tensor that is no argument. It is for an argument "
            "that `forward` writes into, and PyTorch warns of any other tensor: leave it out."
        )
    if base.get("tensors on ctx"):
        yield (
            "a tensor is kept as an attribute of `ctx`. Save it with `ctx.save_for_backward`, "
            "which notices when it was changed since; if it is saved already, take the attribute "
            "away."
        )
    if base.get("op runs again"):
        yield (
            "the op runs again where its gradient is due. Its result is handed to `setup_context` "
            "as `output`: save that."
        )
    counted = "bytes" in (measured.get("demands") or {})
    if counted and base.get("held", {}).get("copied"):
        yield (
            "a copy is saved. The tensor itself may be held anyway, and then costs nothing; its "
            "copy comes on top."
        )
