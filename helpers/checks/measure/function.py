"""Measure a custom Function: values, gradients and facts, as the evidence that a judge needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from helpers.checks.measure.differences import jacobians
from helpers.checks.measure.encode import encode
from helpers.checks.measure.graph import custom, nodes
from helpers.checks.measure.keeps import kept
from helpers.checks.measure.layout import strided
from helpers.checks.measure.quiet import same_settings
from helpers.checks.measure.run import (
    Call,
    Run,
    backward,
    forward,
    grad_output_changed,
    is_wanted,
    returned,
    shares_memory,
)
from helpers.checks.measure.second import second_order
from helpers.checks.sample import Sample

_MOST_ROWS = 48  # of a Jacobian that is measured whole


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
        trials = [_closely(call, probes[0], order, seed, differences, functions)]
        if not trials[0].get("raised"):
            spread = Probe("non-contiguous tensors", "needs-contiguous", strided(probes[0].inputs))
            trials += [_trial(call, probe, seed, differences)[0] for probe in [*probes[1:], spread]]
    return {"order": order, "trials": trials}


def _grad_outputs(run: Run, seed: int, count: int = 1) -> list[list[torch.Tensor]]:
    sample = Sample(seed + 1000)  # other numbers than the inputs
    return [[sample.normal(*out.shape).to(out.dtype) for out in run.floats] for _ in range(count)]


def _trial(
    call: Call, probe: Probe, seed: int, differences: bool, loud: bool = False
) -> tuple[dict[str, Any], Run]:
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
    (grads,) = _grad_outputs(run, seed)
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


def about(value: Any) -> dict[str, Any]:
    """Return the shape and dtype of an argument; a plain value, or its type, if it is no tensor."""
    if not isinstance(value, torch.Tensor):
        plain = value is None or isinstance(value, bool | int | float | str)
        return {"value": repr(value)[:80]} if plain else {"type": type(value).__name__}
    return {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch.")}


def _closely(
    call: Call,
    probe: Probe,
    order: int,
    seed: int,
    differences: bool,
    functions: tuple[type, ...],
) -> dict[str, Any]:
    trial, run = _trial(call, probe, seed, differences, loud=True)
    if run.outputs:
        trial["uses"] = _uses(run, functions)
    if trial["raised"] or run.odd or not any(trial["requires_grad"]):
        return trial
    trial["probes"] = _linear_probes(run, seed)
    trial["jacobian"] = _jacobian(run)
    trial["repeats"] = _repeats(call, probe.inputs, seed)
    trial["alone"] = [_alone(call, probe.inputs, place, seed) for place in run.wanted]
    trial["expanded"] = _expanded(call, probe.inputs)
    trial["outputs alone"] = _outputs_alone(run, seed)
    if order == 2:
        trial["second"] = second_order(call, probe.inputs, seed, differences)
    return trial


def _uses(run: Run, functions: tuple[type, ...]) -> bool | None:
    """Tell whether one of the Functions is in the graph; or, without a graph, was applied."""
    if not functions:
        return None
    if any(out.requires_grad for out in run.outputs):
        found = [node._forward_cls for node in custom(nodes(run.outputs))]
    else:
        found = run.applied
    return any(issubclass(kind, functions) for kind in found)


def _linear_probes(run: Run, seed: int) -> dict[str, Any]:
    """Gradients for incoming gradients that tell a linear map from another one."""
    first, second = _grad_outputs(run, seed, 2)
    tried = {
        "first": first,
        "second": second,
        "sum": [a + b for a, b in zip(first, second, strict=True)],
        "large": [1000 * a for a in first],
        "small": [a / 1000 for a in first],
        "negative": [-a for a in first],
        "ones": [torch.ones_like(a) for a in first],
        "zeros": [torch.zeros_like(a) for a in first],
    }
    return {name: _gradients(run, grads) for name, grads in tried.items()}


def _gradients(run: Run, grads: list[torch.Tensor], seed: int | None = None) -> dict[str, Any]:
    found = backward(run, [grad.clone() for grad in grads], seed=seed)
    encoded = found and [encode(grad) for grad in found]
    return {"grad_outputs": [encode(grad) for grad in grads], "grads": encoded}


def _jacobian(run: Run) -> list[Any] | None:
    """Gradients for each unit vector as incoming gradient: per input, one row per output."""
    sizes = [out.numel() for out in run.floats]
    if not 0 < sum(sizes) <= _MOST_ROWS:
        return None
    rows: list[list[torch.Tensor]] = [[] for _ in run.wanted]
    for which, size in enumerate(sizes):
        for place in range(size):
            units = [torch.zeros(out.shape, dtype=out.dtype) for out in run.floats]
            units[which].view(-1)[place] = 1
            found = backward(run, units)
            if found is None:
                return None
            for row, grad, leaf in zip(rows, found, run.leaves, strict=True):
                row.append(torch.zeros_like(leaf) if grad is None else grad)
    return [encode(torch.stack(row).reshape(len(row), -1)) for row in rows]


def _outputs_alone(run: Run, seed: int) -> list[dict[str, Any]]:
    """The gradients when only one of several outputs is used."""
    if len(run.floats) < 2:
        return []
    (grads,) = _grad_outputs(run, seed)
    found = []
    for place, out in enumerate(run.floats):
        if out.requires_grad:
            one = backward(run, [g if p == place else None for p, g in enumerate(grads)])
            found.append(
                {
                    "output": place,
                    "grads": one and [encode(grad) for grad in one],
                    "raised": run.raised,
                }
            )
            run.raised = None
    return found


def _repeats(call: Call, inputs: tuple, seed: int) -> dict[str, Any]:
    """The same gradients again: from one graph twice, anew, and with another call in between."""
    once = forward(call, inputs)
    anew = forward(call, inputs)
    reseeded = forward(call, inputs, seed=1)
    # The last forward before the backwards has other numbers: what it leaves behind would show.
    other = forward(call, tuple(_turned(value) for value in inputs))
    if once.raised or anew.raised or reseeded.raised or not once.outputs:
        return {"raised": once.raised or anew.raised or reseeded.raised}
    (grads,) = _grad_outputs(once, seed)
    if other.outputs and not other.raised:
        _gradients(other, _grad_outputs(other, seed + 1)[0])
    return {
        "first": _gradients(once, grads, seed=0)["grads"],
        "second": _gradients(once, grads, seed=0)["grads"],
        "reseeded backward": _gradients(once, grads, seed=1)["grads"],
        "anew": _gradients(anew, grads, seed=0)["grads"],
        "anew outputs": [encode(out) for out in anew.outputs],
        "reseeded outputs": [encode(out) for out in reseeded.outputs],
        "raised": once.raised or anew.raised,
        "other raised": other.raised is not None,
    }


def _turned(value: Any) -> Any:
    """Other numbers from the same range: the same ones in the opposite order."""
    if not is_wanted(value) or value.dim() == 0:
        return value
    return value.reshape(-1).flip(0).reshape(value.shape)


def _alone(call: Call, inputs: tuple, place: int, seed: int) -> dict[str, Any]:
    """The gradient of one input when no other requires one."""
    run = forward(call, inputs, only=place)
    if run.raised or not run.outputs:
        return {"input": place, "raised": run.raised, "grad": None}
    found = backward(run, _grad_outputs(run, seed)[0])
    return {"input": place, "raised": run.raised, "grad": found and encode(found[0])}


def _expanded(call: Call, inputs: tuple) -> dict[str, Any]:
    """The gradients as `.sum()` brings them: all elements of the incoming gradient are one."""
    run = forward(call, inputs)
    if run.raised or not run.outputs:
        return {"raised": run.raised, "grads": None, "grad_output changed": False}
    ones = [torch.ones((), dtype=out.dtype).expand(out.shape) for out in run.floats]
    found = backward(run, ones)
    return {
        "raised": run.raised,
        "grads": found and [encode(grad) for grad in found],
        "grad_output changed": grad_output_changed(run),
    }
