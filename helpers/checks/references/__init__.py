"""Right answers, one file per exercise, and their evidence; only what judges needs them."""

import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from helpers.checks.evidence import measure_task
from helpers.checks.progress import ROOT
from helpers.checks.references.slips import Slip, edited, measure_slip, read_slips
from helpers.checks.task import PredictionTask, Task
from helpers.checks.task_evidence import Form, Measured, said_of
from helpers.checks.tasks import find, module_of

_CELL = re.compile(
    r"^```\{code-cell\}.*\n:id: (?P<id>\S+)\n(?::.*\n)*(?P<code>(?:.*\n)*?)```$", re.MULTILINE
)
_MAGIC = re.compile(r"^[%!].*$", re.MULTILINE)


def reference(task_id: str) -> Any:
    """Return the right answer to a task: a Function, a layer and its Function, or a value.

    It is that of exNN.py, or under `right` in exNN.toml, which are independent of the exercise, or
    else the exercise's solution.

    Raises:
        LookupError: there is no such task, or its right answer is missing.
    """
    return _answers(task_id)[task_id] if is_independent(task_id) else _solved(task_id)


def is_independent(task_id: str) -> bool:
    """Tell whether the right answer to a task is another one than its exercise's solution."""
    return task_id in _answers(task_id)


def slips(task_id: str) -> list[Slip]:
    """Return the known mistakes of a task, from exNN.toml.

    Raises:
        LookupError: there is no such task.
    """
    return read_slips(_rows(task_id).get(task_id, ()))


def slip_answers(task_id: str, slip: Slip) -> tuple:
    """Return what a check would be given of an answer that makes a known mistake.

    Raises:
        ValueError: an edit does not fit.
    """
    if not slip.edit:
        return (slip.value,)
    right = handed_over(find(task_id), reference(task_id))
    named = [getattr(_module(task_id), name) for name in slip.of.split()]
    return edited(named or right, slip)[: len(right)]


def handed_over(task: Task, answer: Any) -> tuple:
    """Return what a check would be given of this answer."""
    several = isinstance(answer, tuple) and not isinstance(task, PredictionTask)
    return answer if several else (answer,)


@cache
def expected(task_id: str, seed: int, hidden: bool = False) -> Measured:
    """Return the evidence of the right answer, measured as an answer is."""
    task = find(task_id)
    found = measure_task(task, handed_over(task, reference(task_id)), seed=seed, hidden=hidden)
    if isinstance(task, PredictionTask):
        return replace(found, form=Form(said=task.form, **said_of(task, Form)))
    return found


@cache
def with_slips(task_id: str, seed: int, hidden: bool = False) -> Measured:
    """Return that evidence, and what tells each of the known mistakes, as `slips`."""
    task, right = find(task_id), expected(task_id, seed, hidden)
    told = []
    for slip in slips(task_id):
        answers = slip_answers(task_id, slip)
        told.append(measure_slip(task, slip, answers, right, seed=seed, hidden=hidden))
    return replace(right, slips=told)


@cache
def _solved(task_id: str) -> Any:
    """Run the cells of an exercise's source up to a task's check; return what that is given.

    It is the instructor's own code, which `course build` has judged.

    Raises:
        LookupError: there is no such exercise, or no such check in it.
    """
    number, _, place = task_id.partition(".")
    handed: list[tuple] = []
    names: dict[str, Any] = {"__name__": "__main__"}
    for path in sorted((ROOT / "lessons").glob(f"{int(number):02}_*.exercise.md")):
        for cell in _CELL.finditer(path.read_text(encoding="utf-8")):
            if cell["id"] == f"check-{number}-{place}":
                names["check"] = lambda task, *answers: handed.append(answers)
                exec(cell["code"].partition("### BEGIN")[0], names)
                (answers,) = handed
                return answers if len(answers) > 1 else answers[0]
            if not cell["id"].startswith(("check-", "progress")):
                exec(_MAGIC.sub("", cell["code"]), names)
    raise LookupError(f"no exercise in lessons/ has a check of {task_id}")


def _answers(task_id: str) -> dict[str, Any]:
    return _rows(task_id).get("right", {}) | getattr(_module(task_id), "REFERENCES", {})


@cache
def _rows(task_id: str) -> dict[str, Any]:
    file = Path(__file__).with_name(f"ex{find(task_id).number:02d}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def _module(task_id: str) -> Any:
    """Return the module of a task's exercise; None if there is none."""
    return module_of(find(task_id).number, __name__)
