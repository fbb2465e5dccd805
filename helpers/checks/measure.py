"""What is measured of an answer besides whygrad's own: layers, plain functions, parts alone."""

import math
import numbers
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import torch
from torch import nn

from helpers.checks.task import ModuleTask, PredictionTask
from helpers.checks.task_evidence import (
    HeldValue,
    Layer,
    PredictionEvidence,
    ValuesEvidence,
    ValuesTrial,
)
from whygrad.codec import to_json
from whygrad.evidence import Evidence, Trial, Value
from whygrad.evidence.trial import Repeats
from whygrad.graph.nodes import hidden_tensors
from whygrad.lines.log import LineLog
from whygrad.lines.step import Step
from whygrad.measure import measure_function
from whygrad.measure.encode import encode, encode_all, encode_raised, rounded
from whygrad.measure.operations import operations
from whygrad.measure.quiet import quiet, reseed, same_settings
from whygrad.measure.run_once import Call, forward, is_wanted, leaf
from whygrad.measure.trial import Probe, about, spread, try_once
from whygrad.measure.watch import installed, watching
from whygrad.torch_private import is_of_pytorch

_ROOM = 2000  # elements of a prediction


def measure_values(call: Call, probes: Sequence[Probe], **about: Any) -> ValuesEvidence:
    """Return what a plain function returns for some inputs; `about` says what the task does."""
    with same_settings(), installed():
        trials = [_trial(call, probe, place == 0) for place, probe in enumerate(probes)]
        # What the calls in between left behind would show now.
        later = _trial(call, probes[0], False).values
    return ValuesEvidence(trials=trials, later=later, **about)


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


def lines_of(call: Call, probe: Probe) -> list[Step]:
    """Return what each line of a plain function does."""
    inputs = [leaf(value, False) for value in probe.inputs]
    log = LineLog(inputs)
    with same_settings(), installed():
        reseed(0)
        with quiet(), suppress(Exception, SystemExit), log.during("call", None, inputs):
            call(*inputs)
    return log.steps()


def measure_value(value: Any) -> PredictionEvidence:
    """Return a prediction; `...` and None are an answer that was not given."""
    given = not (value is ... or value is None)
    return PredictionEvidence(PredictionTask.kind, plain(value) if given else None, given)


def plain(value: Any, room: int = _ROOM) -> Any:
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


def _encoded(tensor: torch.Tensor, room: int = _ROOM) -> Value:
    return encode(tensor) if tensor.numel() <= room else Value(type="a tensor too large")


def measure_layers(task: ModuleTask, layer_class: type, inputs: list[tuple]) -> list[Layer]:
    """Return what a layer of each size holds."""
    with same_settings(), quiet():
        return [_layer(task, layer_class, each) for each in inputs]


def _layer(task: ModuleTask, layer_class: type, inputs: tuple) -> Layer:
    given = zip(task.parameters, inputs[-len(task.parameters) :], strict=True)
    due = {name: None if value is None else list(value.shape) for name, value in given}
    facts = Layer(due, list(task.starts))
    reseed(0)
    try:
        layer = task.make(layer_class, *inputs)
        facts.has_backward = hasattr(layer, "backward")
        facts.held = {name: _held(layer, name) for name in due}
        facts.others = [name for name, _ in layer.named_parameters() if name not in due]
    except (Exception, SystemExit) as error:
        facts.raised = encode_raised(error, "`__init__` of the layer")
    return facts


def _held(layer: nn.Module, name: str) -> HeldValue:
    """Say as what a layer holds something, and with which numbers it starts."""
    if not hasattr(layer, name):
        return HeldValue("nothing")
    value = getattr(layer, name)
    if value is None:
        return HeldValue("None")
    if not isinstance(value, torch.Tensor):
        return HeldValue(type(value).__name__)
    kind = "tensor"
    if name in dict(layer.named_parameters()):
        kind = "parameter" if value.requires_grad else "frozen"
    elif name in dict(layer.named_buffers()):
        kind = "buffer"
    return HeldValue(kind, encode(value))


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
