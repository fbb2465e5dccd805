"""Try the forward of a Function whose backward raises: it may be right all the same."""

from collections.abc import Sequence
from typing import Any

from whygrad.measure.operations import operations
from whygrad.measure.quiet import same_settings
from whygrad.measure.run_once import Call
from whygrad.measure.trial import Probe, strided, try_once
from whygrad.measure.watch import installed


def measure_forwards(call: Call, probes: Sequence[Probe], seed: int) -> dict[str, Any]:
    """Return what forward does on all inputs, and on the first ones once more, as JSON data."""
    first, *others = probes
    spread = Probe("non-contiguous tensors", "needs-contiguous", strided(first.inputs))
    with same_settings(), installed():
        trials = [try_once(call, probe, seed)[0] for probe in (*others, spread)]
        again, _ = try_once(call, first, seed)
        ran = operations(call, first.inputs, seed)
    return {"trials": trials, "again": again, "operations of forward": sorted(ran.in_forward)}
