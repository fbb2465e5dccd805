"""Measure the right answers of an exercise: what a release has in their place."""

import json
from typing import Any

from helpers.checks.evidence import base_inputs
from helpers.checks.known import SEED, right_graphs, with_slips
from helpers.checks.task import FunctionTask, Task
from helpers.checks.tasks import load
from whygrad import pictures
from whygrad.codec import encoded, to_json


def measured(number: int) -> bytes:
    """Return what is measured of an exercise's right answers with the seed of its checks, as JSON.

    For each task: the evidence of the visible check, that of the wrong answers that are explained,
    and the graphs that a report may show beside the student's.

    Raises:
        LookupError: there is no such exercise, or it has no right answer to a task.
    """
    found = {}
    for task in load(number):
        found[task.id] = {"evidence": encoded(with_slips(task.id, SEED)), "graphs": _graphs(task)}
    return (json.dumps(found, separators=(",", ":"), sort_keys=True) + "\n").encode()


def _graphs(task: Task) -> dict[str, Any] | None:
    if not isinstance(task, FunctionTask):
        return None
    inputs = base_inputs(task, SEED)
    right = right_graphs(task.id)
    try:
        graphs = pictures.right_graphs(right, inputs, task.names, task.incoming[0])
    except Exception:  # a picture is a help, not the verdict
        return None
    return to_json(graphs)
