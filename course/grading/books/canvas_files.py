"""Write what Canvas takes back: a gradebook with one assignment, per exercise.

Canvas knows a student by `ID`, which is also in the names of the files of a download; where one is
not known to it, by SIS ids. A grade that stands in Canvas is deleted by an empty cell, so that
whoever has no grade to get has no row.

Files that are uploaded for all submissions together come to the student whose number their names
begin with, and are shown under the name of the file that the student handed in: so feedback goes
back as a notebook.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from course.grading.books.handed_back import (
    PlatformFiles,
    by_number,
    grade_of,
    guarded,
    plain,
    table,
    unlike,
    worth_of,
)
from course.grading.books.pages import feedback_page
from course.grading.books.roster import RosterEntry, RosterFile, columns_of, named
from course.grading.books.tally import is_handed_in
from course.grading.results import Result
from course.notebooks.student_notebook import UnreadableNotebookError, read_cells, source_of

_HEADINGS = ("Student", "ID", "Section")
_EXCUSED = ("ex", "n/a")
_TITLE = re.compile(r"(.*) \(\d+\)", re.DOTALL)
# Programs that show notebooks make formulas of what these begin, also within HTML.
_NO_FORMULAS = str.maketrans("$\\", "＄＼")


def exercise_headings(root: Path) -> dict[str, str]:
    """Return the first line of each exercise of the course, by its name."""
    found = {}
    for path in (root / "exercises").glob("*.ipynb"):
        with suppress(UnreadableNotebookError, IndexError):
            found[path.stem] = source_of(read_cells(path)[0]).partition("\n")[0].lstrip("# ")
    return found


def canvas_files(
    exercise: str, results: Sequence[Result], roster: RosterFile, heading: str = ""
) -> PlatformFiles:
    """Return the files for an exercise that came from Canvas, or for any if a gradebook is given.

    Args:
        exercise: such as "05_square".
        results: of the exercise, that have a grade.
        roster: the list of students.
        heading: of the exercise, as an assignment may be called.
    """
    found = PlatformFiles()
    came = [one for one in results if one.person.platform == "canvas" and is_handed_in(one)]
    if roster.platform != "canvas":
        roster = _of_download(results if came else [])
        if came and not roster.entries:
            found.notes.append(
                "Canvas hid the names in its download, so that it cannot take these grades back: "
                "download the work again once the names are shown."
            )
    if numbered := by_number(results, roster):
        _fill(found, numbered, roster, heading)
    _add_feedback(found, exercise, came)
    return found


def _of_download(results: Sequence[Result]) -> RosterFile:
    """Return a gradebook as Canvas would give it, by the numbers in a download."""
    entries = []
    for one in results:
        name, own = one.student, one.person.number
        if one.person.platform == "canvas" and own.isdecimal():
            entries.append(RosterEntry(name, number=own, cells=(name, own, "")))
    return RosterFile(tuple(entries), "canvas", _HEADINGS, columns_of(_HEADINGS))


def _fill(
    found: PlatformFiles, numbered: Mapping[str, Result], roster: RosterFile, heading: str
) -> None:
    """Take rows and columns of students from a gradebook, and of its assignments this one alone."""
    first = next(iter(numbered.values()))
    column, notes = assignment_column(roster.headings, first.exercise, heading)
    found.notes += notes
    title = first.exercise if column is None else roster.headings[column]
    none = ("    Points Possible", *[""] * len(roster.headings))
    possible = next((row for row in roster.above if "Points Possible" in row[0]), none)
    if column is not None and (said := unlike(f"Canvas's “{title}”", possible[column], first)):
        found.notes.append(said)
        return
    end = roster.columns["section"] + 1  # of the columns before those of assignments
    rows = [(roster.headings, title), (possible, worth_of(first))]
    for entry in roster.entries:
        one = numbered.get(entry.number)
        is_excused = column is not None and entry.cells[column].strip().casefold() in _EXCUSED
        if one and not is_excused:
            rows.append((entry.cells, grade_of(one)))
    own = ([*map(guarded, cells[:end]), last] for cells, last in rows)
    found.grades = table(own, mark=False)


def assignment_column(
    columns: Sequence[str], exercise: str, heading: str
) -> tuple[int | None, list[str]]:
    """Return the column of an exercise's assignment; if it is not certain, None and a sentence.

    Args:
        columns: the headings of the gradebook.
        exercise: such as "05_square".
        heading: such as "Exercise 5. Square"; "" if there is none.
    """
    number = _words(exercise)[0]
    called = (exercise, heading, f"exercise {exercise}", f"exercise {number}")
    titles = {i: match[1] for i, text in enumerate(columns) if (match := _TITLE.fullmatch(text))}
    ours = [i for i, title in titles.items() if _words(title) in map(_words, called)]
    if len(ours) == 1:
        return ours[0], []
    many = "more than one assignment is" if ours else "no assignment is"
    said = (
        f"In Canvas's gradebook {many} named after {exercise}: Canvas asks at the import which one "
        f"is meant. Call it “Exercise {number}” or “{heading or exercise}” to have it known."
    )
    return None, [said] if titles else []


def _words(title: str) -> list[str]:
    words = re.findall(r"[^\W_]+", title.casefold())
    return [word.lstrip("0") or "0" for word in words]


def _add_feedback(found: PlatformFiles, exercise: str, came: Sequence[Result]) -> None:
    left_out = []
    for one in came:
        if one.person.folder and _was_notebook(one):
            name = plain(f"{one.person.folder}{exercise}.ipynb")
            found.feedback[name] = feedback_notebook(one)
        else:
            left_out.append(one.student)
    if left_out:
        found.notes.append(
            f"Canvas's archive of feedback on {exercise} is without {named(left_out)}, who handed "
            "in no notebook by itself: their pages are in feedback/."
        )


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
