"""Write what Canvas takes back: a gradebook with one assignment, per exercise.

Canvas knows a student by `ID`, which is also in the names of the files of a download; where one is
not known to it, by SIS ids. A grade that stands in Canvas is deleted by an empty cell, so that
a student who has no grade to get has no row.

Files that are uploaded for all submissions together come to the student whose number their names
begin with, and are shown under the name of the file that the student handed in: so feedback goes
back as a notebook.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from course.grading.books.gradebook import grade_of, guarded, worth_of
from course.grading.books.pages import feedback_page
from course.grading.books.roster import RosterFile
from course.grading.books.tally import is_handed_in
from course.grading.results import Result

HEADINGS = ("Student", "ID", "Section")
HAS_MARK = False  # after which Canvas could not read a quotation mark
_EXCUSED = ("ex", "n/a")
_TITLE = re.compile(r"(.*) \(\d+\)", re.DOTALL)
# Programs that show notebooks make formulas of what these begin, also within HTML.
_NO_FORMULAS = str.maketrans("$\\", "＄＼")


def row_of(result: Result) -> tuple[str, ...]:
    """Return a row of a gradebook as Canvas would give it, by the number in a download."""
    return result.student, result.person.number, ""


def grades(roster: RosterFile, numbered: Mapping[str, Result]) -> tuple[list, str]:
    """Return the rows of a gradebook, and the maximum that it says.

    They have the rows and columns of students, and of the assignments this one alone. If no
    assignment is surely this one, it has the name of the exercise, and Canvas asks at the import.
    """
    first = next(iter(numbered.values()))
    column = _assignment(roster.headings, first.exercise)
    title = first.exercise if column is None else roster.headings[column]
    none = ("    Points Possible", *[""] * len(roster.headings))
    possible = next((row for row in roster.above if "Points Possible" in row[0]), none)
    end = roster.columns["section"] + 1  # of the columns before those of assignments
    rows = [(roster.headings, title), (possible, worth_of(first))]
    for entry in roster.entries:
        is_excused = column is not None and entry.cells[column].strip().casefold() in _EXCUSED
        if entry.number in numbered and not is_excused:
            rows.append((entry.cells, grade_of(numbered[entry.number])))
    most = "" if column is None else possible[column]
    return [[*map(guarded, cells[:end]), last] for cells, last in rows], most


def _assignment(headings: Sequence[str], exercise: str) -> int | None:
    """Return the only column whose title is the exercise's name or number; else None."""
    number = _words(exercise)[0]
    called = list(map(_words, (exercise, f"exercise {exercise}", f"exercise {number}")))
    titles = enumerate(map(_TITLE.fullmatch, headings))
    ours = [place for place, title in titles if title and _words(title[1]) in called]
    return ours[0] if len(ours) == 1 else None


def _words(title: str) -> list[str]:
    words = re.findall(r"[^\W_]+", title.casefold())
    return [word.lstrip("0") or "0" for word in words]


def feedback(
    _: Path, __: Mapping[str, Result], came: Sequence[Result]
) -> dict[str, tuple[str, str, bytes]]:
    """Return the feedback of all who handed in a notebook, by student: folder, name, content."""
    return {
        one.student: ("", f"{one.person.folder}{one.exercise}.ipynb", feedback_notebook(one))
        for one in came
        if is_handed_in(one) and one.person.folder and _was_notebook(one)
    }


def _was_notebook(one: Result) -> bool:
    """Return whether what came was a notebook, and not an archive with one in it."""
    own = one.file.rpartition(one.person.folder)[2].partition("/")[0]
    return not own or own.casefold().endswith(".ipynb")


def feedback_notebook(result: Result) -> bytes:
    """Return what the feedback page says as a notebook of one cell, without the student's code."""
    tasks = tuple(replace(task, code="") for task in result.tasks)
    page = feedback_page(replace(result, tasks=tasks), {})
    body = page.partition("<body>")[2].partition("</body>")[0].translate(_NO_FORMULAS)
    cell = {"cell_type": "markdown", "id": "feedback", "metadata": {}, "source": body.strip()}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"
