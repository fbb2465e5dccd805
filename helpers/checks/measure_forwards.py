"""Try what can be right of a Function whose backward raises: forward, and each gradient alone."""

from collections.abc import Sequence
from typing import Any

import torch

from whygrad.evidence import Evidence, Trial
from whygrad.evidence.trial import Repeats
from whygrad.measure import measure_function
from whygrad.measure.encode import encode_all
from whygrad.measure.operations import operations
from whygrad.measure.quiet import quiet, same_settings
from whygrad.measure.run_once import Call, forward, is_wanted
from whygrad.measure.trial import Probe, spread, try_once
from whygrad.measure.watch import installed


def add_forwards(evidence: Evidence, call: Call, probes: Sequence[Probe], seed: int) -> None:
    """Add to evidence what forward does on all inputs but the first, and on these once more."""
    (first, *others), base = probes, evidence.base
    with same_settings(), installed():
        tried = (*others, spread(first.inputs))
        evidence.trials += [try_once(call, probe, seed)[0] for probe in tried]
        anew, reseeded, base.unasked = (
            encode_all(forward(call, first.inputs, **how).outputs)
            for how in ({}, {"seed": 1}, {"only": -1})
        )
        base.repeats = Repeats(anew_outputs=anew, reseeded_outputs=reseeded)
        base.operations_of_forward = sorted(operations(call, first.inputs, seed).in_forward)


def measure_by_input(
    call: Call, probes: Sequence[Probe], names: Sequence[str], **settings: Any
) -> dict[str, dict[str, Trial]]:
    """Return the trials with one input at a time requiring a gradient: by its name, by their names.

    PyTorch refuses a gradient of the wrong shape only if it is needed, so the others arrive.
    `settings` are those of `measure_function`.
    """
    places = [place for place, value in enumerate(probes[0].inputs) if is_wanted(value)]
    found = {}
    with quiet():
        for place in places if len(places) > 1 else ():
            trials = measure_function(_detached(call, place), probes, **settings).trials
            found[names[place]] = {trial.name: trial for trial in trials}
    return found


def _detached(call: Call, place: int) -> Call:
    """Return a function of the same inputs in which only one of them requires a gradient."""

    def called(*inputs: Any) -> Any:
        cut = [value.detach() if isinstance(value, torch.Tensor) else value for value in inputs]
        cut[place] = inputs[place]
        return call(*cut)

    return called
