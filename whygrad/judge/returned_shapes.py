"""Find a gradient that backward returned in another shape than that of its input."""

from dataclasses import replace
from itertools import combinations, permutations

from whygrad.evidence import Slot
from whygrad.judge.arrays import close, plain_shape, read_array
from whygrad.judge.gradient_shapes import explain_shape
from whygrad.judge.inquiry import Inquiry, with_detail
from whygrad.judge.named_product import OUTPUT, made_of, made_words
from whygrad.verdict import Finding

SHAPE_OF = "shape of the gradient of "  # begins a line of the report
_ONE_NUMBER = (
    "One number came back, as of `sum()` without a dimension. Sum over the dimensions along which "
    "this input repeats, and over no other. What `t[t > 0]` picks out has one dimension left: "
    "`torch.where` keeps the shape."
)


def wrong_shapes(inquiry: Inquiry) -> list[Finding]:
    """Find a gradient that backward returned in another shape than that of its input."""
    slots = inquiry.base.returned
    slot = next(filter(has_wrong_shape, slots), None)
    if slot is None:
        return []
    got, due = plain_shape(slot.grad), plain_shape(slot)
    about = inquiry.names[slot.input] if slot.input is not None else ""
    line = f"{SHAPE_OF}{about or 'an input'}"
    inquiry.note(line, False, yours=str(got), expected=str(due))
    detail = f"Backward returned the shape {got}; the input has {due}."
    named = _swapped(inquiry, slots) or _explained(inquiry, slot)
    if not named:
        broad = len(got) > len(due) and inquiry.base.raised is None
        named = [Finding("not-summed" if broad else "wrong-shape", about)]
        if made := _made_of(inquiry, slot):
            named = [made_words(named[0], made, inquiry.incoming)]
    return [with_detail(finding, detail) for finding in named]


def _made_of(inquiry: Inquiry, slot: Slot) -> tuple[str, ...]:
    incoming = zip(inquiry.incoming, inquiry.base.grad_outputs, strict=False)
    arrays = {name: array for name, grad in incoming if (array := read_array(grad)) is not None}
    values = inquiry.values()
    output = values.pop("the output", None)
    if output is not None and OUTPUT not in values:
        values[OUTPUT] = output
    known = {**values, **{name: array.values for name, array in arrays.items()}}
    return made_of(read_array(slot.grad).values, known)


def has_wrong_shape(slot: Slot) -> bool:
    """Tell whether what backward returned for an input has another shape than the input."""
    if slot.shape is None or slot.grad is None or slot.grad.shape is None:
        return False
    return plain_shape(slot.grad) != plain_shape(slot)


def _swapped(inquiry: Inquiry, slots: list[Slot]) -> list[Finding]:
    """Two gradients that are each other's, numbers and all."""
    if inquiry.expected is None:
        return []
    wanted = inquiry.base.wanted
    mine = {slot.input: read_array(slot.grad) for slot in slots if slot.input is not None}
    right = dict(zip(wanted, inquiry.expected.grads, strict=True))

    def is_of(one: int, other: int) -> bool:
        found = mine.get(one)
        return found is not None and close(found.values, right[other].values, 1e-4)

    for one, other in combinations(wanted, 2):
        if is_of(one, other) and is_of(other, one):
            return [Finding("swapped-gradients", inquiry.named([one, other]))]
    orders = [*permutations(wanted)][1:] if 2 < len(wanted) < 6 else []
    for order in orders:  # without two that are each other's: three or more went round
        if all(map(is_of, wanted, order)):
            said = ", ".join(inquiry.names[place] for place in order)
            why = f"All are right, but they come back in the order {said}."
            *first, last = (inquiry.names[place] for place in wanted)
            about = f"{', '.join(first)} and {last}"
            return [Finding("swapped-gradients", about, why=why)]
    return []


def _explained(inquiry: Inquiry, slot: Slot) -> list[Finding]:
    returned = read_array(slot.grad)
    if slot.input is None or inquiry.expected is None or returned is None:
        return []
    place = inquiry.base.wanted.index(slot.input)
    cases = inquiry.cases()
    if not cases:
        return []
    case = cases[place]
    found = list(explain_shape(case, {"first": returned.values}))
    if returned.values.ndim or len(case.out_shape or ()) < 2:
        return found
    return [replace(one, look=_ONE_NUMBER) if one.name == "not-summed" else one for one in found]
