"""Say why a gradient is missing, where backward did not return None: what `.apply` got."""

from whygrad.evidence import Values
from whygrad.judge.arrays import read_array
from whygrad.judge.inquiry import Inquiry

Reason = tuple[str, str]  # why, and what to do; both "" where it is not known


def why_missing(inquiry: Inquiry, place: int) -> Reason:
    """Return why the gradient of the input at this place is missing."""
    name = inquiry.names[place]
    slots = inquiry.base.returned
    own = [slot.grad for slot in slots if slot.input == place]
    if own:
        return _returned(name, own)
    if any(slot.input is None and slot.shape is not None for slot in slots):
        return "", ""  # it may have come in by way of another operation
    return _hidden(inquiry, place) or _cut(name)


def first_hidden(inquiry: Inquiry) -> Reason | None:
    """Return the reason, if some input was handed to `.apply` inside a list or a dict."""
    reasons = (_hidden(inquiry, place) for place in inquiry.base.wanted)
    return next(filter(None, reasons), None)


def _hidden(inquiry: Inquiry, place: int) -> Reason | None:
    kind = inquiry.base.packed.get(str(place))
    if kind is None:
        return None
    name = inquiry.names[place]
    why = (
        f"`{name}` reaches `.apply` inside a {kind}. `.apply` tracks a tensor only if it is an "
        "argument of its own."
    )
    look = (
        f"Hand `{name}` to `.apply` by itself, in place of the {kind}, and take it as an argument "
        "of `forward`. Then `backward` owes it a gradient in that place."
    )
    return why, look


def _returned(name: str, grads: Values) -> Reason:
    found = [read_array(grad) for grad in grads]
    if not all(array is not None and not array.values.any() for array in found):
        return "", ""
    why = f"`.apply` gets `{name}` and tracks it, but `backward` returns zeros in its place."
    look = (
        f"Print what stands in the place of `{name}` just before `return`, and each factor of it."
    )
    return why, look


def _cut(name: str) -> Reason:
    why = f"`.apply` did not get `{name}` itself, with its history, as one of its arguments."
    look = (
        f"Follow `{name}` to the call of `.apply`, and look for `.detach()`, `.data`, `no_grad` or "
        "a new tensor made of its numbers. What comes after that is a constant to autograd."
    )
    return why, look
