"""Say why the Function of a layer gives what it gives, where the layer is the reason."""

from dataclasses import replace

from helpers.checks.task_evidence import FunctionEvidence
from whygrad.verdict import Verdict

_OF_ORDER = {"wrong-forward", "not-summed", "wrong-shape", "swapped-gradients", "wrong-gradient"}


def with_call(verdict: Verdict, measured: FunctionEvidence) -> Verdict:
    """Return the verdict with its reason, if the layer leaves its Function out."""
    if verdict.names[0] != "unused-function":
        return verdict
    why = "The layer's `forward` computes its result without the Function that you handed over."
    if measured.base.custom:
        why += " It applies another one."
    if measured.layers[0].has_backward:
        why += " The class of the layer has a `backward`, but nobody calls a method of that name."
    first, *rest = verdict.findings
    return replace(verdict, findings=(replace(first, why=why), *rest))


def with_order(verdict: Verdict, measured: FunctionEvidence) -> Verdict:
    """Return the verdict with its reason, if the layer hands its tensors over in another order."""
    places = [slot.input for slot in measured.base.returned]
    known = [place for place in places if place is not None]
    if known == sorted(known) or verdict.names[0] not in _OF_ORDER:
        return verdict
    names = ", ".join(measured.names[place] for place in known)
    why = f"The layer hands its tensors to `.apply` in the order {names}."
    look = "Compare that line with the arguments of the Function's `forward`, one by one."
    first, *rest = verdict.findings
    return replace(verdict, findings=(replace(first, why=why, look=look), *rest))
