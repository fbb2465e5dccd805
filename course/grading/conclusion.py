"""Conclude what became of a task: its status, and a sentence for the student that is true."""

import re
from collections.abc import Sequence
from dataclasses import replace

from course.grading.reading.answers import Answers
from course.grading.reading.cells import normalized
from course.grading.reading.sheet import Sheet
from course.grading.results import Judged
from course.grading.stray_names import Stray, missing_name
from helpers.checks.source_check import Flag, flags, listed

_NOTHING = "Nothing has been written yet."
_UNREACHED = "Its check was not reached."
_ONLY_HIDDEN = "Its visible check passes. A hidden check, on inputs that you do not see, fails."
_PART_OPEN = "A part of it is not written yet."
_STILL_OPEN = "Something was written, but what its check runs is still as it was given."
_TEXT = "Text is next to its answer cell, in which nothing is written yet."
_LOOK = "Only answer cells are graded: a person has to look at it."
_PERSON = "A person has to look at it."
_NO_FILE = "No file that was handed in beside the notebook is there."
_WITHHELD = (
    "The code raised an exception. Your notebook shows what it says; here it is withheld, since a "
    "person has to look at the answer: {}."
)
_MODULE = re.compile(r"ModuleNotFoundError: No module named '(\w+)")
_OURS = ("course", "helpers", "tests", "whygrad")  # packages, of which not all is behind the walls
OPEN = ("passed", "not-gradable")  # nothing that is elsewhere changes these


def concluded(
    sheet: Sheet,
    answers: Answers,
    task: str,
    judged: Judged,
    doubts: Sequence[Flag],
    stray: Stray | None = None,
) -> Judged:
    """Return what became of a task, from what its cells showed and from what was submitted.

    Args:
        sheet, answers, task: what was submitted, for what.
        judged: what the cells showed; the status is "" where the check was not reached.
        doubts: what looks like tampering in its answer.
        stray: code outside of its answer cells that a person has to look at.
    """
    missing, module = missing_name(judged.message), _MODULE.search(judged.message)
    if doubts and judged.raised and judged.status != "passed":
        judged = _without_secrets(judged, doubts)
    if judged.status in ("passed", "partly") and doubts:
        # The numbers are right; whether they are the answer's own, its source leaves open.
        said = f"{judged.message} {_PERSON[:-1]}: {listed(doubts)}.".strip()
        return _for_a_person(judged, said)
    if judged.status in OPEN:
        return judged
    untouched = is_untouched(sheet, answers, task)
    said = "" if untouched else _said(judged)
    names = [cell.id for cell in sheet.answer_cells(task) if cell.id not in answers.sources]
    gone = f"The answer cell {names[0]} is missing" if names else ""
    if stray:
        about = _about(stray, untouched, gone)
        if missing and missing == stray.name:
            said = ""  # that the name is not defined: the question is where it is
        return _for_a_person(judged, f"{said} {about}".strip())
    if untouched and task in answers.beside:
        return _for_a_person(judged, f"{_TEXT} {_LOOK}")
    if untouched:
        return Judged("not-started", "not-started", f"{gone}." if gone else _NOTHING)
    if judged.status == "error" and module and module[1] not in _OURS:
        return _for_a_person(judged, f"{said} {_NO_FILE} {_PERSON}")
    return replace(judged, status=judged.status or "error", message=said)


def written(sheet: Sheet, answers: Answers, task: str) -> list[str]:
    """Return the sources of a task's answer cells that were handed in."""
    cells = sheet.answer_cells(task)
    return [answers.sources[cell.id] for cell in cells if cell.id in answers.sources]


def doubts_about(
    sheet: Sheet, answers: Answers, task: str, more: Sequence[str] = ()
) -> tuple[Flag, ...]:
    """Return what looks like tampering in the answer to a task, and in more code for it."""
    own = written(sheet, answers, task)
    return flags([*own, *more], [one for one in answers.sources.values() if one not in own])


def is_untouched(sheet: Sheet, answers: Answers, task: str) -> bool:
    """Return whether a task's answer cells are as they were given, or hold no code."""
    return all(
        normalized(answers.sources.get(cell.id, "")) in map(normalized, ("", cell.source))
        for cell in sheet.answer_cells(task)
    )


def _without_secrets(judged: Judged, doubts: Sequence[Flag]) -> Judged:
    """Keep what exceptions say from the student: it can be all that the answer has read.

    Hidden inputs are where answers run.
    """
    parts = tuple(replace(part, why="") for part in judged.parts)
    failed = tuple(line.partition(": ")[0] for line in judged.failed)
    bare = dict.fromkeys(("why", "look", "where"), "")
    judged = replace(judged, **bare, table=(), failed=failed, parts=parts)
    if not judged.message:
        return judged
    said = _WITHHELD.format(listed(doubts))
    return replace(judged, message=said, withheld=judged.raised)


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
    return f"`{stray.name}` is defined {where}. {_LOOK}"
