"""Run trials once more, and log what each line of their Functions does.

What is measured is known by then, so that no log can change a number.
"""

from collections.abc import Sequence
from contextlib import suppress

from whygrad.evidence import Evidence, Trial
from whygrad.lines.step import Step
from whygrad.measure.first_backward import drawn
from whygrad.measure.quiet import default_dtype, quiet
from whygrad.measure.run_once import Call, backward, forward, leaf
from whygrad.measure.trial import Probe, grad_outputs
from whygrad.measure.watch import installed, watching
from whygrad.torch_private import gradients


def log_lines(call: Call, probes: Sequence[Probe], evidence: Evidence, seed: int = 0) -> None:
    """Add the lines to evidence: of the first trial, and where dtypes or infinite numbers show."""
    with installed():
        named = {probe.name: probe for probe in probes}
        for trial in evidence.trials:
            probe = named.get(trial.name)
            if probe is None:
                continue
            if trial is evidence.base or probe.law == "wrong-dtype" or _is_infinite(trial):
                trial.lines = _logged(call, probe, seed)
        if (base := evidence.base).second:
            base.second.tracked.lines = _logged(call, probes[0], seed, create_graph=True)


def _is_infinite(trial: Trial) -> bool:
    numbers = [*trial.outputs, *(trial.grads or ())]
    return any(one and {"nan", "inf", "-inf"} & {*one.data.split()} for one in numbers)


def _logged(call: Call, probe: Probe, seed: int, *, create_graph: bool = False) -> list[Step]:
    with default_dtype(probe.default_dtype):
        run = forward(call, probe.inputs, seed=seed, log_lines=True)
        if not create_graph:
            backward(run, grad_outputs(run, seed)[0])
        elif run.tracked:
            grads = map(leaf, drawn(run, seed)[0])
            with quiet(), watching(log=run.log), suppress(Exception, SystemExit):
                gradients(run.tracked, run.leaves, [*grads], create_graph=True)
    return run.log.steps()
