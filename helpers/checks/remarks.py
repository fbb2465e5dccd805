"""What can be said of an answer that is right, and still not written as the lessons write it."""

from collections.abc import Iterator
from inspect import getattr_static
from typing import Any

from torch.autograd import Function

from helpers.checks.task_evidence import (
    FunctionEvidence,
    Measured,
    PredictionEvidence,
    ValuesEvidence,
)

_METHODS = ("forward", "backward", "setup_context")


def _below(answer: type, name: str) -> Any:
    """Return what a decorator was put around; None if there is none."""
    return getattr(getattr_static(answer, name), "__wrapped__", None)


def remarks(measured: Measured, answers: tuple) -> Iterator[str]:
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
    if not isinstance(measured, PredictionEvidence):
        yield from _habits(measured)


def _habits(measured: FunctionEvidence | ValuesEvidence) -> Iterator[str]:
    base, is_function = measured.trials[0], isinstance(measured, FunctionEvidence)
    if is_function and base.marks_made:
        yield (
            "`ctx.mark_dirty` is called with a tensor that is no argument. It is for an argument "
            "that `forward` writes into, and PyTorch warns of any other tensor: leave it out."
        )
    if base.tensors_on_ctx:
        yield (
            "a tensor is kept as an attribute of `ctx`. Save it with `ctx.save_for_backward`, "
            "which notices when it was changed since; if it is saved already, take the attribute "
            "away."
        )
    if not is_function and "op runs again" in base.noted:
        yield (
            "the op runs again where its gradient is due. Its result is handed to `setup_context` "
            "as `output`: save that."
        )
    demands = is_function and measured.demands
    if demands and demands.bytes and base.held.copied:
        yield (
            "a copy is saved. The tensor itself may be held anyway, and then costs nothing; its "
            "copy comes on top."
        )
