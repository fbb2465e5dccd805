"""Measure what a Function does in forward mode and under `torch.vmap`, where it says how."""

from collections.abc import Sequence

from whygrad.evidence import Trial
from whygrad.measure.applied import applied_functions, has_own
from whygrad.measure.batched import batched, has_rule
from whygrad.measure.encode import misspelt
from whygrad.measure.forward_mode import forward_mode
from whygrad.measure.run_once import Call
from whygrad.measure.trial import Probe, in_time

_CLOSE = 0.65  # so alike are a name and a misspelt one at least


def try_other_modes(base: Trial, call: Call, probes: Sequence[Probe], seed: int) -> None:
    """Measure `jvp` and `vmap` of the Functions that are applied, if they have any.

    Args:
        base: what came of the first inputs; what is measured is added to it.
        call: the callable to look at.
        probes: what it is tried with, the first one as its author gave it.
        seed: for tangents and incoming gradients.
    """
    first = applied_functions(call, probes[0].inputs)
    if dual := [application for application in first if has_own(application[0], "jvp")]:
        base.jvp = forward_mode(dual, seed)
    if ruled := [application for application in first if has_rule(application[0])]:
        # The items of a batch are inputs of one kind; those of another shape make one of their own.
        with in_time(call) as stoppable:
            others = [
                dict(applied_functions(stoppable, probe.inputs))
                for probe in probes[1:]
                if probe.law in ("", "fixed-size")
            ]
        each = [
            (kind, [given, *(other[kind] for other in others if kind in other)])
            for kind, given in ruled
        ]
        base.vmap = batched(each, seed)
    else:
        rules = ("generate_vmap_rule", "vmap")
        names = (misspelt(kind, rule, _CLOSE) for kind, _ in first for rule in rules)
        base.like_a_rule = next(filter(None, names), "")
