"""Answers to the exercises as students give them: read from Markdown, run as in a notebook."""

import json
import linecache
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from helpers.checks.answer_check import SEED, examine
from helpers.checks.evidence import evidence_of
from helpers.checks.judge_answer import judge_parts
from helpers.checks.task import Task
from helpers.checks.tasks import find
from whygrad.diagnosis import Diagnosis

ROOT = Path(__file__).parents[1]
_HEADING = re.compile(r"^## (?P<task>\d+\.\d+) (?P<names>[a-z|-]+): (?P<title>.+)$")
# As in a notebook, cells are the main module: the compiler looks their names up in it. It does so
# in the first that it meets, so all answers are in the same one, after each other.
_MAIN = ModuleType("__main__")


@dataclass(frozen=True)
class Answer:
    """One answer to one task.

    Attributes:
        exercise: the exercise's name, such as "05_square".
        task: such as "5.1".
        names: the diagnoses that are fair; ("ok",) for a right answer.
        title: what it does.
        code: what the student typed into the answer cell.
        says: what its report must say, each a piece of its text.
    """

    exercise: str
    task: str
    names: tuple[str, ...]
    title: str
    code: str
    says: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.task} {self.title}"


def read_answers(folder: Path) -> list[Answer]:
    """Read every answer of the files in a folder: a heading and a fenced block each.

    Between the two, each line that starts with `> ` is a sentence that the report must have.
    """
    return [answer for path in sorted(folder.glob("[0-9]*.md")) for answer in _read(path)]


def wrong_answer(name: str) -> tuple[Task, tuple, Answer]:
    """Return the task of a wrong answer, called as `str` has it, what its check gets, and it."""
    answer = next(one for one in _wrong_answers() if str(one) == name)
    return find(answer.task), handed_over(answer), answer


@cache
def _wrong_answers() -> list[Answer]:
    return read_answers(ROOT / "tests" / "wrong_answers")


def _read(path: Path) -> Iterator[Answer]:
    heading, code, says = None, None, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if code is not None:
            if line == "```":
                task, names, title = heading.group("task", "names", "title")
                yield Answer(
                    path.stem, task, tuple(names.split("|")), title, "\n".join(code), tuple(says)
                )
                heading, code, says = None, None, []
            else:
                code.append(line)
        elif line.startswith("## "):
            heading = _HEADING.match(line)
            assert heading, f"{path.name}:{number}: not a heading of an answer: {line}"
        elif line.startswith("> "):
            assert heading, f"{path.name}:{number}: a sentence without a heading"
            says.append(line.removeprefix("> ").strip())
        elif line.startswith("```python"):
            assert heading, f"{path.name}:{number}: an answer without a heading"
            code = []
    assert code is None, f"{path.name}: the last answer is not closed"


def examine_answer(answer: Answer) -> tuple[Diagnosis, Diagnosis]:
    """Return the diagnoses of the visible and of the hidden check of an answer."""
    task, handed = find(answer.task), handed_over(answer)
    return examine(task, handed), examine(task, handed, hidden=True)


def notebook_cells(folder: str, exercise: str) -> list[dict[str, Any]]:
    """Return the code cells of a built exercise or solution."""
    path = ROOT / folder / f"{exercise}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def source(cell: dict[str, Any]) -> str:
    """Return a cell's code."""
    return cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])


def handed_over(answer: Answer) -> tuple:
    """Run the exercise up to the task's check, with the answer in place; return what it gets."""
    mark = answer.task.replace(".", "-")
    handed: list[tuple] = []
    sys.modules["__main__"] = _MAIN
    names, given = vars(_MAIN), False
    names.clear()
    names["__name__"] = "__main__"
    for cell in notebook_cells("exercises", answer.exercise):
        name, code = cell["id"], source(cell)
        if re.fullmatch(rf"answer-{mark}(-[a-z])?", name):
            code, given = ("", True) if given else (answer.code, True)
        elif name == f"check-{mark}":
            code = code.replace("check(", "hand_over(", 1)
            names["hand_over"] = lambda task, *answers: handed.append(answers)
        elif name.startswith("check-"):
            continue
        run_cell(code, names, f"<{name} of {answer}>")
        if handed:
            return handed[0]
    raise AssertionError(f"{answer.exercise} has no cell check-{mark}")


def run_cell(code: str, names: dict[str, Any], title: str) -> None:
    """Run code as a notebook does, so that a traceback knows its lines."""
    linecache.cache[title] = (len(code), None, code.splitlines(keepends=True), title)
    exec(compile(code, title, "exec"), names)


def evidence_pairs(task: Task, handed: tuple) -> list[tuple[Any, Any]]:
    """Return an answer's evidence beside the right one's, of the visible and the hidden check."""
    from helpers.checks.references import expected  # which a release has not

    return [
        (
            evidence_of(task, handed, seed=SEED, hidden=hidden)[0],
            expected(task.id, SEED, hidden),
        )
        for hidden in (False, True)
    ]


def holding(task: Task, measured: Any, expected: Any) -> tuple[str, ...]:
    """Return the names of the parts of a task that hold, by the evidence of an answer."""
    found = judge_parts(task, measured, expected)
    return tuple(part for part, (verdict, _) in found.items() if verdict.ok)
