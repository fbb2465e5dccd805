"""Conclude what became of a task: its status, and a sentence for the student that is true."""

import re
from dataclasses import replace

from course.grading.judge_cells import Judged
from course.grading.reading.answers import Answers
from course.grading.reading.cells import normalized
from course.grading.reading.sheet import Sheet
from course.grading.stray_names import Stray
from course.grading.withheld import without_secrets
from helpers.checks.source_check import Flag, listed

_NOTHING = "Nothing has been written yet."
_UNREACHED = "Its check was not reached."
_ONLY_HIDDEN = "Its visible check passes. A hidden check, on inputs that you do not see, fails."
_PART_OPEN = "A part of it is not written yet."
_STILL_OPEN = "Something was written, but what its check runs is still as it was given."
_TEXT = "Text stands beside its answer cell, in which nothing is written yet."
_LOOK = "Only answer cells are graded: a person has to look at it."
_PERSON = "A person has to look at it."
_UNDEFINED = re.compile(r"check-\S+ raised NameError: name '(\w+)' is not defined")
_MODULE = re.compile(r"ModuleNotFoundError: No module named '(\w+)")
_OURS = ("course", "helpers", "tests", "whygrad")  # packages, of which not all is behind the walls
OPEN = ("passed", "not-gradable", "grader-error")  # nothing that stands elsewhere changes these


def concluded(
    sheet: Sheet,
    answers: Answers,
    task: str,
    judged: Judged,
    doubts: tuple[Flag, ...],
    stray: Stray | None = None,
) -> Judged:
    """Return what became of a task, from what its cells showed and from what was submitted.

    Args:
        sheet, answers, task: what was submitted, for what.
        judged: what the cells showed; the status is "" where the check was not reached.
        doubts: what looks like tampering in its answer.
        stray: code outside of its answer cells that a person has to look at.
    """
    own = [cell.id for cell in sheet.cells if cell.kind == "answer" and cell.task == task]
    judged = without_secrets(judged, doubts, [answers.sources.get(name, "") for name in own])
    if judged.status in ("passed", "partly") and doubts:
        # The numbers are right; whether they are the answer's own, its source leaves open.
        said = f"{judged.message} {_PERSON[:-1]}: {listed(doubts)}.".strip()
        return _for_a_person(judged, said)
    if judged.status in OPEN:
        return judged
    untouched = is_untouched(sheet, answers, task)
    said = "" if untouched else _said(judged)
    gone = next(
        (f"The answer cell {name} is missing" for name in own if name not in answers.sources), ""
    )
    if stray:
        return _for_a_person(judged, f"{said} {_about(stray, untouched, gone)}".strip())
    if untouched and task in answers.beside:
        return _for_a_person(judged, f"{_TEXT} {_LOOK}")
    if untouched:
        return Judged("not-started", "not-started", f"{gone}." if gone else _NOTHING)
    if undefined := _UNDEFINED.match(judged.message):
        said = f"{said} The answer does not define `{undefined[1]}`."
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


def _about(stray: Stray, untouched: bool, gone: str) -> str:
    if stray.renamed:
        return f"`{stray.name}` is graded; here it is called `{stray.renamed}`. {_PERSON}"
    if not stray.name:
        return f"{gone}, and there are other cells. {_LOOK}"
    where = "in another cell" if untouched else "outside of its answer cell"
    return f"`{stray.name}` is {where}. {_LOOK}"


def is_untouched(sheet: Sheet, answers: Answers, task: str) -> bool:
    """Return whether a task's answer cells are as they were given, or hold no code."""
    return all(
        normalized(answers.sources.get(cell.id, "")) in map(normalized, ("", cell.source))
        for cell in sheet.cells
        if cell.kind == "answer" and cell.task == task
    )
