"""Call once before all else: which outputs can be wrong, and where does forward keep statistics?"""

from typing import Any

import torch

from whygrad.measure.marks import places
from whygrad.measure.quiet import same_settings
from whygrad.measure.reals import is_number
from whygrad.measure.run_once import Call, Run, backward, forward, items

_PLAIN = (bool, int, float, str)


def outputs_to_judge(
    call: Call, values: tuple, reference: Call | None = None
) -> tuple[list[int], int] | None:
    """Return the places of the outputs that can be wrong, of how many; None if all can.

    Among several outputs, None and plain values need no gradient, and neither does what forward
    said to have none, unless that of the reference has one.
    """
    with same_settings():
        run = forward(call, values)
        due = forward(reference, values).outputs if reference is not None else ()
    if run.raised or not isinstance(run.result, tuple | list):
        return None
    outputs = items(run.result)
    plain = [p for p, out in enumerate(outputs) if out is None or type(out) in _PLAIN]
    marked = [p for p in places(outputs, run.marks.constant) if is_number(outputs[p])]
    without = [p for p in marked if p >= len(due) or not due[p].requires_grad]
    left = [place for place in range(len(outputs)) if place not in (*plain, *without)]
    tensors = any(isinstance(outputs[place], torch.Tensor) for place in left)
    return (left, len(outputs)) if tensors and len(left) < len(outputs) else None


def statistics(call: Call, values: tuple) -> frozenset[int]:
    """Return the places of the inputs that forward keeps statistics in.

    It writes into them, no output depends on them, and backward returns None for them: to the
    graph they are constants. At least one other input has a gradient.
    """
    with same_settings():
        run = forward(call, values)
        if not run.outputs or not run.changed:
            return frozenset()
        grads = backward(run, [torch.ones_like(out) for out in run.floats]) or []
        pairs = zip(run.wanted, grads, strict=False)
        with_gradient = {place for place, grad in pairs if grad is not None}
        if not with_gradient:
            return frozenset()
        found = [place for place in run.changed if place not in with_gradient]
        return frozenset(p for p in found if not _is_used(call, values, p, run))


def _is_used(call: Call, values: tuple, place: int, run: Run) -> bool:
    """Tell whether other numbers in one input make another output."""
    other = (*values[:place], _more(values[place]), *values[place + 1 :])
    again = forward(call, other)
    if len(again.outputs) != len(run.outputs):
        return True
    return not all(map(torch.equal, again.outputs, run.outputs))


def _more(value: torch.Tensor) -> Any:
    return ~value if value.dtype == torch.bool else value + 1
