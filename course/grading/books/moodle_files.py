"""Write what Moodle takes back: a grading worksheet, and an archive of feedback, per exercise.

Moodle knows a participant by the number in `Identifier`, which is also in the names of folders in
a download and in an archive of feedback. It reads back `Grade`, in which an empty cell changes
nothing, `Last modified (grade)`, and the columns of feedback. It does not read names.
"""

from collections.abc import Mapping, Sequence
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
from course.grading.books.roster import RosterEntry, RosterFile, columns_of, named
from course.grading.report_folder import feedback_file
from course.grading.results import Result

_HEADINGS = (
    *("Identifier", "Full name", "Status", "Grade", "Maximum grade", "Grade can be changed"),
    *("Last modified (submission)", "Last modified (grade)"),
)


def moodle_files(
    folder: Path, exercise: str, results: Sequence[Result], sheet: RosterFile | None
) -> PlatformFiles:
    """Return the files for an exercise that came from Moodle, or that a worksheet is of.

    Args:
        folder: of the report, which has the feedback pages.
        exercise: such as "05_square".
        results: of the exercise, that have a grade.
        sheet: its grading worksheet; None if there is none, so that one is made.
    """
    came = [one for one in results if one.person.platform == "moodle"]
    sheet = sheet or _of_download(came)
    numbered = by_number(results, sheet)
    known = {one.student for one in numbered.values()}
    found = PlatformFiles()
    if left := [one.student for one in came if one.student not in known]:
        found.notes.append(
            f"Moodle's files on {exercise} are without {named(left)}: the worksheet or the "
            "download has no number of theirs. Give a new grading worksheet with --roster, or "
            "enter the grade by hand."
        )
    for number, one in numbered.items():
        name = f"{one.student.replace('_', ' ')}_{number}_assignsubmission_file"
        place = f"{plain(name).lstrip('.~ ')}/{exercise}.html"
        found.feedback[place] = (folder / feedback_file(one.student, exercise)).read_bytes()
    if sheet.entries:
        _fill(found, numbered, sheet)
    return found


def _of_download(results: Sequence[Result]) -> RosterFile:
    """Return a worksheet as Moodle would give it, by the numbers in a download."""
    entries = []
    for one in results:
        if number := one.person.number:
            start = (f"Participant {number}", one.student, "", "", worth_of(one))
            cells = (*start, "Yes", "-", "-")
            entries.append(RosterEntry(one.student, number=number, cells=cells))
    return RosterFile(tuple(entries), "moodle", _HEADINGS, columns_of(_HEADINGS))


def _fill(found: PlatformFiles, numbered: Mapping[str, Result], sheet: RosterFile) -> None:
    """Fill the grades into a worksheet; all else stays as it is.

    What comes before the date of the grade is not read back, and may be a student's words.
    """
    grade, modified = sheet.columns["grade"], sheet.columns["modified"]
    rows = []
    for entry in sheet.entries:
        cells = [*map(guarded, entry.cells[:modified]), *entry.cells[modified:]]
        if one := numbered.get(entry.number):
            cells[grade] = grade_of(one)
            most = entry.cells[sheet.columns.get("maximum", grade)]
            if said := unlike("Moodle's assignment", most, one):
                found.notes.append(said)
                return
        rows.append(cells)
    found.grades = table([sheet.headings, *rows])
