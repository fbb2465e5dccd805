"""Measure answers that are not Functions: what a plain function returns, and predictions."""

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from helpers.checks.task import PredictionTask, ValuesTask
from helpers.checks.task_evidence import PredictionEvidence, ValuesEvidence, ValuesTrial
from whygrad.codec import to_json
from whygrad.evidence import Value
from whygrad.graph.nodes import hidden_tensors
from whygrad.measure.encode import encode, encode_raised, rounded
from whygrad.measure.quiet import quiet, reseed, same_settings
from whygrad.measure.run_once import Call, leaf
from whygrad.measure.trial import Probe, about
from whygrad.measure.watch import installed, watching
from whygrad.torch_private import is_of_pytorch

_LONGEST = 2000  # elements of a prediction


def measure_values(call: Call, probes: Sequence[Probe], **about: Any) -> ValuesEvidence:
    """Return what a plain function returns for some inputs; `about` says what the task does."""
    with same_settings(), installed():
        trials = [_trial(call, probe, place == 0) for place, probe in enumerate(probes)]
        # What the calls in between left behind would show now.
        later = _trial(call, probes[0], False).values
    return ValuesEvidence(ValuesTask.kind, trials, later, **about)


def _trial(call: Call, probe: Probe, loud: bool) -> ValuesTrial:
    inputs = [leaf(value, False) for value in probe.inputs]
    before = [leaf(value, False) for value in inputs]
    trial = ValuesTrial(
        probe.name,
        probe.law,
        inputs=[about(value) for value in inputs],
        given=[_encoded(v) if isinstance(v, torch.Tensor) else None for v in before],
    )
    values, autograd = [], set()
    for attempt in range(2):
        reseed(0)
        again = [leaf(value, False) for value in before] if attempt else inputs
        with watching(forward=True) as watch, quiet(loud and not attempt):
            try:
                result = call(*again)
            except (Exception, SystemExit) as error:
                trial.raised = encode_raised(error, "the call")
                return trial
        values.append(plain(result))
        autograd |= watch.autograd
    own = [call.node for call in watch.backwards if not is_of_pytorch(call.node)]
    trial.values, trial.again = values
    trial.autograd, trial.noted = sorted(autograd), sorted(watch.noted)
    trial.tensors_on_ctx = "tensors on ctx" in trial.noted or any(map(hidden_tensors, own))
    trial.changed = [
        place
        for place, (now, then) in enumerate(zip(inputs, before, strict=True))
        if isinstance(then, torch.Tensor) and not torch.equal(now.detach(), then)
    ]
    return trial


def measure_value(value: Any) -> PredictionEvidence:
    """Return a prediction; `...` and None are an answer that was not given."""
    given = not (value is ... or value is None)
    return PredictionEvidence(PredictionTask.kind, plain(value) if given else None, given)


def plain(value: Any, room: int = _LONGEST) -> Any:
    """Return numbers, tensors, texts, and lists and dicts of them, as JSON data.

    A tuple and a list are the same; so are an array and a tensor, and an int and a float. A dtype
    is its name.
    Of anything else, such as a set, whose order means nothing, the type is told.
    """
    if isinstance(value, torch.Tensor):
        return to_json(_encoded(value, room))
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist(), room)
    if isinstance(value, str):
        return value[:room]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    if isinstance(value, numbers.Real):
        number = rounded(float(value))
        return number if math.isfinite(number) else str(number)
    if isinstance(value, Mapping):
        return {str(key): plain(item, room // 4) for key, item in list(value.items())[:100]}
    if isinstance(value, Sequence):
        return [plain(item, room // 4) for item in list(value)[:200]]
    return {"type": type(value).__name__, "name": str(getattr(value, "__name__", ""))[:room]}


def _encoded(tensor: torch.Tensor, room: int = _LONGEST) -> Value:
    return encode(tensor) if tensor.numel() <= room else Value(type="a tensor too large")
