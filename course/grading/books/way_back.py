"""Write grades and feedback in the forms that learning platforms take."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from course.grading.books.canvas_files import canvas_files
from course.grading.books.handed_back import grade_of, packed
from course.grading.books.moodle_files import moodle_files
from course.grading.books.roster import NO_ROSTER, RosterFile
from course.grading.books.tally import points_of
from course.grading.books.worksheets import exercise_of, keep_worksheet, kept_worksheets
from course.grading.results import Result
from course.notebooks.write import write_whole

_NO_EXERCISE = (
    "The grading worksheet is of none of the exercises in this report: none of its participants "
    "has the number of a folder of the download. Give that of the assignment."
)


def write_way_back(
    folder: Path,
    results: Sequence[Result],
    roster: RosterFile = NO_ROSTER,
    course: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """Write them into `way_back/` of the report; return sentences on what they leave out.

    `moodle/` and `canvas/` have files for each exercise that came from there, or that a list of
    students is of. Grades that a person has to look at are left out, and so is missing work: a
    platform never gets a 0 that nobody gave.

    Args:
        folder: of the report, in which the feedback pages lie already.
        results: final ones, with points set by hand and what lateness took.
        roster: the list of students.
        course: the headings of the exercises of the course, by their names.

    Raises:
        ReportError: a worksheet of an earlier week cannot be read.
        OSError: something cannot be written.
    """
    notes = []
    if own := exercise_of(roster, results):
        keep_worksheet(folder, own, roster)
    elif roster.platform == "moodle" and not roster.is_remembered:
        notes.append(_NO_EXERCISE)
    sheets = kept_worksheets(folder)
    place = folder / "way_back"
    (place / "by_id.csv").unlink(missing_ok=True)  # of earlier versions
    for exercise in sorted({one.exercise for one in results}):
        graded = [one for one in results if one.exercise == exercise and grade_of(one)]
        found = {
            "moodle": moodle_files(folder, exercise, graded, sheets.get(exercise)),
            "canvas": canvas_files(exercise, graded, roster, course.get(exercise, "")),
        }
        for platform, files in found.items():
            archive = packed(files.feedback) if files.feedback else b""
            _write(place / platform / f"{exercise}.csv", files.grades)
            _write(place / platform / f"{exercise}_feedback.zip", archive)
            notes += files.notes
    is_there = any(place.glob("*/*.csv"))
    return [*notes, *(_left_out(results) if is_there else ())]


def _write(path: Path, content: bytes) -> None:
    """Write a file, or delete that of an earlier run."""
    if content:
        write_whole(path, content)
    else:
        path.unlink(missing_ok=True)


def _left_out(results: Sequence[Result]) -> list[str]:
    without = [one for one in results if not grade_of(one)]
    waiting = sum(points_of(one) is None for one in without)
    nothing = len(without) - waiting
    found = []
    if waiting:
        found.append(f"Exercises without a grade in way_back/ that need your review: {waiting}.")
    if nothing:
        found.append(
            f"Exercises without a grade in way_back/ that were not handed in: {nothing}. To give a "
            "0, write a line into overrides.csv with the exercise as the task and 0 points."
        )
    return found
