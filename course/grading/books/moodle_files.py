"""Write what Moodle takes back: a grading worksheet, and an archive of feedback, per exercise.

Moodle knows a participant by the number in `Identifier`, which is also in the names of the folders
of a download. It is of one assignment. The worksheet's other columns that are read are `Grade`, in
which an empty cell changes nothing, `Last modified (grade)` and those of feedback; names are not.
"""

import re
from collections.abc import Mapping, Sequence

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

_HEADINGS = (
    *("Identifier", "Full name", "Status", "Grade", "Maximum grade", "Grade can be changed"),
    *("Last modified (submission)", "Last modified (grade)"),
)
_FOLDER = re.compile(r".+_\d+_assignsubmission_[a-z]+_?", re.DOTALL)


def moodle_files(back: Sequence[HandedBack], worksheets: Mapping[str, RosterFile]) -> PlatformFiles:
    """Return the files for all exercises that came from Moodle, or that a worksheet is of.

    Args:
        back: with the entries of the exercise's worksheet, where there is one.
        worksheets: of Moodle's own, by exercise.
    """
    found = PlatformFiles()
    for exercise in sorted({one.exercise for one in back}):
        roster = worksheets.get(exercise)
        of_it = [one for one in back if one.exercise == exercise]
        numbered = [one for one in of_it if _number(one, roster)]
        left = [one for one in of_it if one.grade and _is_left_out(one, numbered)]
        if nameless := [one.student for one in left if not one.person.number]:
            found.notes.append(
                f"{exercise} of {named(nameless)} came from Moodle without a number, so Moodle's "
                "files are without it: enter the grade by hand."
            )
        if strangers := [one.student for one in left if one.person.number]:
            found.notes.append(
                f"The grading worksheet of {exercise} is without {named(strangers)}, who handed "
                "in: download it again, and give it with --roster."
            )
        if not numbered:
            continue
        if roster:
            _fill(found, exercise, numbered, roster)
        else:
            found.files[f"{exercise}.csv"] = _worksheet(numbered)
        pages = {_page(one, roster): one.page for one in numbered}
        if pages := {name: page for name, page in pages.items() if page}:
            found.files[f"{exercise}_feedback.zip"] = packed(pages)
    return found


def _number(one: HandedBack, roster: RosterFile | None) -> str:
    if roster is not None:
        return one.entry.number if one.entry else ""
    return one.person.number if one.person.platform == "moodle" else ""


def _is_left_out(one: HandedBack, numbered: Sequence[HandedBack]) -> bool:
    return one.person.platform == "moodle" and one not in numbered


def _worksheet(back: Sequence[HandedBack]) -> bytes:
    rows = [
        [
            *(f"Participant {one.person.number}", guarded(one.student), "", one.grade),
            *(str(number(one.max_points)), "Yes", "-", "-"),
        ]
        for one in sorted(back, key=lambda one: int(one.person.number))
    ]
    return table([_HEADINGS, *rows])


def _fill(
    found: PlatformFiles, exercise: str, back: Sequence[HandedBack], roster: RosterFile
) -> None:
    """Fill the grades into a worksheet of Moodle's own; all else stays as it is.

    What stands before the date of the grade is not read back, and may be a student's words.
    """
    grade, modified = roster.columns["grade"], roster.columns["modified"]
    most = roster.columns.get("maximum")
    kept = {roster.columns["identifier"], grade}
    grades = {_number(one, roster): one for one in back}
    rows = []
    for entry in roster.entries:
        cells = [
            text if index in kept or index >= modified else guarded(text)
            for index, text in enumerate(entry.cells)
        ]
        one = grades.get(entry.number)
        if one and one.grade:
            cells[grade] = one.grade
            if most is not None and differs(entry.cells[most], one.max_points):
                found.notes.append(
                    f"Moodle's assignment has a maximum grade of {entry.cells[most]} and "
                    f"{exercise} has {number(one.max_points)} points, so no worksheet is written: "
                    "make them the same in Moodle, and download the worksheet again."
                )
                return
        rows.append(cells)
    found.files[f"{exercise}.csv"] = table([roster.headings, *rows])


def _page(one: HandedBack, roster: RosterFile | None) -> str:
    """Return the place of a page in the archive: the folder's name as Moodle writes it."""
    folder = one.person.folder
    own = _number(one, roster)
    if not _FOLDER.fullmatch(folder) or f"_{own}_" not in folder:
        name = one.student.replace("_", " ")
        folder = f"{name}_{own}_assignsubmission_file"
    folder = "".join("-" if c in '/\\:*?"<>|' or not c.isprintable() else c for c in folder)
    return f"{folder.lstrip('.~ ') or own}/{one.exercise}.html"
