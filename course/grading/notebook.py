"""Put answers into the instructor's notebook, with the grader's own check cells."""

import re

from course.grading.reading.sheet import Sheet, SheetCell, arguments
from course.notebooks.student_notebook import Cell

_CHECK = """\
import course.grading.inside.answer_evidence as _grader
_grader.show_evidence({task!r}, {seed}, lambda: ({arguments},))"""


def notebook(sheet: Sheet, answers: dict[str, str], seed: int, task: str = "") -> list[Cell]:
    """Return the code cells to run, in order; those after the last check decide nothing.

    Args:
        sheet: the instructor's notebook.
        answers: a student's sources, by the id of the answer cell; a stub where there is none.
        seed: of the inputs.
        task: only this one, after what is given; all if empty.
    """
    cells = [cell for cell in sheet.cells if not task or cell.task in ("", task)]
    while cells and cells[-1].kind == "given":
        cells.pop()
    return [Cell(cell.id, _source(cell, answers, seed)) for cell in cells]


def _source(cell: SheetCell, answers: dict[str, str], seed: int) -> str:
    if cell.kind == "answer":
        return answers.get(cell.id, cell.source)
    if cell.kind == "check":
        return _CHECK.format(task=cell.task, seed=seed, arguments=arguments(cell))
    return cell.source


def own_cells(sheet: Sheet, task: str) -> set[str]:
    """Return the ids of a task's answer cells and of its check."""
    return {cell.id for cell in sheet.cells if cell.task == task}


def unknown_name(text: str) -> str:
    """Return the name that a NameError says is not defined, or an empty string."""
    match = re.search(r"name '(\w+)' is not defined", text)
    return match[1] if match else ""
