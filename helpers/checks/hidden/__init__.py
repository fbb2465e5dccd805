"""The inputs of the hidden checks, one file per exercise; only where grading is."""

from importlib import import_module

from helpers.checks.task import Inputs

SIZE = 5  # of the batch, in place of the visible check's


def hidden_inputs(task_id: str) -> tuple[Inputs, ...]:
    """Return the further inputs of a task's hidden check; none where its exercise names none."""
    name = f"{__name__}.ex{int(task_id.partition('.')[0]):02d}"
    try:
        return import_module(name).HIDDEN.get(task_id, ())
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return ()
