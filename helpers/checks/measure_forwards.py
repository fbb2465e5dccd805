"""Try what can be right of a Function whose backward raises: forward, and each gradient alone."""

from collections.abc import Sequence
from typing import Any

import torch

from helpers.checks.task import FunctionTask
from whygrad.evidence import Evidence, Trial
from whygrad.evidence.trial import Repeats
from whygrad.measure import measure_function
from whygrad.measure.encode import encode_all
from whygrad.measure.operations import operations
from whygrad.measure.quiet import quiet, same_settings
from whygrad.measure.run_once import Call, forward, is_wanted
from whygrad.measure.trial import Probe, spread, try_once
from whygrad.measure.watch import installed

_OF_INPUTS = ("gradient of ", "without ")  # parts for which each input is tried alone


def add_forwards(evidence: Evidence, call: Call, probes: Sequence[Probe], seed: int) -> None:
    """Add to evidence what forward does on all inputs but the first, and on these once more."""
    (first, *others), base = probes, evidence.base
    with same_settings(), installed():
        tried = (*others, spread(first.inputs))
        evidence.trials += [try_once(call, probe, seed)[0] for probe in tried]
        again = [encode_all(forward(call, first.inputs, seed=each).outputs) for each in (0, 1)]
        base.repeats = Repeats(anew_outputs=again[0], reseeded_outputs=again[1])
        base.operations_of_forward = sorted(operations(call, first.inputs, seed).in_forward)


def measure_by_input(
    call: Call, probes: Sequence[Probe], task: FunctionTask, **settings: Any
) -> dict[str, dict[str, Trial]]:
    """Return the trials with one input at a time requiring a gradient: by its name, by their names.

    PyTorch refuses a gradient of the wrong shape only if it is needed, so the others arrive.
    `settings` are those of `measure_function`. Nothing is tried that no part of the task needs.
    """
    places = [place for place, value in enumerate(probes[0].inputs) if is_wanted(value)]
    if len(places) < 2 or not any(part.startswith(_OF_INPUTS) for part in task.shares):
        return {}
    with quiet():
        found = {
            task.names[place]: measure_function(_detached(call, place), probes, **settings).trials
            for place in places
        }
    return {name: {trial.name: trial for trial in trials} for name, trials in found.items()}


def _detached(call: Call, place: int) -> Call:
    """Return a function of the same inputs in which only one of them requires a gradient."""

    def called(*inputs: Any) -> Any:
        cut = [value.detach() if isinstance(value, torch.Tensor) else value for value in inputs]
        cut[place] = inputs[place]
        return call(*cut)

    return called
