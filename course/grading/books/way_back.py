"""Write grades and feedback in the forms that learning platforms take."""

import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from course.grading.books import canvas_files, moodle_files
from course.grading.books.gradebook import grade_of, table, worth_of
from course.grading.books.identity import entries_by_student
from course.grading.books.roster import NO_ROSTER, RosterEntry, RosterFile, columns_of, named
from course.grading.books.tally import points_of
from course.grading.results import Result
from course.notebooks.write import write_whole

# Each has `HEADINGS` and `row_of` for a table that the platform did not give, and `grades` and
# `feedback` for what it takes back.
_PLATFORMS = {"moodle": moodle_files, "canvas": canvas_files}
_NO_EXERCISE = (
    "The grading worksheet is of none of the exercises in this report: none of its participants "
    "has the number of a folder of the download. Give that of the assignment."
)


def write_way_back(
    folder: Path, results: Sequence[Result], roster: RosterFile = NO_ROSTER
) -> list[str]:
    """Write them into `way_back/` of the report; return sentences on what they leave out.

    `moodle/` and `canvas/` have files for each exercise that came from there, or that a list of
    students is of. Grades that a person has to look at are left out, and so is missing work: a
    platform never gets a 0 that nobody gave.

    Args:
        folder: of the report, in which the feedback pages lie already.
        results: final ones, with points set by hand and what lateness took.
        roster: the list of students.

    Raises:
        TableError: a worksheet of an earlier week cannot be read.
        OSError: something cannot be written.
    """
    notes = []
    if own := moodle_files.exercise_of(roster, results):
        moodle_files.keep_worksheet(folder, own, roster)
    elif roster.platform == "moodle" and not roster.is_remembered:
        notes.append(_NO_EXERCISE)
    sheets = moodle_files.kept_worksheets(folder)
    place = folder / "way_back"
    for exercise in sorted({one.exercise for one in results}):
        graded = [one for one in results if one.exercise == exercise and grade_of(one)]
        given = {"moodle": sheets.get(exercise, NO_ROSTER), "canvas": roster}
        for name in _PLATFORMS:
            notes += _write_files(folder, name, given[name], exercise, graded)
    is_there = any(place.glob("*/*.csv"))
    return [*notes, *(_left_out(results) if is_there else ())]


def _write_files(
    folder: Path, name: str, given: RosterFile, exercise: str, graded: Sequence[Result]
) -> list[str]:
    """Write the files of an exercise for a platform; return sentences on what they leave out."""
    platform, title = _PLATFORMS[name], name.capitalize()
    came = [one for one in graded if one.person.platform == name]
    roster = given if given.platform == name else _of_download(name, came)
    numbered = _by_number(graded, roster)
    files = platform.feedback(folder, numbered, came)
    known = {one.student for one in numbered.values()}
    notes = [
        f"{title}'s {what} for {exercise} is without {named(left)}, for whom nothing has the "
        "number or the file that it takes: see to them by hand, or give a new list with --roster."
        for what, there in {"table of grades": known, "archive of feedback": files}.items()
        if (left := [one.student for one in came if one.student not in there])
    ]
    rows, maximum = platform.grades(roster, numbered) if numbered else ([], "")
    if numbered and _is_another(maximum, worth := worth_of(graded[0])):
        rows = []
        notes.append(
            f"{title} has a maximum of {maximum} for {exercise}, which has {worth} points, so no "
            "table is written: make them the same there, and export its table again."
        )
    place = folder / "way_back" / name
    _write(place / f"{exercise}.csv", table(rows, platform.HAS_MARK) if rows else b"")
    _write(place / f"{exercise}_feedback.zip", _packed(files.values()) if files else b"")
    return notes


def _of_download(platform: str, came: Sequence[Result]) -> RosterFile:
    """Return a list as the platform would give it, by the numbers in a download."""
    headings, row_of = _PLATFORMS[platform].HEADINGS, _PLATFORMS[platform].row_of
    entries = (
        RosterEntry(one.student, number=one.person.number, cells=row_of(one))
        for one in came
        if one.person.number.isdecimal()  # which those of hidden names are not
    )
    return RosterFile(tuple(entries), platform, headings, columns_of(headings))


def _by_number(results: Sequence[Result], roster: RosterFile) -> dict[str, Result]:
    """Return the results of students on a list, by the platform's number."""
    people = [replace(one.person, name=one.student) for one in results]
    entries = entries_by_student(roster, people)
    return {entries[one.student].number: one for one in results if one.student in entries}


def _is_another(maximum: str, worth: str) -> bool:
    try:
        return abs(float(maximum) - float(worth)) > 1e-6
    except ValueError:
        return False  # it says none


def _packed(files: Iterable[tuple[str, str, bytes]]) -> bytes:
    """Return an archive of folders, names and contents: the same for the same files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for folder, name, page in sorted(files):
            place = "/".join(filter(None, map(_plain, (folder, name))))
            # Its time is always the same, which that of a mere name is not.
            archive.writestr(zipfile.ZipInfo(place), page, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _plain(name: str) -> str:
    """Return the name of a file that every disk and every platform takes."""
    shown = ("-" if c in '/\\:*?"<>|' or not c.isprintable() else c for c in name)
    return "".join(shown).lstrip(".~ ")


def _write(path: Path, content: bytes) -> None:
    """Write a file, or delete that of an earlier run."""
    if content:
        write_whole(path, content)
    else:
        path.unlink(missing_ok=True)


def _left_out(results: Sequence[Result]) -> list[str]:
    without = [one for one in results if not grade_of(one)]
    waiting = sum(points_of(one) is None for one in without)
    if not without:
        return []
    return [
        f"Without a grade in way_back/: {waiting} that need your review, "
        f"{len(without) - waiting} that were not handed in. To give a 0 for these, write a line "
        "into overrides.csv with the exercise as the task and 0 points."
    ]
