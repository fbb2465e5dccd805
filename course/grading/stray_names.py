"""Find what an answer is about, or lacks, among the cells that do not count; runs none of them."""

import ast
import re
from collections.abc import Iterable

from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet, arguments
from course.notebooks.cell_names import Bound, Value, bound, used, value_of
from helpers.checks.cell_code import readable
from helpers.checks.deadline import TooLongError, at_most

_SECONDS = 2.0
_MOST_OF_A_LINE = 300  # characters; some of the patterns take the square of it
_MISSING = re.compile(r"name '(\w{1,100})' is not defined")
_CODE = (ast.ClassDef, ast.FunctionDef, ast.Lambda)
_DEFINITIONS = (str, *_CODE, ast.Name, ast.Attribute)
_CALLS = (ast.Call, ast.Name, ast.Attribute)


def stray_name(sheet: Sheet, answers: Answers, task: str, message: str) -> str:
    """Return a name that a task needs, and that a cell which does not count for it binds; or "".

    It is one that the task's answer is to bind, one that the answer uses and no cell that runs
    binds, or one that the message says is not defined. Another cell binds it in another way than
    the cells that run.
    """
    missing = missing_name(message)
    try:
        with at_most(_SECONDS):
            others = _others(sheet, answers, task)
            if missing and _is_defined(missing, others):
                return missing
            return _bound_elsewhere(sheet, answers, task, others)
    except TooLongError:
        return ""


def other_name(sheet: Sheet, answers: Answers, task: str) -> tuple[str, str] | None:
    """Return what a student's check cell hands over, and what the course's does, if they differ.

    It does so where the answer binds a name of the student's own, and not the course's.
    """
    try:
        with at_most(_SECONDS):
            due = _handed(sheet, task)
            own = [cell.id for cell in sheet.cells if cell.kind == "answer" and cell.task == task]
            mine = bound(answers.sources.get(name, "") for name in own)
            handed = [name for source in answers.extra for name in _checked(source, task)]
            other = [name for name in handed if name in mine and name not in due]
            lacking = [name for name in due if name not in mine]
    except TooLongError:
        return None
    return (other[0], lacking[0]) if other and lacking else None


def undefined_name(sheet: Sheet, answers: Answers, task: str) -> tuple[str, str]:
    """Return a name that an answer was to define and does not, and one that it defines besides.

    The first is "" if it defines all that its check hands over, the second if there is none.
    """
    own = [cell for cell in sheet.cells if cell.kind == "answer" and cell.task == task]
    try:
        with at_most(_SECONDS):
            stubs = bound(cell.source for cell in own)
            mine = bound(answers.sources.get(cell.id, "") for cell in own)
            due = [name for name in _handed(sheet, task) if name in stubs and name not in mine]
            new = {name: found[-1] for name, found in mine.items() if name not in stubs}
    except TooLongError:
        return "", ""
    if not due:
        return "", ""
    defined = [name for name, value in new.items() if isinstance(value, _CODE)]
    written = [name for name, value in new.items() if not isinstance(value, str)]  # no import
    return due[0], next(iter(defined + written), "")


def _checked(source: str, task: str) -> list[str]:
    """Return the names that calls of `check` in a cell hand over for a task."""
    calls = [
        node
        for tree in readable([source])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "check"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value == task
    ]
    return [one.id for call in calls for one in call.args[1:] if isinstance(one, ast.Name)]


def missing_name(message: str) -> str:
    """Return the name that the message of an exception calls not defined; or ""."""
    match = _MISSING.search(message)
    return match[1] if match else ""


def _others(sheet: Sheet, answers: Answers, task: str) -> list[str]:
    """Return the code that does not count for a task: extra cells, answers to other tasks."""
    others = [cell.id for cell in sheet.cells if cell.kind == "answer" and cell.task != task]
    return [*answers.extra, *(answers.sources[name] for name in others if name in answers.sources)]


def _is_defined(name: str, sources: Iterable[str]) -> bool:
    """Tell whether a line of the sources defines a name, also where they are no Python."""
    word = re.escape(name)
    defines = re.compile(
        rf"\s*(?:(?:def|class)\s+{word}\b|{word}\s*(?::[^=]+)?=(?!=)|.*import\b.*\b{word}\b)"
    )
    lines = (line for source in sources for line in source.split("\n"))
    return any(name in line and defines.match(line[:_MOST_OF_A_LINE]) for line in lines)


def _bound_elsewhere(sheet: Sheet, answers: Answers, task: str, others: list[str]) -> str:
    own = [cell for cell in sheet.cells if cell.kind == "answer" and cell.task == task]
    given = bound(cell.source for cell in sheet.cells if cell.kind == "given")
    written = [answers.sources.get(cell.id, "") for cell in own]
    stubs = bound(cell.source for cell in own)
    wanted = dict.fromkeys(_handed(sheet, task), False)
    wanted |= {name: _is_gap(found) for name, found in stubs.items()}
    running = _joined(given, stubs, bound(written))
    uses = used(written)
    lacking = uses - running.keys() - bound(answers.sources.values()).keys()
    for source in others:
        for name, found in bound([source]).items():
            known = {value_of(one) for one in running.get(name, [])}
            new = [one for one in found if value_of(one) not in known]
            if name in wanted and any(_may_answer(one, wanted[name]) for one in new):
                return name
            if new and (name in lacking or (name in given and name in uses)):
                return name
    return ""


def _handed(sheet: Sheet, task: str) -> list[str]:
    """Return the names that the check of a task hands over."""
    checks = [cell for cell in sheet.cells if cell.kind == "check" and cell.task == task]
    trees = [ast.parse(f"({arguments(cell)},)") for cell in checks]
    return [node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _joined(*several: Bound) -> Bound:
    names = {name for found in several for name in found}
    return {name: [one for found in several for one in found.get(name, [])] for name in names}


def _is_gap(found: list[Value]) -> bool:
    """Tell whether the stub of an answer leaves `...` for a value."""
    return any(isinstance(value, ast.Constant) and value.value is ... for value in found)


def _may_answer(value: Value, is_value: bool) -> bool:
    """Tell whether it may be meant as the answer; who tries things out uses such names, too."""
    if is_value:
        plain = isinstance(value, ast.expr)
        return plain and not any(isinstance(node, _CALLS) for node in ast.walk(value))
    return isinstance(value, _DEFINITIONS)
