"""Keep Moodle's grading worksheets in a report, and write what Moodle takes back of an exercise.

A worksheet is of one assignment, and so are its participants' numbers: Moodle knows a participant
by the number in `Identifier`, which is also in the names of folders in a download and in an archive
of feedback. It reads back `Grade`, in which an empty cell changes nothing, `Last modified (grade)`,
and the columns of feedback. It does not read names.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from course.grading.books.gradebook import grade_of, guarded, table, worth_of
from course.grading.books.roster import RosterEntry, RosterFile, read_roster
from course.grading.report_folder import feedback_file
from course.grading.results import Result
from course.notebooks.write import write_whole

HEADINGS = (
    *("Identifier", "Full name", "Status", "Grade", "Maximum grade", "Grade can be changed"),
    *("Last modified (submission)", "Last modified (grade)"),
)
HAS_MARK = True  # by which its tables are known as UTF-8
_FOLDER = "rosters"


def kept_worksheets(folder: Path) -> dict[str, RosterFile]:
    """Return the worksheets that a report keeps, by exercise.

    Raises:
        TableError: one cannot be read.
    """
    paths = sorted((folder / _FOLDER).glob("[0-9][0-9]_*.csv"))
    return {path.stem: read_roster(path) for path in paths}


def keep_worksheet(folder: Path, exercise: str, roster: RosterFile) -> None:
    """Keep a worksheet, in place of an earlier one.

    Raises:
        OSError: it cannot be written.
    """
    rows = [roster.headings, *(entry.cells for entry in roster.entries)]
    write_whole(folder / _FOLDER / f"{exercise}.csv", table(rows))


def moodle_times(folder: Path, roster: RosterFile) -> dict[str, RosterEntry]:
    """Return when work was handed in, and what is a draft, by the participant's number.

    Args:
        folder: of the report, which keeps worksheets.
        roster: of this run, which counts more.

    Raises:
        TableError: a worksheet cannot be read.
    """
    sheets = [*kept_worksheets(folder).values(), roster]
    return {
        one.number: one for sheet in sheets if sheet.platform == "moodle" for one in sheet.entries
    }


def exercise_of(roster: RosterFile, results: Sequence[Result]) -> str:
    """Return the exercise of a worksheet: the one whose folders have its numbers; or "".

    Args:
        roster: of this run; an earlier one's may be of any week.
        results: of the whole report.
    """
    if roster.platform != "moodle" or roster.is_remembered:
        return ""
    own = {entry.number for entry in roster.entries}
    came = [one for one in results if one.person.platform == "moodle" and one.person.number]
    hits = Counter(sorted(one.exercise for one in came if one.person.number in own))
    if hits:
        return hits.most_common(1)[0][0]
    exercises = {one.exercise for one in results}
    return exercises.pop() if len(exercises) == 1 and not came else ""


def row_of(result: Result) -> tuple[str, ...]:
    """Return a row of a worksheet as Moodle would give it, by the number in a download."""
    start = f"Participant {result.person.number}", result.student, "", ""
    return *start, worth_of(result), "Yes", "-", "-"


def grades(sheet: RosterFile, numbered: Mapping[str, Result]) -> tuple[list, str]:
    """Return the rows of a worksheet with grades, and the maximum that it says.

    What comes before the date of the grade is not read back, and may be a student's words.
    """
    grade, modified = sheet.columns["grade"], sheet.columns["modified"]
    rows, maximum = [sheet.headings], ""
    for entry in sheet.entries:
        cells = [*map(guarded, entry.cells[:modified]), *entry.cells[modified:]]
        if one := numbered.get(entry.number):
            maximum = entry.cells[sheet.columns.get("maximum", grade)]
            cells[grade] = grade_of(one)
        rows.append(cells)
    return rows, maximum


def feedback(
    folder: Path, numbered: Mapping[str, Result], _: Sequence[Result]
) -> dict[str, tuple[str, str, bytes]]:
    """Return the pages of all whose number is known, by student: its folder, name and content."""
    return {
        one.student: (
            f"{one.student.replace('_', ' ')}_{number}_assignsubmission_file_",
            f"{one.exercise}.html",
            (folder / feedback_file(one.student, one.exercise)).read_bytes(),
        )
        for number, one in numbered.items()
    }
