"""Measure a callable with large inputs or outputs: facts on these, numbers along directions."""

from collections.abc import Sequence
from dataclasses import replace
from time import process_time
from typing import Any

import torch

from whygrad.evidence import Evidence, Sampled, Trial, Value
from whygrad.measure.applied import has_own
from whygrad.measure.batched import has_rule
from whygrad.measure.closely import elsewhere, expanded, look_closely, measure_function
from whygrad.measure.encode import brief
from whygrad.measure.kinks import at_kinks, commonest
from whygrad.measure.quiet import same_settings
from whygrad.measure.reduced import Reduced, is_large
from whygrad.measure.run_once import Call, Holding, constant_places, forward
from whygrad.measure.trial import LEAST, TIMES, Probe, in_time, spread, try_once
from whygrad.measure.watch import installed

# What is read off the real tensors; all numbers are those along the directions.
_FACTS = (
    *("odd", "applied", "packed", "changed_in_forward", "changed", "grad_output_changed"),
    *("outputs_changed", "custom", "around", "keeps", "tensors_on_ctx", "shares", "returned"),
    *("autograd", "lists", "lines"),
)
_LEFT = ("fixed-size", "needs-bias")  # each such probe costs many calls
_NOT_MOVED = "along directions, the code raised an exception that it does not raise otherwise"
_WRONG_AT_FIRST = "with the first numbers the gradients are wrong already, or not known"
_PASS_SMALL = "the inputs or outputs are large: pass small inputs to have it looked at"


def measure(
    call: Call, probes: Sequence[Probe], *, order: int = 1, differences: bool = False, **few: Any
) -> Evidence:
    """Return what `measure_function` does, or what takes its place where there are many numbers.

    Beyond 512 numbers no Jacobian is measured: the callable is looked at along a few directions
    that move all numbers, in a few weighted sums of its outputs. `sampled` says so of each input.
    """
    with same_settings(), installed():
        start = process_time()
        outputs = forward(call, probes[0].inputs).outputs
        seconds = max(LEAST, TIMES * (process_time() - start))
    call = Holding(call, constant_places(call), seconds)
    if not is_large(call, probes[0].inputs, outputs):
        return measure_function(call, probes, order=order, differences=differences, **few)
    with same_settings(), installed(), brief():
        return _measure_largely(call, probes, order, differences)


def _measure_largely(
    call: Call, probes: Sequence[Probe], order: int, differences: bool
) -> Evidence:
    base = probes[0]
    real, run = try_once(call, base, 0)
    trials, left = [real], _left_out(run.applied)
    is_tried = not (real.raised or real.odd)
    still = at_kinks(call, base.inputs) if is_tried and differences else {}
    small = Reduced(call, base.inputs, still=still)
    if is_tried:
        found = look_closely(*_along(call, base, small), order, 0, differences)
        if found.raised:
            return Evidence(order, trials, left_out={"first order": _NOT_MOVED})
        found.expanded = expanded(call, base.inputs)
        trials = [_with_facts(found, real)]
        if differences and found.numerical != found.jacobian:
            differences = False  # what is wrong is known, and each further slope costs calls
            left["other numbers"] = _WRONG_AT_FIRST
        others = [probe for probe in probes[1:] if probe.law not in _LEFT]
        others.append(spread(base.inputs))
        with in_time(call) as stoppable:
            trials += [_try(stoppable, probe, differences, still) for probe in others]
    sampled = [
        Sampled(
            place,
            count,
            base.inputs[place].numel(),
            int(still[place].sum() if place in still else 0),
        )
        for place, count in small.directions.items()
    ]
    return Evidence(order, trials, sampled=sampled, left_out=left)


def _left_out(applied: Sequence[type]) -> dict[str, str]:
    methods = {
        "jvp": any(has_own(kind, "jvp") for kind in applied),
        "vmap": any(map(has_rule, applied)),
    }
    there = [name for name, is_there in methods.items() if is_there]
    return dict.fromkeys(("other sizes", *there), _PASS_SMALL)


def _try(call: Call, probe: Probe, differences: bool, still: dict[int, torch.Tensor]) -> Trial:
    real, _ = try_once(call, probe, 0)
    if real.raised or real.odd or probe.law == "fails-on-empty":
        return real
    if probe.law == "" and still:
        still = {p: mask for p, mask in commonest(call, probe.inputs).items() if p in still}
    small = Reduced(call, probe.inputs, probe.law == "needs-contiguous", still)
    found = elsewhere(*_along(call, probe, small), 0, differences)
    return real if found.raised else _with_facts(found, real)


def _along(call: Call, probe: Probe, small: Reduced) -> tuple[Call, Probe]:
    """Return the small callable and its inputs, as what is looked at in the place of both."""
    return Holding(small, constant_places(call)), Probe(probe.name, probe.law, small.inputs)


def _with_facts(found: Trial, real: Trial) -> Trial:
    """Put together the numbers along directions and the facts about the real tensors."""
    facts = {name: getattr(real, name) for name in _FACTS}
    for name in ("inputs", "outputs"):
        facts[name] = [*map(_with_whole, getattr(found, name), getattr(real, name))]
    return replace(found, values=None, **facts)


def _with_whole(small: Value, real: Value) -> Value:
    if real.shape is None:
        return real
    # Along directions, complex numbers are taken apart into real ones.
    dtype = small.dtype if real.dtype.startswith("complex") else real.dtype
    return replace(small, dtype=dtype, whole=real.shape)
