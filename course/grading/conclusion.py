"""Conclude what became of a task: its status, and a sentence for the student that is true."""

import ast
import re
from dataclasses import replace

from course.grading.judge_cells import Judged
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet
from course.grading.stray_names import missing_name, other_name, stray_name, undefined_name
from course.grading.withheld import without_secrets
from helpers.checks.cell_code import TooMuchError, parse
from helpers.checks.source_check import Flag, listed

_NOTHING = "Nothing has been written yet."
_UNREACHED = "Its check was not reached."
_ONLY_HIDDEN = "Its visible check passes. A hidden check, on inputs that you do not see, fails."
_PART_OPEN = "A part of it is not written yet."
_STILL_OPEN = "Something was written, but what its check runs is still as it was given."
_TEXT = "Text stands beside its answer cell, in which nothing is written yet."
_LOOK = "Only answer cells are graded: a person has to look at it."
_PERSON = "A person has to look at it."
_MODULE = re.compile(r"ModuleNotFoundError: No module named '(\w+)")
_OURS = ("course", "helpers", "tests", "whygrad")  # packages, of which not all is behind the walls
_OPEN = ("passed", "not-gradable", "grader-error")  # nothing that stands elsewhere changes these


def concluded(
    sheet: Sheet, answers: Answers, task: str, judged: Judged, doubts: tuple[Flag, ...]
) -> Judged:
    """Return what became of a task, from what its cells showed and from what was handed in.

    Args:
        sheet, answers, task: what was handed in, for what.
        judged: what the cells showed; the status is "" where the check was not reached.
        doubts: what looks like tampering in its answer.
    """
    own = [cell.id for cell in sheet.cells if cell.kind == "answer" and cell.task == task]
    judged = without_secrets(judged, doubts, [answers.sources.get(name, "") for name in own])
    if judged.status in ("passed", "partly") and doubts:
        # The numbers are right; whether they are the answer's own, its source leaves open.
        said = f"{judged.message} A person has to look at it: {listed(doubts)}.".strip()
        return _for_a_person(judged, said)
    if judged.status in _OPEN:
        return judged
    untouched = _is_untouched(sheet, answers, task)
    said = "" if untouched else _said(judged)
    if name := stray_name(sheet, answers, task, judged.message):
        where = "in another cell" if untouched else "outside of its answer cell"
        return _for_a_person(judged, f"{said} `{name}` stands {where}. {_LOOK}".strip())
    if (gone := _gone(sheet, answers, task)) and answers.extra:
        said = f"The answer cell {gone} is missing, and there are other cells. {_LOOK}"
        return _for_a_person(judged, said)
    if renamed := other_name(sheet, answers, task):
        mine, due = renamed
        said = (
            f"{said} The check cell was changed to `{mine}`; what is graded is `{due}`. {_PERSON}"
        )
        return _for_a_person(judged, said.strip())
    if untouched and task in answers.beside:
        return _for_a_person(judged, f"{_TEXT} {_LOOK}")
    if untouched:
        said = f"The answer cell {gone} is missing." if gone else _NOTHING
        return Judged("not-started", "not-started", said)
    missing = missing_name(judged.message)
    due, new = undefined_name(sheet, answers, task) if missing else ("", "")
    if new and due == missing:
        said = f"The answer defines `{new}`, and not `{due}`, which is graded. {_PERSON}"
        return _for_a_person(judged, said)
    if due and due == missing:
        said = f"{said} The answer does not define `{due}`."
    module = _MODULE.search(judged.message)
    if judged.status == "error" and module and module[1] not in _OURS:
        said = f"{said} No file that was handed in beside the notebook is there. {_PERSON}"
        return _for_a_person(judged, said)
    return replace(judged, status=judged.status or "error", message=said)


def _for_a_person(judged: Judged, said: str) -> Judged:
    """What the parts would earn is left out: it is for the person to say."""
    return replace(judged, status="not-gradable", message=said, parts=())


def _said(judged: Judged) -> str:
    if judged.diagnosis == "not-started" and judged.status == "partly":
        return _PART_OPEN
    if judged.diagnosis == "not-started" and not judged.hidden:
        return _STILL_OPEN
    if judged.message:
        return judged.message
    return _ONLY_HIDDEN if judged.hidden else _UNREACHED


def _is_untouched(sheet: Sheet, answers: Answers, task: str) -> bool:
    """Tell whether a task's answer cells are as they were given, or hold no code."""
    own = [cell for cell in sheet.cells if cell.kind == "answer" and cell.task == task]
    return all(_code(answers.sources.get(cell.id, "")) in ("", _code(cell.source)) for cell in own)


def _code(source: str) -> str:
    """Return what tells code apart: the tree, without comments; the words, where there is none."""
    try:
        tree = parse(source)
        if tree:
            return ast.dump(tree) if tree.body else ""
    except (TooMuchError, RecursionError):
        pass
    return " ".join(source.split())


def _gone(sheet: Sheet, answers: Answers, task: str) -> str:
    """Return an answer cell of a task that was not handed in, or that is no code cell."""
    own = [cell.id for cell in sheet.cells if cell.kind == "answer" and cell.task == task]
    return next((name for name in own if name not in answers.sources), "")
