"""Make the evidence of an answer: what was measured, without a verdict on it."""

from typing import Any

from helpers.checks.run_task import measure_task
from helpers.checks.task import ModuleTask, PredictionTask, Task, ValuesTask
from whygrad.diagnosis import Finding


def evidence_of(
    task: Task, answers: tuple, *, seed: int, hidden: bool = False
) -> tuple[dict[str, Any], Finding | None]:
    """Run an answer on seeded inputs.

    Args:
        task: which task.
        answers: what was handed to its check.
        seed: for inputs and incoming gradients.
        hidden: other sizes, and the inputs of the hidden check.

    Returns:
        The evidence as JSON data; and the reason if the answer cannot be run at all, in which case
        `measured` is None.
    """
    answers = tuple(answers) or (None,)
    early = _unusable(task, answers)
    if early:
        return {"task": task.id, "seed": seed, "measured": None}, early
    measured = measure_task(task, answers, seed=seed, hidden=hidden)
    return {"task": task.id, "seed": seed, "measured": measured}, None


def _unusable(task: Task, answers: tuple) -> Finding | None:
    """Say what is wrong with something that cannot be run at all."""
    first = answers[0]
    if isinstance(task, PredictionTask):
        return None
    if first is ... or first is None:
        return Finding("not-started")
    instead = f"not something of type {type(first).__name__}."
    if isinstance(task, ModuleTask):
        if not isinstance(first, type):
            return Finding("raises", "", f"Hand over the class of the layer, {instead}")
        return None
    if callable(first):
        return None
    if isinstance(task, ValuesTask):
        return Finding("raises", "", f"Hand over the function itself, {instead}")
    return Finding("not-a-function", "", f"Hand over the Function itself, {instead}")
