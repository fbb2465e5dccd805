"""Build a layer as its user would, for each set of inputs: what it holds."""

import torch
from torch import nn

from helpers.checks.task import ModuleTask
from helpers.checks.task_evidence import HeldValue, Layer, TrainingStep
from whygrad.measure.encode import encode, encode_raised
from whygrad.measure.quiet import quiet, reseed, same_settings
from whygrad.probes import low

BUILDING, STEPPING = "`__init__` of the layer", "a training step with the layer"


def measure_layers(task: ModuleTask, layer_class: type, inputs: list[tuple]) -> list[Layer]:
    """Return what a layer of each size holds, and what one training step of the first one did."""
    with same_settings():
        found = [_measure(task, layer_class, each) for each in inputs]
        if not any(each.raised or each.odd for each in found):
            found[0].step = _step(task, layer_class, inputs[0])
    return found


def _measure(task: ModuleTask, layer_class: type, inputs: tuple) -> Layer:
    given = zip(task.parameters, inputs[-len(task.parameters) :], strict=True)
    due = {key: None if value is None else list(value.shape) for key, value in given}
    facts = Layer(due, list(task.starts))
    reseed(0)
    with quiet():
        try:
            layer = task.make(layer_class, *inputs)
        except (Exception, SystemExit) as error:
            facts.raised = encode_raised(error, BUILDING)
            return facts
    if not isinstance(layer, nn.Module):
        facts.odd = type(layer).__name__
        return facts
    facts.has_forward = layer_class.forward is not nn.Module.forward
    facts.has_backward = hasattr(layer_class, "backward")
    facts.held = {key: _held(layer, key) for key in due}
    facts.others = [key for key, _ in layer.named_parameters() if key not in due]
    return facts


def _held(layer: nn.Module, name: str) -> HeldValue:
    """Say as what a layer holds something, and with which numbers it starts."""
    if not hasattr(layer, name):
        return HeldValue("nothing")
    value = getattr(layer, name)
    if value is None:
        kind = "None"
    elif name in dict(layer.named_parameters()):
        kind = "parameter" if value.requires_grad else "frozen"
    elif not isinstance(value, torch.Tensor):
        return HeldValue(type(value).__name__)
    else:
        kind = "buffer" if name in dict(layer.named_buffers()) else "tensor"
    return HeldValue(kind, encode(value))


def _step(task: ModuleTask, layer_class: type, inputs: tuple) -> TrainingStep:
    """Note what one training step would not change, with numbers of float32 as in a net."""
    layer, still = task.make(layer_class, *inputs), []
    arguments = [low(value) for value in inputs[: -len(task.parameters)]]
    with quiet():
        try:
            out = layer(*arguments)
            if isinstance(out, torch.Tensor) and out.requires_grad:
                (out + 1).square().sum().backward()
                # What an optimizer would not change; making one takes two seconds, the first time.
                still = [
                    key
                    for key, value in layer.named_parameters()
                    if value.grad is None or not value.grad.any()
                ]
        except (Exception, SystemExit) as error:
            return TrainingStep(encode_raised(error, STEPPING))
    return TrainingStep(None, still)
