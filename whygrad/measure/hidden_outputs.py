"""Measure the outputs of a Function that its caller does not hand on: their gradients, too."""

from collections.abc import Callable
from typing import Any

import torch

from whygrad.evidence.second_order import HiddenOutput
from whygrad.measure.applied import positional
from whygrad.measure.encode import encode, encode_all
from whygrad.measure.finite_differences import jacobians
from whygrad.measure.reals import count, reals, shape_of
from whygrad.measure.run_once import Call, Run, forward, items
from whygrad.sample import Sample
from whygrad.torch_private import gradients

_Place = tuple[int, int]  # which call of a Function, and which of its outputs


def hidden_outputs(call: Call, inputs: tuple, seed: int) -> list[HiddenOutput]:
    """Return, for each hidden output, its gradients and what they should be.

    Intermediates that a Function returns beside its result are such outputs: backward gets an
    incoming gradient for each, in a second backward at the latest.
    """
    run = forward(call, inputs)
    hidden = _hidden(run)
    if not hidden or not run.outputs:
        return []

    def of_these(*values: torch.Tensor) -> tuple[torch.Tensor, ...]:
        made = forward(call, values).made
        return tuple(items(made[number][1])[place] for number, place in hidden)

    matrices = jacobians(of_these, run.inputs, run.wanted)
    sizes = [count(out) for out in hidden.values()]
    blocks = [matrix.split(sizes) for matrix in matrices]
    found = []
    for index, ((number, place), out) in enumerate(hidden.items()):
        function = run.made[number][0]
        # Other numbers than the inputs: along x itself, x divided by its length does not change.
        incoming = Sample(seed + 3000).like(out)
        flat = reals(incoming).cpu()
        found.append(
            HiddenOutput(
                name=_name(function, place),
                function=function.__name__,
                value=encode(out),
                grads=encode_all(_gradients(out, run, incoming)),
                numerical=[
                    encode((block[index].T @ flat).reshape(shape_of(leaf)))
                    for block, leaf in zip(blocks, run.leaves, strict=True)
                ]
                if blocks
                else None,
            )
        )
    return found


def _hidden(run: Run) -> dict[_Place, torch.Tensor]:
    found = {}
    for number, (_, result) in enumerate(run.made):
        outputs = items(result)
        for place, out in enumerate(outputs if len(outputs) > 1 else ()):
            tracked = isinstance(out, torch.Tensor) and out.requires_grad
            if tracked and not any(out is shown for shown in run.outputs):
                found[number, place] = out
    return found


def _gradients(out: torch.Tensor, run: Run, incoming: torch.Tensor) -> list[Any] | None:
    try:
        return gradients([out], run.leaves, [incoming])
    except (Exception, SystemExit):
        return None


def _name(function: Callable, place: int) -> str:
    """What backward calls the incoming gradient of an output."""
    for number, parameter in enumerate(positional(function.backward)[1 : place + 2]):
        if parameter.kind is parameter.VAR_POSITIONAL:
            return f"{parameter.name}[{place - number}]"
        if number == place:
            return parameter.name
    return f"the incoming gradient of output [{place}]"
