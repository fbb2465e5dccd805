"""Measure a wrong answer that is known, as far as it takes to know it again."""

from typing import Any

import torch

from helpers.checks.evidence import measure_task, probes, task_call
from helpers.checks.measure_values import measure_values
from helpers.checks.task import FunctionTask, PredictionTask, Slip, Task
from helpers.checks.task_evidence import (
    FunctionEvidence,
    FunctionSlip,
    Measured,
    PredictionEvidence,
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
    task: Task, slip: Slip, right: Measured, *, seed: int, hidden: bool
) -> FunctionSlip | ValuesSlip | PredictionSlip:
    """Return what tells a slip; of a Function, outputs and gradients on as few inputs as show it.

    `right` is the evidence of the right answer. Only of a slip that gives its gradients, the second
    derivatives and the tangents are measured. What `gives` says of a plain function is not
    measured anew.
    """
    about = {"name": slip.name, "why": slip.why, "look": slip.look, "item": slip.item}
    if slip.gives:
        return ValuesSlip(
            **about, trials=measure_values(slip.gives, probes(task, seed, hidden)).trials
        )
    answers = handed_over(task, slip.value)
    if not isinstance(task, FunctionTask):
        found = measure_task(task, answers, seed=seed, hidden=hidden)
        if isinstance(found, PredictionEvidence):
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


def handed_over(task: Task, answer: Any) -> tuple:
    """Return what a check would be given of this answer."""
    several = isinstance(answer, tuple) and not isinstance(task, PredictionTask)
    return answer if several else (answer,)


def _agrees(part: str, trials: list[Trial], right: FunctionEvidence) -> bool:
    """Tell whether a part of some trials is as in those of the right answer."""
    pairs = zip(trials, right.trials, strict=False)
    found = [(getattr(one, part), getattr(other, part)) for one, other in pairs]
    return all(len(one or ()) == len(due or ()) and same(one, due) for one, due in found)
