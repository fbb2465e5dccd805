"""Find answers that stand outside of their cells: a notebook runs them, and nobody grades them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from course.notebooks.cell_names import Bound, bound, used, value_of
from course.notebooks.roles import ANSWER, Role, is_check, role
from course.notebooks.student_notebook import Cell, CheckCell, source_of
from helpers.checks.deadline import TooLongError, at_most

_SECONDS = 10.0


def outside_answers(
    cells: Sequence[dict[str, Any]], checks: Iterable[CheckCell], course: Mapping[str, str]
) -> dict[str, str]:
    """Return a name for each task whose check sees what is not graded.

    It is a name that the check hands over, where another cell than the task's answer bound it last;
    or one that the answer uses, which neither the course nor another answer binds.

    Args:
        cells: of the student's notebook.
        checks: the course's check cells.
        course: the code that the course gives, by the id of its cell, without answers.
    """
    code = [
        Cell(name, source_of(cell))
        for name, cell in zip(_names(cells), cells, strict=True)
        if cell["cell_type"] == "code"
    ]
    try:
        with at_most(_SECONDS):
            lent = bound(source for name, source in course.items() if not role(name))
            found = {check.task: _outside(code, check, lent) for check in checks}
    except TooLongError:
        return {}
    return {task: name for task, name in found.items() if name}


def _names(cells: Sequence[dict[str, Any]]) -> list[str]:
    """Return the ids of cells; a piece that was split off an answer beside it has that one's."""
    names = [cell["id"] for cell in cells]
    for step in (1, -1):
        beside = ""
        for place in range(len(cells))[::step]:
            if not role(names[place]) and beside and _called(cells[place]) == beside:
                names[place] = beside
            beside = names[place]
    return names


def _called(cell: dict[str, Any]) -> str:
    keys = cell.get("metadata", {})
    keys = keys.get("nbgrader", {}) if isinstance(keys, dict) else {}
    return str(keys.get("grade_id", "")) if isinstance(keys, dict) else ""


def _outside(cells: list[Cell], check: CheckCell, lent: Bound) -> str:
    own = Role(ANSWER, check.task)
    last: dict[str, tuple[bool, str]] = {}  # whether an answer cell bound a name last, and to what
    before = cells[: _place(cells, check)]
    for cell in before:
        found = {} if is_check(cell.id) else bound([cell.source])  # the course's own checks run
        for name, bindings in found.items():
            last[name] = role(cell.id) == own, value_of(bindings[-1])
    written = [cell.source for cell in before if role(cell.id) == own]
    values = {name: set(map(value_of, found)) for name, found in bound(written).items()}
    for name in sorted((used([check.source]) & last.keys()) - lent.keys()):
        is_own, value = last[name]
        if not is_own and value not in values.get(name, ()):
            return name
    answers = (cell.source for cell in cells if (found := role(cell.id)) and found.kind == ANSWER)
    known = chain(lent, bound(answers))
    return min((used(written) & last.keys()) - set(known), default="")


def _place(cells: list[Cell], check: CheckCell) -> int:
    """Return before which cell a check runs: its own, or the one after the last answer."""
    names = [cell.id for cell in cells]
    if check.id in names:
        return names.index(check.id)
    own = [place for place, name in enumerate(names) if role(name) == Role(ANSWER, check.task)]
    return own[-1] + 1 if own else len(cells)
