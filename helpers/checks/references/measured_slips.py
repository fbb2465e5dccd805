"""Measure a wrong answer that is known, as far as it takes to know it again."""

import torch

from helpers.checks.evidence import measure_task, probes, task_call
from helpers.checks.references.slips import Slip
from helpers.checks.task import FunctionTask, PredictionTask, Task
from helpers.checks.task_evidence import (
    FunctionEvidence,
    FunctionSlip,
    Measured,
    PredictionSlip,
    ValuesSlip,
)
from whygrad.evidence import Trial
from whygrad.judge.arrays import same
from whygrad.measure.applied import applied_functions
from whygrad.measure.double_backward import second_order
from whygrad.measure.forward_mode import forward_mode
from whygrad.measure.quiet import default_dtype, same_settings
from whygrad.measure.trial import try_once
from whygrad.measure.watch import installed

_TRIED = 2  # the first inputs, and others of the same sizes


@default_dtype(torch.float32)
def measure_slip(
    task: Task, slip: Slip, answers: tuple, right: Measured, *, seed: int, hidden: bool
) -> FunctionSlip | ValuesSlip | PredictionSlip:
    """Return what tells a slip; of a Function, outputs and gradients on as few inputs as show it.

    `answers` make the mistake, and `right` is the evidence of the right answer. Only of a slip that
    gives its gradients, the second derivatives and the tangents are measured.
    """
    about = {"name": slip.name, "why": slip.why, "look": slip.look, "item": slip.item}
    if slip.seen:
        return ValuesSlip(**about, seen=slip.seen)
    if not isinstance(task, FunctionTask):
        found = measure_task(task, answers, seed=seed, hidden=hidden)
        if isinstance(task, PredictionTask):
            return PredictionSlip(**about, value=found.value)
        return ValuesSlip(**about, trials=found.trials)
    call, tried = task_call(task, answers), probes(task, seed, hidden)
    with same_settings(), installed():
        trials = [try_once(call, probe, seed)[0] for probe in tried[:_TRIED]]
        if task.order == 2 and _agrees("grads", trials, right):
            trials[0].second = second_order(call, tried[0].inputs, seed, False)
        if all(_agrees(part, trials, right) for part in ("grads", "outputs")):
            # Its mistake may show on other inputs alone.
            trials += [try_once(call, probe, seed)[0] for probe in tried[_TRIED:]]
            if "jvp" in task.modes:
                trials[0].jvp = forward_mode(applied_functions(call, tried[0].inputs), seed)
    return FunctionSlip(**about, trials=trials)


def _agrees(part: str, trials: list[Trial], right: FunctionEvidence) -> bool:
    """Tell whether a part of some trials is as in those of the right answer."""
    pairs = zip(trials, right.trials, strict=False)
    found = [(getattr(one, part), getattr(other, part)) for one, other in pairs]
    return all(len(one or ()) == len(due or ()) and same(one, due) for one, due in found)
