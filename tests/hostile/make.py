"""Make notebooks of students: exercises with answers put in, right or wrong."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from helpers.checks.tasks import load
from tests.hostile.case import ZERO, Case, Statuses, Want

ROOT = Path(__file__).parents[2]
Notebook = dict[str, Any]
Change = Callable[[Notebook], Notebook | bytes]

WRONG = {
    "5.1": """\
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return x + 1

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y
""",
    "5.2": """\
class WeightedSquare(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return w * x

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return grad_y, w
""",
    "5.3": "third_power = third_power_one = third_power_two = [1, 2, 3]\n",
}
# Right by means that are not the student's: what a trick hands in where it can.
CHEAT = """\
class Cheat(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.square(x)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return grad_y * x * 2
"""


def answer_id(task: str) -> str:
    """Return the id of a task's answer cell."""
    return "answer-" + task.replace(".", "-")


@cache
def points(exercise: str) -> dict[str, float]:
    """Return what the tasks of an exercise are worth."""
    return {task.id: task.points for task in load(int(exercise[:2]))}


@cache
def _text(folder: str, exercise: str) -> str:
    return (ROOT / folder / f"{exercise}.ipynb").read_text(encoding="utf-8")


def right_answers(exercise: str) -> dict[str, str]:
    """Return the solution of each answer cell, by cell id."""
    cells = json.loads(_text("solutions", exercise))["cells"]
    return {cell["id"]: _solved(cell) for cell in cells if cell["id"].startswith("answer-")}


def _solved(cell: dict[str, Any]) -> str:
    lines = "".join(cell["source"]).splitlines()
    return "\n".join(line for line in lines if not line.strip().startswith("### "))


def answers(exercise: str, given: Mapping[str, str]) -> Notebook:
    """Return the exercise as a student hands it in: right, but for the answers given here."""
    notebook = json.loads(_text("exercises", exercise))
    written = {**right_answers(exercise), **given}
    for cell in notebook["cells"]:
        if cell["id"] in written:
            cell["source"] = written[cell["id"]].splitlines(keepends=True)
    assert set(given) <= {cell["id"] for cell in notebook["cells"]}
    return notebook


def stub(exercise: str) -> Notebook:
    """Return the exercise as it is handed out."""
    return json.loads(_text("exercises", exercise))


def cell(notebook: Notebook, name: str) -> dict[str, Any]:
    """Return the cell of that id."""
    return next(item for item in notebook["cells"] if item.get("id") == name)


def full(exercise: str = "05_square", **others: tuple[Statuses, float]) -> Want:
    """Return what right answers get; tasks that get something else as `t5_1=("failed", 0)`."""
    want: dict = {task: ("passed", most) for task, most in points(exercise).items()}
    return want | {name[1:].replace("_", "."): got for name, got in others.items()}


def trick(
    title: str,
    code: str,
    status: Statuses = ZERO,
    task: str = "5.1",
    whole: bool = False,
    change: Change | None = None,
    exercise: str = "05_square",
) -> Case:
    """Return a submission with a trick in a wrong answer; all else is right, and must count.

    The wrong answer stands where the code says <<wrong>>, or at its end; nowhere if `whole`.
    """
    code = code.lstrip("\n")
    code = code if whole or "<<wrong>>" in code else f"{code}\n<<wrong>>"
    code = code.replace("<<cheat>>", CHEAT).replace("<<wrong>>", WRONG.get(task, ""))
    want = {**full(exercise), task: (status, 0.0)}
    return Case(title, want, {answer_id(task): code}, change, exercise=exercise)


def wrong(title: str, change: Change, status: Statuses = "failed", task: str = "5.1") -> Case:
    """Return a submission with a wrong answer in a notebook that was tampered with."""
    return trick(title, "", status, task, change=change)


def nothing(title: str, status: Statuses = "not-gradable", **more: Any) -> Case:
    """Return a submission no task of which can earn a point."""
    exercise = more.get("exercise", "05_square")
    return Case(title, dict.fromkeys(points(exercise), (status, 0.0)), **more)


def honest(title: str, code: str = "", task: str = "5.1", **more: Any) -> Case:
    """Return an honest submission in unusual form: it must get all points."""
    exercise = more.get("exercise", "05_square")
    given = {answer_id(task): code.lstrip("\n")} if code else {}
    return Case(title, full(exercise), given, **more)
