"""Say why a gradient is missing, where backward did not return None: what `.apply` got."""

from whygrad.judge.inquiry import Inquiry

Reason = tuple[str, str]  # why, and what to do; both "" where it is not known


def why_missing(inquiry: Inquiry, place: int) -> Reason:
    """Return why the gradient of the input at this place is missing."""
    for slot in inquiry.base.returned:
        if slot.input == place or (slot.input is None and slot.shape is not None):
            return "", ""  # it came in, or may have, by way of another operation
    return _hidden(inquiry, place) or _cut(inquiry.names[place])


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


def _cut(name: str) -> Reason:
    why = f"`.apply` did not get `{name}` itself, with its history, as one of its arguments."
    look = (
        f"Follow `{name}` to the call of `.apply`, and look for `.detach()`, `.data`, `no_grad` or "
        "a new tensor made of its numbers. What comes after that is a constant to autograd."
    )
    return why, look
