"""Build a layer as its user would, for each set of inputs: what it holds."""

import torch
from torch import nn

from helpers.checks.task import ModuleTask
from helpers.checks.task_evidence import HeldValue, Layer
from whygrad.measure.encode import encode, encode_raised
from whygrad.measure.quiet import quiet, reseed, same_settings


def measure_layers(task: ModuleTask, layer_class: type, inputs: list[tuple]) -> list[Layer]:
    """Return what a layer of each size holds."""
    with same_settings(), quiet():
        return [_measure(task, layer_class, each) for each in inputs]


def _measure(task: ModuleTask, layer_class: type, inputs: tuple) -> Layer:
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
