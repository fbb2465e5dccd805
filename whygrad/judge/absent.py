"""Explain what goes wrong with an input that may be None, and with a gradient that is None."""

import re

from whygrad.evidence import Trial
from whygrad.judge.arrays import read_array
from whygrad.judge.inquiry import Inquiry
from whygrad.verdict import Finding

_FOR_NONE = "gradient different than None at position"  # PyTorch's words
_NOTHING = "NoneType"  # as the evidence calls it


def absent(inquiry: Inquiry, trial: Trial) -> list[int]:
    """The places of the named inputs that are None in a trial."""
    named = zip(inquiry.names, trial.inputs, strict=False)
    return [place for place, (_, value) in enumerate(named) if value.value == "None"]


def without(finding: Finding, trial: Trial) -> Finding:
    """Return the finding on a call without an input, with the reason where the evidence tells it.

    Args:
        finding: that such a call does not work; it is about the input.
        trial: the call.
    """
    name, raised = finding.about, trial.raised
    if trial.odd == _NOTHING:
        why = f"Without {name}, forward returns None."
        look = f"Look at each `return`: one must be reached with {name} and without it."
        return finding.because(why, look)
    if not raised:
        return finding
    if _FOR_NONE in raised.message:
        why = f"{name} was None in this call, and `backward` returned a gradient for it."
        look = (
            f"Where {name} was None, return None in its place. Let forward note on `ctx` whether "
            f"{name} is None, and ask that in `backward`."
        )
        return finding.because(why, look)
    used = re.search(rf"(\w+\.)?\b{re.escape(name)}\b", raised.line) if name else None
    if used and "NoneType" in raised.message:
        why = f"`{used[0]}` is None in this call, and the line uses it as if it were a tensor."
        return finding.because(why, f"Ask `if {used[0]} is not None` before that line.")
    return finding


def returned_nothing(finding: Finding, inquiry: Inquiry, where: int) -> Finding:
    """Return the finding on a gradient that is missing, if backward returned it, with the reason.

    Args:
        finding: that the gradient of an input is missing.
        inquiry: with the evidence.
        where: the place of the input.
    """
    slots = inquiry.base.returned
    arrays = [read_array(slot.grad) for slot in slots if slot.input == where]
    if not arrays or any(array is not None and array.values.any() for array in arrays):
        return finding
    name = inquiry.names[where]
    if None not in arrays:
        why = "`backward` ran and returned zeros in this place, so the history is not cut."
        look = (
            "Print it just before `return`, and each factor that it is made of: one of them is 0, "
            "or no line writes into it."
        )
        return finding.because(why, look)
    if any(where in absent(inquiry, t) and _is_for_none(t) for t in inquiry.evidence.trials):
        why = (
            f"Where {name} is None, `backward` returns a gradient for it, and where {name} is a "
            "tensor, None: the question is the wrong way round."
        )
        return finding.because(why, f"Look at each line that asks about {name}.")
    why = (
        f"`backward` ran and returned None in this place, and {name} is a tensor that requires a "
        "gradient."
    )
    look = (
        f"Find the line that sets the gradient of {name}, and see whether it runs: below `elif`, "
        "or an `if` that asks something else, it may not. Then return it in this place."
    )
    return finding.because(why, look)


def _is_for_none(trial: Trial) -> bool:
    return bool(trial.raised) and _FOR_NONE in trial.raised.message
