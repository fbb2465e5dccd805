"""Say what is wrong with a call of `check` or of `check.hint`, before anything is looked at."""

from numbers import Real
from typing import Any

from helpers.checks.task import ModuleTask, PredictionTask
from helpers.checks.tasks import find


def call_trouble(task_id: Any, answers: tuple) -> str:
    """Return a sentence on a call `check(task_id, *answers)` that cannot be meant; "" if it can.

    >>> call_trouble("5.1", ())
    'The answer is missing: put its name behind the number, as in check("5.1", …).'
    """
    if said := number_trouble(task_id, answers):
        return said
    task = find(task_id)
    if not answers:
        return (
            f'The answer is missing: put its name behind the number, as in check("{task.id}", …).'
        )
    if isinstance(task, PredictionTask):
        return ""
    if isinstance(task, ModuleTask):
        due, what = 2, "two answers, the layer and its Function, in this order"
    else:
        due, what = 1, "one answer"
    if len(answers) == due:
        return ""
    return f"Task {task.id} takes {what}. This call hands over {len(answers)}."


def number_trouble(task_id: Any, answers: tuple = (), call: str = "check") -> str:
    """Return a sentence on the number of a task that is none; "" if there is such a task.

    >>> number_trouble("5.9")
    'There is no task 5.9: exercise 5 has 5.1, 5.2 and 5.3.'
    """
    example = f'{call}("5.1", …)' if call == "check" else f'{call}("5.1")'
    if isinstance(task_id, str | Real) and not isinstance(task_id, bool):
        try:
            find(task_id)
        except LookupError as error:
            return error.args[0]
        return ""
    later = [answer for answer in answers if isinstance(answer, str) and _is_task(answer)]
    if later:
        return f'The number of the task comes first: {call}("{later[0]}", …).'
    return f"Begin with the number of the task, in quotes: {example}."


def _is_task(text: str) -> bool:
    try:
        find(text)
    except LookupError:
        return False
    return True
