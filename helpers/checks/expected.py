"""Make the evidence of right answers: what an answer's own evidence is held against."""

from functools import cache
from typing import Any

from helpers.checks.references import reference, slips
from helpers.checks.run_task import measure_task
from helpers.checks.task import PredictionTask, ValuesTask
from helpers.checks.tasks import find


@cache
def expected(task_id: str, seed: int, hidden: bool = False) -> dict[str, Any]:
    """Return the evidence of the reference, measured as an answer is."""
    task, right = find(task_id), reference(task_id)
    several = isinstance(right, tuple) and not isinstance(task, PredictionTask)
    answers = right if several else (right,)
    found = measure_task(task, answers, seed=seed, hidden=hidden)
    if isinstance(task, PredictionTask | ValuesTask):
        found["slips"] = [
            {
                **measure_task(task, (slip.value,), seed=seed, hidden=hidden),
                "name": slip.name,
                "why": slip.why,
            }
            for slip in slips(task_id)
        ]
    if isinstance(task, PredictionTask):
        found["form"] = task.form
    return found
