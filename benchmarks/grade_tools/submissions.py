"""Make what students hand in for 05_square: notebooks with right and wrong answers."""

import copy
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from grade_tools.environments import ROOT, ToolError
from tests.answers import Answer, read_answers

EXERCISE = "05_square"
TASKS = ("5.1", "5.2", "5.3")
Notebook = dict[str, Any]


@dataclass(frozen=True)
class Submission:
    """A notebook that a student handed in.

    Attributes:
        student: the name.
        notebook: as it lies in the student's folder.
    """

    student: str
    notebook: Notebook


def read(folder: str) -> Notebook:
    """Return the built notebook of the exercise in a folder of the course."""
    return json.loads((ROOT / folder / f"{EXERCISE}.ipynb").read_text(encoding="utf-8"))


def source(cell: dict[str, Any]) -> str:
    """Return a cell's text."""
    return "".join(cell["source"])


def answer_id(task: str) -> str:
    """Return the id of a task's answer cell."""
    return f"answer-{task.replace('.', '-')}"


def check_id(task: str) -> str:
    """Return the id of a task's check cell."""
    return f"check-{task.replace('.', '-')}"


def points(task: str) -> float:
    """Return what a task is worth."""
    cells = {cell["id"]: cell for cell in read("solutions")["cells"]}
    return cells[check_id(task)]["metadata"]["nbgrader"]["points"]


def handed_in(answers: dict[str, str]) -> Notebook:
    """Return the exercise with answers, by task, in place of the stubs."""
    notebook = read("exercises")
    code = {answer_id(task): text for task, text in answers.items()}
    for cell in notebook["cells"]:
        if cell["id"] in code:
            cell["source"] = code[cell["id"]].splitlines(keepends=True)
    return notebook


def a_class(size: int) -> list[Submission]:
    """Return submissions: every other one is right, the rest have one wrong answer each.

    Raises:
        ToolError: the tests hold no answers to the exercise.
    """
    right = {task: cycle(_right(task)) for task in TASKS}
    mistakes = _known("wrong_answers")
    random.Random(5).shuffle(mistakes)  # they are in the order of the tasks
    wrong = cycle(mistakes)
    made = []
    for number in range(size):
        answers = {task: next(right[task]) for task in TASKS}
        if number % 2:
            mistake = next(wrong)
            answers[mistake.task] = mistake.code
        made.append(Submission(f"student{number + 1:02d}", handed_in(answers)))
    return made


def right_answers() -> dict[str, str]:
    """Return the course's own answer to each task."""
    cells = {cell["id"]: cell for cell in read("solutions")["cells"]}
    return {task: _without_marks(source(cells[answer_id(task)])) for task in TASKS}


def write(submissions: list[Submission], place: Callable[[str], Path]) -> None:
    """Write each notebook to the path that `place` gives for its student."""
    for one in submissions:
        path = place(one.student)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(one.notebook, indent=1), encoding="utf-8")


def changed(notebook: Notebook, change: Callable[[Notebook], None]) -> Notebook:
    """Return a copy of a notebook that `change` has changed."""
    other = copy.deepcopy(notebook)
    change(other)
    return other


def _right(task: str) -> list[str]:
    known = [a.code for a in _known("right_answers") if a.task == task]
    return [right_answers()[task], *known]


def _known(folder: str) -> list[Answer]:
    found = [a for a in read_answers(ROOT / "tests" / folder) if a.exercise == EXERCISE]
    if not found:
        raise ToolError(f"tests/{folder} has no answers to {EXERCISE}.")
    return found


def _without_marks(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.lstrip().startswith("### "))
