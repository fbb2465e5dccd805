"""Try a callable on one set of inputs: a forward, a backward, and what both did."""

from dataclasses import dataclass
from typing import Any

import torch

from whygrad.measure.differences import jacobians
from whygrad.measure.encode import encode
from whygrad.measure.graph import custom, nodes
from whygrad.measure.keeps import kept
from whygrad.measure.layout import strided
from whygrad.measure.run import (
    Call,
    Run,
    backward,
    forward,
    grad_output_changed,
    returned,
    shares_memory,
)
from whygrad.sample import Sample


@dataclass(frozen=True)
class Probe:
    """One set of inputs to try a callable with.

    Attributes:
        name: says what is tried: "base" (measured closely), or such as "a batch of 5".
        law: the name of the mistake if only this one fails, such as "fixed-size".
        inputs: the arguments.
    """

    name: str
    law: str
    inputs: tuple


def try_once(
    call: Call, probe: Probe, seed: int, differences: bool, loud: bool = False
) -> tuple[dict[str, Any], Run]:
    """Return what a callable does on one set of inputs, as JSON data, and the run itself."""
    run = forward(call, probe.inputs, loud=loud)
    trial: dict[str, Any] = {
        "name": probe.name,
        "law": probe.law,
        "inputs": [about(value) for value in run.inputs],
        "wanted": list(run.wanted),
        "outputs": [encode(out) for out in run.outputs],
        "odd": run.odd,
        "applied": len(run.applied),
        "changed in forward": run.changed,
        "raised": run.raised,
    }
    if run.raised or run.odd:
        return trial, run
    trial["custom"] = [node.name() for node in custom(nodes(run.outputs))]
    trial["keeps"] = kept(run)
    trial["requires_grad"] = [out.requires_grad for out in run.outputs]
    trial["shares"] = shares_memory(run)
    (grads,) = grad_outputs(run, seed)
    if probe.law == "needs-contiguous":
        grads = list(strided(grads))
    trial["grad_outputs"] = [encode(grad) for grad in grads]
    found = backward(run, [grad.clone() for grad in grads], loud=loud)
    trial |= {
        "raised": run.raised,
        "grads": found and [encode(grad) for grad in found],
        "returned": returned(run),
        "changed": run.changed,
        "grad_output changed": grad_output_changed(run),
    }
    if differences:
        trial["numerical"] = [encode(j) for j in jacobians(call, run.inputs, run.wanted)]
    return trial, run


def grad_outputs(run: Run, seed: int, count: int = 1) -> list[list[torch.Tensor]]:
    """Return `count` times incoming gradients for the outputs of a run."""
    sample = Sample(seed + 1000)  # other numbers than the inputs
    return [[sample.normal(*out.shape).to(out.dtype) for out in run.floats] for _ in range(count)]


def about(value: Any) -> dict[str, Any]:
    """Return the shape and dtype of an argument; a plain value, or its type, if it is no tensor."""
    if not isinstance(value, torch.Tensor):
        plain = value is None or isinstance(value, bool | int | float | str)
        return {"value": repr(value)[:80]} if plain else {"type": type(value).__name__}
    return {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch.")}
