"""Wrong Functions as people write them, each with the name of its one mistake."""

from tests.whygrad.wrong_functions import (  # noqa: F401
    activations,
    broadcasting,
    calls,
    double_backward,
    dtypes,
    effects,
    elementwise,
    layouts,
    look_alikes,
    losses,
    matrices,
    outputs,
    reductions,
    second_order,
    sizes,
    state,
    two_inputs,
    values,
)
from tests.whygrad.wrong_functions.case import CASES, Case

__all__ = ["CASES", "Case"]
