"""A small course for tests of `course check`: predictions, whose checks need no PyTorch."""

import json
from pathlib import Path
from typing import Any

from course.notebooks.student_notebook import EVIDENCE

RIGHT = {"5.1": 1.0, "5.2": 2.0, "5.3": 3.0}
_CHECK = """\
from IPython.display import display
given = globals().get("a{number}", ...) is not ...
measured = {{"version": 2, "kind": "prediction", "given": given}}
measured |= {{"value": a{number}}} if given else {{}}
display({{"{mime}": {{"task": "{task}", "ok": True, "measured": measured}}}}, raw=True)
### BEGIN HIDDEN TESTS
raise SystemError("the hidden check ran")
### END HIDDEN TESTS"""


def cell(name: str, source: str, outputs: list | None = None, **more: Any) -> dict[str, Any]:
    """Write a code cell as a file has it."""
    shown = {"outputs": outputs or [], "execution_count": None, "metadata": {}}
    return {"cell_type": "code", "id": name, "source": source, **shown, **more}


def write(path: Path, cells: list[dict[str, Any]]) -> Path:
    """Write a notebook."""
    path.parent.mkdir(exist_ok=True)
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def answers(*sources: str) -> list[dict[str, Any]]:
    """Write a student's cells: an answer to each task, each with a check cell that was edited."""
    cells = [cell("set-up", "import math")]
    for number, source in enumerate(sources, 1):
        edited = "raise SystemError('the edited check ran')"
        cells += [cell(f"answer-5-{number}", source), cell(f"check-5-{number}", edited)]
    return cells


def solution() -> list[dict[str, Any]]:
    """Write the solved cells, with the evidence that their checks showed."""
    cells = [cell("set-up", "import math")]
    for task, value in RIGHT.items():
        number = task.partition(".")[2]
        measured = {"version": 2, "kind": "prediction", "value": value}
        data = {EVIDENCE: {"task": task, "ok": True, "measured": measured}}
        shown = {"output_type": "display_data", "metadata": {}, "data": data}
        check = _CHECK.format(number=number, task=task, mime=EVIDENCE)
        solved = f"### BEGIN SOLUTION\na{number} = {value}\n### END SOLUTION"
        cells += [cell(f"answer-5-{number}", f"a{number} = ...\n{solved}")]
        cells += [cell(f"check-5-{number}", check, [shown])]
    return cells


def course(root: Path) -> Path:
    """Write a course with one solved exercise; return where the student's notebook belongs."""
    (root / "lessons").mkdir()
    (root / "lessons" / "05_square.exercise.md").touch()
    (root / "requirements.lock").touch()
    write(root / "solutions" / "05_square.ipynb", solution())
    return root / "exercises" / "05_square.ipynb"
