"""Write what Canvas takes back: a gradebook with one assignment, per exercise.

Canvas knows a student by `ID`, which is also in the names of the files of a download; where one is
not known to it, by SIS ids. A grade that stands in Canvas is deleted by an empty cell, so that
whoever has no grade to get has no row.

Files that are uploaded for all submissions together come to whom the number at the beginning of
their names says, and are shown under the name of the file that the student handed in: so feedback
goes back as a notebook.
"""

import re
from collections.abc import Mapping, Sequence

from course.grading.books.canvas_columns import assignment_column
from course.grading.books.gradebook import number
from course.grading.books.handed_back import (
    HandedBack,
    PlatformFiles,
    differs,
    guarded,
    packed,
    table,
)
from course.grading.books.roster import RosterFile, named

# The columns before those of the assignments, in Canvas's order.
_STUDENT = (
    *("student", "lastname", "firstname", "id", "sis user id", "sis login id"),
    *("integration id", "root account", "section"),
)
# As the names of files in a download begin: the student's number, and the file's.
_PREFIX = re.compile(r"(?:.+_(?:LATE_)?\d+|(?:LATE_)?anon_[A-Za-z0-9]+)_(?:LATE_)?\d+_", re.DOTALL)
_EXCUSED = ("ex", "n/a")


def canvas_files(
    back: Sequence[HandedBack], roster: RosterFile, course: Mapping[str, str]
) -> PlatformFiles:
    """Return the files for all exercises that came from Canvas, or all if a gradebook is given.

    Args:
        back: what goes back.
        roster: the list of students.
        course: the headings of all exercises of the course, by their names.
    """
    found = PlatformFiles()
    if roster.platform != "canvas" and any(map(_is_nameless, back)):
        found.notes.append(
            "Canvas hid the names in its download, so that it cannot take these grades back: "
            "download the work again once the names are shown."
        )
    exercises = {one.exercise for one in back}
    course = dict.fromkeys(exercises, "") | dict(course)
    for exercise in sorted(exercises):
        graded = [one for one in back if one.exercise == exercise and one.grade]
        if roster.platform == "canvas":
            _from_gradebook(found, exercise, graded, roster, course)
        elif rows := [_row(one) for one in graded if _is_of_canvas(one)]:
            worth = str(number(graded[0].max_points))
            top = ["Student", "ID", "Section", exercise], ["    Points Possible", "", "", worth]
            found.files[f"{exercise}.csv"] = table([*top, *sorted(rows)], mark=False)
        _pack_feedback(found, exercise, graded)
    return found


def _pack_feedback(found: PlatformFiles, exercise: str, graded: Sequence[HandedBack]) -> None:
    notebooks, left_out = {}, []
    for one in graded:
        if one.person.platform == "canvas" and one.notebook:
            name = f"{one.person.folder}{exercise}.ipynb"
            name = "".join("-" if c in '/\\:*?"<>|' or not c.isprintable() else c for c in name)
            if _PREFIX.match(name) and _was_notebook(one):
                notebooks[name] = one.notebook
            else:
                left_out.append(one.student)
    if notebooks:
        found.files[f"{exercise}_feedback.zip"] = packed(notebooks)
    if left_out:
        found.notes.append(
            f"Canvas's archive of feedback on {exercise} is without {named(left_out)}, who handed "
            "in no notebook by itself: their pages are in feedback/."
        )


def _was_notebook(one: HandedBack) -> bool:
    parts = one.file.split("/")
    own = next((part for part in parts if part.startswith(one.person.folder)), parts[-1])
    return not own or own.casefold().endswith(".ipynb")


def _is_of_canvas(one: HandedBack) -> bool:
    return one.person.platform == "canvas" and one.person.number.isdecimal()


def _is_nameless(one: HandedBack) -> bool:
    return one.person.platform == "canvas" and one.person.number.startswith("anon_")


def _row(one: HandedBack) -> list[str]:
    return [guarded(one.student), one.person.number, "", one.grade]


def _from_gradebook(
    found: PlatformFiles,
    exercise: str,
    graded: Sequence[HandedBack],
    roster: RosterFile,
    course: Mapping[str, str],
) -> None:
    """Take rows and columns of students from a gradebook, and of its assignments this one alone."""
    known = {id(one.entry): one for one in graded if one.entry}
    if not known:
        return
    kept = [i for i, text in enumerate(roster.headings) if text.casefold() in _STUDENT]
    column, said = assignment_column(roster.headings, exercise, course)
    if said:
        found.notes.append(said)
    worth = next(iter(known.values())).max_points
    possible = next((row for row in roster.above if "points possible" in row[0].casefold()), None)
    if possible and column is not None and differs(possible[column], worth):
        found.notes.append(
            f"Canvas's assignment “{roster.headings[column]}” has {possible[column]} possible "
            f"points and {exercise} has {number(worth)}, so no gradebook is written: make "
            "them the same in Canvas, and export the gradebook again."
        )
        return
    heading = exercise if column is None else roster.headings[column]
    rows = [[roster.headings[i] for i in kept] + [heading]]
    first = possible or ["    Points Possible", *[""] * len(roster.headings)]
    rows.append([first[i] for i in kept] + [str(number(worth))])
    for entry in roster.entries:
        one = known.get(id(entry))
        is_excused = column is not None and entry.cells[column].strip().casefold() in _EXCUSED
        if one and not is_excused:
            rows.append([guarded(entry.cells[i]) for i in kept] + [one.grade])
    found.files[f"{exercise}.csv"] = table(rows, mark=False)
