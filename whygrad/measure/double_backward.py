"""Measure a double backward: the derivatives of the gradients."""

from collections.abc import Sequence
from typing import Any

import torch

from whygrad.evidence import Trial
from whygrad.evidence.second_order import Second, SecondRun
from whygrad.measure.encode import encode_all, encode_raised, rounded
from whygrad.measure.first_backward import FirstBackward, drawn
from whygrad.measure.gradient_ways import called, copies, ways
from whygrad.measure.quiet import quiet
from whygrad.measure.run_facts import around, nodes
from whygrad.measure.run_once import Call, Run, forward, is_wanted, leaf
from whygrad.measure.trial import Probe
from whygrad.measure.watch import watching
from whygrad.torch_private import gradients


def second_order(call: Call, inputs: tuple, seed: int, differences: bool) -> Second:
    """Differentiate `(weights * grads).sum()` with respect to the inputs and to `grad_output`.

    Both are done with an incoming gradient that requires a gradient itself, and once more with one
    that does not, as `.sum().backward(create_graph=True)` has it; and with other numbers for the
    incoming gradient, and for the weights, which the double backward gets as incoming gradients.

    With `differences`, also by finite differences of the first backward: `numerical`, and, only
    where these are not what the double backward gave, with other numbers for the incoming gradient.
    """
    tracked, blocks = _with_blocks(call, inputs, seed, tracked=True)
    elsewhere, others = _with_blocks(call, inputs, seed, tracked=True, incoming=1)
    result = Second(
        tracked=tracked,
        constant=_second(call, inputs, seed, tracked=False),
        other_incoming=elsewhere,
        other_weights=_second(call, inputs, seed, tracked=True, weights=1),
    )
    if differences:
        result.numerical, found = FirstBackward(call, inputs, seed).numerical(blocks)
        if not found.matrices or any(matrix is not None for matrix in found.matrices):
            other = FirstBackward(call, inputs, seed, incoming=1)
            result.numerical_other_incoming, _ = other.numerical(others)
            result.noise = rounded(max([*found.noise, 0.0]))
            result.noise_from = found.reason
    return result


def second_order_elsewhere(
    call: Call, probes: Sequence[Probe], trials: Sequence[Trial], seed: int
) -> None:
    """Do it once more on inputs other than the first; add it to the trials.

    Args:
        call: the callable to look at.
        probes: these inputs.
        trials: what came of them.
        seed: as above.
    """
    for probe, trial in zip(probes, trials, strict=True):
        if not (trial.raised or trial.odd or probe.default_dtype):
            trial.second = Second(_second(call, probe.inputs, seed, tracked=True))


def _second(call: Call, inputs: tuple, seed: int, **options: Any) -> SecondRun:
    return _with_blocks(call, inputs, seed, **options)[0]


def _with_blocks(
    call: Call,
    inputs: tuple,
    seed: int,
    tracked: bool,
    incoming: int = 0,
    weights: int = 0,
) -> tuple[SecondRun, list[list[torch.Tensor | None]] | None]:
    """Return the facts about a double backward, and for each gradient its derivatives."""
    run = forward(call, inputs)
    if not run.outputs:
        return SecondRun(run.raised), None
    first, by = drawn(run, seed + incoming)[0], drawn(run, seed + weights)[1]
    grads_out = [leaf(grad, tracked) for grad in first]
    asked = [*run.leaves, *grads_out] if tracked else run.leaves
    with quiet(), watching() as watch:
        try:
            grads = gradients(run.tracked, run.leaves, grads_out, create_graph=True)
        except (Exception, SystemExit) as error:
            raised = encode_raised(error, "backward with create_graph=True")
            return SecondRun(raised), None
        facts = SecondRun(
            requires_grad=[grad is not None and grad.requires_grad for grad in grads],
            ways=ways(run, grads, [*run.leaves, *grads_out]),
            copies=_copies(call, inputs, run),
            called=called(watch, [*run.leaves, *grads_out]),
            grad_outputs=encode_all(first),
            around=around(run, nodes(run.outputs)),
        )
        try:
            blocks = [
                _weighted(grad, weight, asked) for grad, weight in zip(grads, by, strict=True)
            ]
        except (Exception, SystemExit) as error:
            facts.raised = encode_raised(error, "second backward")
            return facts, None
    split = len(run.leaves)
    facts.autograd = sorted(watch.autograd)
    facts.for_inputs = [encode_all(block[:split]) for block in blocks]
    facts.for_grad_output = [encode_all(block[split:]) for block in blocks]
    return facts, blocks


def _copies(call: Call, inputs: tuple, run: Run) -> list[int | None]:
    """Return what `copies` tells of a run, without what is equal there by accident."""
    found = copies(run)
    if not found:
        return []
    others = [1.25 * value + 0.01 if is_wanted(value) else value for value in inputs]
    again = forward(call, others)
    return [each for each in found if each in copies(again)] if again.outputs else found


def _weighted(grad, weight, asked) -> list[torch.Tensor | None]:
    """The derivatives of one gradient, weighted with fixed numbers."""
    if grad is None or not grad.requires_grad:
        return [None for _ in asked]
    return gradients((grad,), asked, (weight,))
