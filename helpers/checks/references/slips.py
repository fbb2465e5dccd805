"""Known mistakes, read from exNN.toml: an edit of a right answer, a wrong value, or a text.

No edit is in a release or in the sandbox, since it holds lines of the answer.
"""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from helpers.checks.evidence import measure_task, probes, task_call
from helpers.checks.predictions import WRONG
from helpers.checks.task import FunctionTask, PredictionTask, Task
from helpers.checks.task_evidence import (
    FunctionEvidence,
    FunctionSlip,
    Measured,
    PredictionSlip,
    Told,
    ValuesSlip,
    said_of,
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


@dataclass(frozen=True, kw_only=True)
class Slip:
    """A wrong answer that has a reason; it is told by one of `edit`, `value` and `seen`.

    Attributes:
        name: of the mistake.
        why: what is behind it, a sentence or two for the student; it does not tell the answer.
        look: what to do, if there is something better than the mistake's own advice.
        edit: an old text of the right answer, the new one, and so on in pairs.
        of: the names of what is edited in exNN.py, if that is more than the task's answer, or
            another right one; what is handed over comes first.
        value: a wrong prediction. A row of a prediction without one is a hint: it is said of every
            wrong value of its item that has no row.
        seen: part of the text that stands in place of the first wrong value, or of what was raised.
        item: the value that `value` or `seen` stands for, as the task calls it; in a prediction
            "… (second)" is that of any of its items, "" the whole.
    """

    name: str = WRONG
    why: str
    look: str = ""
    edit: Sequence[str] = ()
    of: str = ""
    value: Any = None
    seen: str = ""
    item: str = ""


def read_slips(rows: Sequence[dict[str, Any]]) -> list[Slip]:
    """Return known mistakes; a row about several items is one for each of them.

    Raises:
        TypeError: a row has a key that a slip has not, or lacks one.
    """
    return [Slip(**{**row, "item": item}) for row in rows for item in _items(row.get("item", ""))]


def edited(answers: Sequence[Any], slip: Slip) -> tuple:
    """Return right answers with the edits of a slip carried out in their source.

    Raises:
        ValueError: an old text stands nowhere in it, or more than once.
    """
    source = "\n\n".join(inspect.getsource(answer) for answer in answers)
    for old, new in zip(slip.edit[::2], slip.edit[1::2], strict=True):
        if source.count(old) != 1:
            raise ValueError(f"edit: {old!r} stands {source.count(old)} times in the right answer")
        source = source.replace(old, new)
    names = dict(vars(inspect.getmodule(answers[0])))
    # Named as code of ours, it is never quoted by a report.
    exec(compile(source, __file__, "exec"), names)
    return tuple(names[answer.__name__] for answer in answers)


def _items(item: str | list[str]) -> list[str]:
    return [item] if isinstance(item, str) else item


@default_dtype(torch.float32)
def measure_slip(
    task: Task, slip: Slip, answers: tuple, right: Measured, *, seed: int, hidden: bool
) -> FunctionSlip | ValuesSlip | PredictionSlip:
    """Return what tells a slip; of a Function, outputs and gradients on as few inputs as show it.

    `answers` make the mistake, and `right` is the evidence of the right answer. Only of a slip that
    gives its gradients, the second derivatives and the tangents are measured.
    """
    about = said_of(slip, Told)
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
