"""Right answers, one file per exercise, and their evidence; only what judges needs them."""

import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from helpers.checks.evidence import measure_task
from helpers.checks.judge_prediction import WRONG
from helpers.checks.measure_slip import measure_slip
from helpers.checks.task import PredictionTask, Slip, Task
from helpers.checks.tasks import find


def reference(task_id: str) -> Any:
    """Return the right answer to a task: a Function, a layer and its Function, or a value.

    Raises:
        LookupError: there is no such task, or its right answer is missing.
    """
    answers = _module(task_id).REFERENCES
    if task_id not in answers:
        raise LookupError(f"{_module(task_id).__name__} has no right answer to {task_id}: add it")
    return answers[task_id]


def slips(task_id: str) -> list[Slip]:
    """Return the wrong answers to a task that are explained, from slips.toml and SLIPS of exNN.py.

    Raises:
        LookupError: there is no such task.
    """
    worked_out = getattr(_module(task_id), "SLIPS", {}).get(task_id, ())
    told = tomllib.loads(Path(__file__).with_name("slips.toml").read_text(encoding="utf-8"))
    return [*worked_out, *(Slip(name=WRONG, **slip) for slip in told.get(task_id, ()))]


@cache
def expected(task_id: str, seed: int, hidden: bool = False) -> dict[str, Any]:
    """Return the evidence of the right answer, measured as an answer is."""
    task = find(task_id)
    found = measure_task(task, handed_over(task, reference(task_id)), seed=seed, hidden=hidden)
    if isinstance(task, PredictionTask):
        found["form"] = {
            "said": task.form,
            "items": list(task.items),
            "parts": list(task.parts),
            "words": list(task.words),
            "carried": task.carried,
        }
    return found


@cache
def with_slips(task_id: str, seed: int, hidden: bool = False) -> dict[str, Any]:
    """Return that evidence, and that of the wrong answers that are explained, as "slips"."""
    task, right = find(task_id), expected(task_id, seed, hidden)
    told = [
        measure_slip(task, handed_over(task, slip.value), right, seed=seed, hidden=hidden)
        | {"name": slip.name, "why": slip.why, "look": slip.look, "item": slip.item}
        for slip in slips(task_id)
    ]
    return {**right, "slips": told}


def handed_over(task: Task, answer: Any) -> tuple:
    """Return what a check would be given of this answer."""
    several = isinstance(answer, tuple) and not isinstance(task, PredictionTask)
    return answer if several else (answer,)


def _module(task_id: str) -> Any:
    name = f"{__name__}.ex{int(find(task_id).id.partition('.')[0]):02d}"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise LookupError(f"there is no {name}, with a right answer to {task_id}: add it") from None
