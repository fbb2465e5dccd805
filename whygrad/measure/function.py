"""Measure a custom Function: values, gradients and facts, as the evidence that a judge needs."""

from collections.abc import Sequence
from typing import Any

import torch

from whygrad.measure.closely import look_closely
from whygrad.measure.layout import strided
from whygrad.measure.quiet import same_settings
from whygrad.measure.run import Call
from whygrad.measure.trial import Probe, try_once


def measure_function(
    call: Call,
    probes: Sequence[Probe],
    *,
    order: int = 1,
    seed: int = 0,
    differences: bool = False,
    functions: tuple[type, ...] = (),
) -> dict[str, Any]:
    """Return what a callable does on some inputs, as JSON data.

    Args:
        call: the student's callable, or a reference.
        probes: what to try; the first one is measured closely.
        order: 2 to differentiate backward as well.
        seed: for the incoming gradients.
        differences: whether to measure finite differences too, where there is no reference.
        functions: classes of Functions that are to be at work in the graph.
    """
    with same_settings(), torch.enable_grad():
        trials = [look_closely(call, probes[0], order, seed, differences, functions)]
        if not trials[0].get("raised"):
            spread = Probe("non-contiguous tensors", "needs-contiguous", strided(probes[0].inputs))
            trials += [
                try_once(call, probe, seed, differences)[0] for probe in [*probes[1:], spread]
            ]
    return {"order": order, "trials": trials}
