"""Say of a gradient that is written by an index what becomes of rows that occur twice."""

import numpy as np

from whygrad.judge.arrays import read_array
from whygrad.judge.inquiry import Inquiry
from whygrad.verdict import Finding


def of_repeated_rows(inquiry: Inquiry, finding: Finding) -> Finding:
    """Return a finding of a wrong mask with the reason, where an index has repeated entries."""
    if not inquiry.every or finding.name != "wrong-mask" or finding.why:
        return finding
    repeated = _repeated(inquiry)
    if not repeated:
        return finding
    why = (
        f"{repeated} has entries that occur more than once. After `grad[{repeated}] = …` such a "
        "row holds the last gradient only, and the sum of all is due."
    )
    look = (
        f"Add them up: `grad.index_add_(0, {repeated}, …)`, or "
        f"`grad.index_put_(({repeated},), …, accumulate=True)`."
    )
    return finding.because(why, look)


def _repeated(inquiry: Inquiry) -> str:
    """Name the first input of integers in which a number occurs twice, or return ""."""
    values = inquiry.base.values or ()
    for name, about, value in zip(inquiry.names, inquiry.base.inputs, values, strict=False):
        if "int" not in about.dtype or (array := read_array(value)) is None:
            continue
        if len(np.unique(array.values)) < array.values.size:
            return name
    return ""
