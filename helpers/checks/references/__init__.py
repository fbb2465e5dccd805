"""Right answers, one file per exercise, and their evidence; only what judges needs them."""

import tomllib
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from helpers.checks.evidence import measure_task
from helpers.checks.judge_prediction import WRONG
from helpers.checks.measure_slip import handed_over, measure_slip
from helpers.checks.task import FunctionTask, PredictionTask, Slip
from helpers.checks.task_evidence import Form, Measured
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
    """Return the wrong answers to a task that are explained, from exNN.toml and SLIPS of exNN.py.

    The first has predictions: what was predicted, and a sentence that says why it is wrong and not
    what is right. With `item`, it is about one of the values, called as the task's `items` and
    `parts` call it ("… (second)" is that of any of them), or about each of a list of them; without,
    about the whole prediction. The second has Functions, layers and plain functions.

    Raises:
        LookupError: there is no such task.
    """
    module = _module(task_id)
    worked_out = getattr(module, "SLIPS", {}).get(task_id, ())
    file = Path(module.__file__).with_suffix(".toml")
    told = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    predicted = (
        Slip(name=WRONG, **slip | {"item": item})
        for slip in told.get(task_id, ())
        for item in _items(slip.get("item", ""))
    )
    return [*worked_out, *predicted]


@cache
def expected(task_id: str, seed: int, hidden: bool = False) -> Measured:
    """Return the evidence of the right answer, measured as an answer is."""
    task = find(task_id)
    found = measure_task(task, handed_over(task, reference(task_id)), seed=seed, hidden=hidden)
    if isinstance(task, PredictionTask):
        lists = map(list, (task.items, task.parts, task.words))
        return replace(found, form=Form(task.form, *lists, task.carried, task.shapes))
    if isinstance(task, FunctionTask):
        return replace(found, intended=task.intended)
    return found


@cache
def with_slips(task_id: str, seed: int, hidden: bool = False) -> Measured:
    """Return that evidence, and that of the wrong answers that are explained, as "slips"."""
    task, right = find(task_id), expected(task_id, seed, hidden)
    told = [measure_slip(task, slip, right, seed=seed, hidden=hidden) for slip in slips(task_id)]
    return replace(right, slips=told)


def _items(item: str | list[str]) -> list[str]:
    return [item] if isinstance(item, str) else item


def _module(task_id: str) -> Any:
    name = f"{__name__}.ex{int(find(task_id).id.partition('.')[0]):02d}"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise LookupError(f"there is no {name}, with a right answer to {task_id}: add it") from None
