"""Find code outside of a task's answer cells that the task may need; runs none of it."""

import ast
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import chain

from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet, SheetCell
from course.notebooks.cell_names import bound, used, value_of
from helpers.checks.cell_code import readable
from helpers.checks.deadline import TooLongError, at_most

_SECONDS = 2.0
_MISSING = re.compile(r"name '(\w{1,100})' is not defined")
_GAP = value_of(ast.Constant(...))
_COMPUTED = re.compile(r"\b(Call|Name|Attribute)\(")


@dataclass(frozen=True)
class Stray:
    """Code that a task may need, and that does not count for it.

    Attributes:
        name: a name that the task needs and this code binds; "" if there is none, and an answer
            cell is missing.
        cells: the student's cells, as they were submitted; none if the answer has all of it.
        renamed: what the student calls the graded `name`; "" if it has that name.
        sheet: the exercise's, with this code as given cells that have the name of the task as id.
    """

    name: str
    cells: tuple[str, ...]
    renamed: str
    sheet: Sheet


def stray_code(sheet: Sheet, answers: Answers, task: str, message: str) -> Stray | None:
    """Return the code that a task may need and that is in cells which do not count for it.

    A task needs what its answer should bind, what the answer uses and no answer binds, and what
    the message says is not defined. A cell is found if it binds such a name, to something else
    than the cells that run, or a name that another cell found uses.
    """
    try:
        with at_most(_SECONDS):
            return _found(sheet, answers, task, missing_name(message))
    except TooLongError:
        return None


def missing_name(message: str) -> str:
    """Return the name that the message of an exception calls not defined; or ""."""
    match = _MISSING.search(message)
    return match[1] if match else ""


def _found(sheet: Sheet, answers: Answers, task: str, missing: str) -> Stray | None:
    given = [cell.source for cell in sheet.cells if cell.kind == "given"]
    stubs = {cell.id: cell.source for cell in sheet.answer_cells(task)}
    own = [source for name, source in answers.sources.items() if name in stubs]
    others = [source for name, source in answers.sources.items() if name not in stubs]
    known = _values([*given, *stubs.values()])
    mine = _values(own) - known
    gaps = {name for name, value in known if value == _GAP}
    new = {cell: _names(_values([cell]) - known - mine, gaps) for cell in (*answers.extra, *others)}
    graded = _checked([cell.source for cell in sheet.cells], task)
    touched = [source for source in own if source not in stubs.values()]
    needs = used(touched) - bound(answers.sources.values()).keys()
    wanted = {missing, *needs, *bound(stubs.values()), *graded}
    written = {name for name, value in mine if "(" in value}  # no import
    lacking = [name for name in graded if name not in _names(mine).union(*new.values())]
    theirs = {*_checked(answers.extra, task)} - {*graded}
    due, renamed = _renamed(lacking, theirs, written - {*graded}, missing)
    cells = _binding(wanted | {renamed}, new, _names(known | mine))
    found = set().union(*(new[cell] for cell in cells)) & wanted
    name = due or min(found, default="")
    if not name and len(own) < len(stubs):
        cells = answers.extra
    if not (cells or renamed):
        return None
    code = [*cells, f"{name} = {renamed}"] if renamed else cells
    return Stray(name, cells, renamed, _with(sheet, task, code))


def _values(cells: Iterable[str]) -> set[tuple[str, str]]:
    """Return the names that cells bind, each with a text that tells its values apart."""
    return {(name, value_of(one)) for name, values in bound(cells).items() for one in values}


def _names(values: set[tuple[str, str]], gaps: Collection[str] = ()) -> set[str]:
    # A prediction is written down; many compute it afterwards, under the same name.
    return {name for name, value in values if name not in gaps or not _COMPUTED.search(value)}


def _renamed(lacking: list[str], theirs: set[str], mine: set[str], missing: str) -> tuple[str, str]:
    """Return a graded name that the student has not bound, and another one used for it."""
    for name in lacking:
        others = (theirs or mine) if name == missing else theirs
        for other in get_close_matches(name, sorted(others), 1, 0):
            return name, other
    return "", ""


def _binding(names: set[str], new: dict[str, set[str]], known: set[str]) -> tuple[str, ...]:
    """Return the cells that bind one of these names, or a name that such a cell uses."""
    chosen: set[str] = set()
    while more := {cell for cell, bind in new.items() if bind & names} - chosen:
        chosen |= more
        names = used(more) - known
    return tuple(cell for cell in new if cell in chosen)


def _with(sheet: Sheet, task: str, code: Iterable[str]) -> Sheet:
    # Each by itself, since one that raises ends no other; of one line, IPython makes what it likes.
    added = [SheetCell(task, "given", "", f"{source}\n#") for source in code]
    # Before the answer, which may use it, and after that, which may bind the same.
    cells = [(*added, cell) if cell.task == task else (cell,) for cell in sheet.cells]
    return replace(sheet, cells=tuple(chain.from_iterable(cells)))


def _checked(cells: Iterable[str], task: str) -> list[str]:
    """Return the names that calls of `check` pass for a task."""
    found: list[ast.expr] = []
    for node in (node for tree in readable(cells) for node in ast.walk(tree)):
        match node:
            case ast.Call(ast.Name("check"), [ast.Constant(value), *given]) if value == task:
                found += given
    return [node.id for one in found for node in ast.walk(one) if isinstance(node, ast.Name)]
