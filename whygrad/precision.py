"""Choose the precision to measure in: the highest one that a callable takes."""

from typing import Any

import torch

from whygrad.measure.inside import lowest, precision_of
from whygrad.measure.quiet import same_settings
from whygrad.measure.reals import is_number
from whygrad.measure.run_once import Call, backward, forward

_WIDE = {
    **dict.fromkeys((torch.float32, torch.float16, torch.bfloat16), torch.float64),
    torch.complex64: torch.complex128,
}


def widened(call: Call, values: tuple) -> tuple:
    """Return copies in double precision, in which mistakes show best, if a callable takes them.

    Integers, bools and sparse tensors stay. A callable that raises for float64 in forward or in
    backward, and not for what was given, gets its inputs as they are.

    Args:
        call: what is looked at.
        values: its arguments.
    """
    wide = tuple(map(_wide, values))
    if all(one is other for one, other in zip(wide, values, strict=True)):
        return values
    return wide if _runs(call, wide) or not _runs(call, values) else values


def lowest_of(values: tuple) -> str:
    """Name the lowest precision among some arguments, such as "bfloat16"."""
    return lowest(map(precision_of, filter(is_number, values)))


def _wide(value: Any) -> Any:
    return value.to(_WIDE[value.dtype]) if is_number(value) and value.dtype in _WIDE else value


def _runs(call: Call, values: tuple) -> bool:
    with same_settings():
        run = forward(call, values)
        if run.raised or not run.outputs or not run.tracked:
            return not run.raised
        backward(run, [torch.ones_like(out) for out in run.floats])
    return run.raised is None
