"""A course of lessons that only print, for tests of the builder."""

from pathlib import Path
from typing import Any

from helpers.checks.task import PredictionTask

FRONT = "---\ntitle: Tiny\nquestion: Does it build?\nminutes: 5\n---\n"


def cell(name: str, code: str, *options: str) -> str:
    """Write a code cell as MyST Markdown."""
    lines = [f":id: {name}", *options, code]
    return "```{code-cell} ipython3\n" + "\n".join(lines) + "\n```\n"


def lesson(*parts: str) -> str:
    """Write a lesson: front matter (lines 1 to 5), a heading on line 7, then the parts."""
    return "\n".join([FRONT, "# 1. Tiny\n", *parts])


def write(root: Path, text: str, name: str = "01_tiny") -> Path:
    """Put a lesson into the course at `root`; return the path of the notebook it builds."""
    path = root / "lessons" / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return root / "notebooks" / f"{name}.ipynb"


def line_of(text: str, code: str) -> int:
    """Return the number, from 1, of the only line of `text` that holds `code`."""
    (number,) = [n for n, line in enumerate(text.splitlines(), 1) if code in line]
    return number


class Task(PredictionTask):
    """A task of which the builder reads points and minutes."""

    def __init__(self, id: str, points: float = 2, minutes: int = 5, **more: Any) -> None:
        shares = more.pop("shares", {"prediction": points})
        about = {"title": "", "hints": ("", "", ""), "form": "a number", "minutes": minutes}
        super().__init__(id=id, shares=shares, **about, **more)


# Stands in for `helpers.check`: it shows as evidence whether the answer is 4.
FAKE_CHECK = """\
from types import SimpleNamespace
from IPython.display import display

def show(task, answer):
    evidence = {"task": task, "ok": answer == 4}
    mime = "application/vnd.autograd-course.evidence+json"
    display({mime: evidence, "text/plain": f"you: {answer}"}, raw=True)

class Check:
    __call__ = staticmethod(show)
    hidden = staticmethod(show)

check = Check()"""


def answer(number: int = 1, code: str | None = None) -> str:
    """Write the answer cell of a task of exercise 1."""
    begin, end = "### BEGIN SOLUTION", "### END SOLUTION"
    return cell(f"answer-1-{number}", code or f"x = ...\n{begin}\nx = 4\n{end}")


def check(number: int = 1, code: str | None = None) -> str:
    """Write the check cell of a task of exercise 1."""
    visible, hidden = f'check("1.{number}", x)', f'check.hidden("1.{number}", x)'
    marked = f"{visible}\n### BEGIN HIDDEN TESTS\n{hidden}\n### END HIDDEN TESTS"
    return cell(f"check-1-{number}", code or marked)


def exercise(*parts: str) -> str:
    """Write an exercise: front matter (lines 1 to 3), a heading on line 5, then the parts."""
    front = "---\ntitle: Tiny\n---\n"
    return "\n".join([front, "# Exercise 1. Tiny\n", *parts])


def write_exercise(root: Path, *parts: str) -> Path:
    """Put an exercise into the course at `root`; return its path."""
    write(root, exercise(*parts), "01_tiny.exercise")
    return root / "lessons" / "01_tiny.exercise.md"
