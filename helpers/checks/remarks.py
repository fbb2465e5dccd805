"""What can be said about an answer that is right, but not written as the lessons write it."""

from collections.abc import Iterator

from torch.autograd import Function

from helpers.checks.task_evidence import (
    FunctionEvidence,
    Measured,
    PredictionEvidence,
    ValuesEvidence,
)

_METHODS = ("forward", "backward", "setup_context")
_NOT_STATIC = (
    "{methods} of `{name}`: write `@staticmethod` above, before any other decorator. There is no "
    "object of this class, and no `self`."
)
# By what was measured of a call.
_HABITS = {
    "marks_made": "`ctx.mark_dirty` is called with a tensor that is not an argument. It is for an "
    "argument that `forward` writes into, and PyTorch warns about any other tensor: leave it out.",
    "tensors_on_ctx": "a tensor is kept as an attribute of `ctx`. Save it with "
    "`ctx.save_for_backward`, which notices when it was changed since; if it is saved already, "
    "remove the attribute.",
    "op runs again": "the op runs again where its gradient is expected. Its result is passed to "
    "`setup_context` as `output`: save that.",
    "copied": "a copy is saved. The tensor itself may be held anyway, and then costs nothing; its "
    "copy is added to that.",
}


def remarks(measured: Measured, answers: tuple) -> Iterator[str]:
    """Yield a sentence or two for each thing that works, but is a habit to leave.

    Args:
        measured: the evidence of the answer.
        answers: what was passed to the check.
    """
    for answer in answers:
        if isinstance(answer, type) and issubclass(answer, Function):
            written = {name: vars(answer)[name] for name in _METHODS if name in vars(answer)}
            plain = [f"`{k}`" for k, v in written.items() if not isinstance(v, staticmethod)]
            if plain:
                yield _NOT_STATIC.format(methods=" and ".join(plain), name=answer.__name__)
    if not isinstance(measured, PredictionEvidence):
        yield from (said for habit, said in _HABITS.items() if habit in _seen(measured))


def _seen(measured: FunctionEvidence | ValuesEvidence) -> set[str]:
    base, demands = measured.trials[0], getattr(measured, "demands", None)
    facts = {name for name in _HABITS if getattr(base, name, False)}
    if demands and demands.bytes and base.held.copied:
        facts.add("copied")
    return facts.union(getattr(base, "noted", []))
