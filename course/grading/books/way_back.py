"""Write grades and feedback in the forms that learning platforms take."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from course.grading.books.canvas_files import canvas_files
from course.grading.books.feedback_notebook import feedback_notebook
from course.grading.books.handed_back import HandedBack, guarded, table
from course.grading.books.matching import Matching, match
from course.grading.books.moodle_files import moodle_files
from course.grading.books.roster import NO_ROSTER, RosterFile, named
from course.grading.books.tally import has_page, is_handed_in, is_open, points_of
from course.grading.books.worksheets import exercise_of, remembered_worksheets
from course.grading.report_folder import feedback_file
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
    """Write them into `way_back/` of the report; return sentences on whom they leave out.

    `moodle/` and `canvas/` have files for each exercise that came from there, or that the list of
    students is of; `by_id.csv` has all students, with the ids of the list. Grades that a person has
    to look at are empty, and so are those of who handed in nothing: a platform never gets a 0 that
    nobody gave.

    Args:
        folder: of the report, in which the feedback pages lie already.
        results: final ones, with points set by hand and what lateness took.
        roster: the list of students.
        course: the headings of all exercises of the course, by their names.

    Raises:
        ReportError: a worksheet of an earlier week cannot be read.
        OSError: something cannot be written.
    """
    matching = _matched(roster, results)
    back = _handed_back(folder, results, matching)
    exercises = {one.exercise for one in back}
    own = "" if roster.is_remembered else exercise_of(roster, back)
    is_of_none = roster.platform == "moodle" and not (own or roster.is_remembered)
    notes = [_NO_EXERCISE] if is_of_none else []
    sheets = remembered_worksheets(folder, exercises, own, roster)
    moodle = moodle_files(_of_worksheets(back, results, sheets, own), sheets)
    canvas = canvas_files(_of_canvas(back, results, roster), roster, course)
    place = folder / "way_back"
    write_whole(place / "by_id.csv", _by_id(back, roster))
    _write_all(place / "moodle", moodle.files, exercises)
    _write_all(place / "canvas", canvas.files, exercises)
    return [
        *matching.notes,
        *notes,
        *moodle.notes,
        *canvas.notes,
        *_left_out(back, results, matching.loose),
    ]


def _matched(roster: RosterFile, results: Sequence[Result]) -> Matching:
    """Match those who handed in before those who are only on the list, as earlier runs knew it."""
    workers = {one.student for one in results if is_handed_in(one)}
    people = [replace(one.person, name=one.student) for one in results]
    first = match(roster, [one for one in people if one.name in workers])
    taken = {id(entry) for entry in first.entries.values()}
    rest = replace(roster, entries=tuple(one for one in roster.entries if id(one) not in taken))
    others = match(rest, [one for one in people if one.name not in workers])
    entries = {**others.entries, **first.entries}
    return replace(first, entries=entries, loose=first.loose | others.loose)


def _of_worksheets(
    back: Sequence[HandedBack],
    results: Sequence[Result],
    sheets: Mapping[str, RosterFile],
    own: str,
) -> list[HandedBack]:
    """Return what goes back with the entries of the worksheets of earlier weeks."""
    matchings = {
        exercise: _matched(sheet, [one for one in results if one.exercise == exercise])
        for exercise, sheet in sheets.items()
        if exercise != own
    }
    found = []
    for one in back:
        if matching := matchings.get(one.exercise):
            one = replace(one, entry=matching.entries.get(one.student))
            if one.student in matching.loose:
                one = replace(one, points=None, page=b"", notebook=b"")
        found.append(one)
    return found


def _of_canvas(
    back: Sequence[HandedBack], results: Sequence[Result], roster: RosterFile
) -> list[HandedBack]:
    """Return what goes back to Canvas: exercises that came from there, or all by its gradebook."""
    came = {
        one.exercise for one in results if one.person.platform == "canvas" and is_handed_in(one)
    }
    return [one for one in back if roster.platform == "canvas" or one.exercise in came]


def _handed_back(folder: Path, results: Sequence[Result], matching: Matching) -> list[HandedBack]:
    found = []
    for one in results:
        is_certain = one.student not in matching.loose
        points = points_of(one) if is_certain and has_page(one) else None
        page = folder / feedback_file(one.student, one.exercise)
        worth = sum(task.max_points for task in one.tasks)
        given = {"page": page.read_bytes()} if points is not None and page.is_file() else {}
        if given and one.person.platform == "canvas":
            given["notebook"] = feedback_notebook(one)
        entry = matching.entries.get(one.student)
        found.append(
            HandedBack(
                *(one.student, one.exercise, one.person, entry, points, worth),
                **given,
                file=one.file,
            )
        )
    return found


def _by_id(back: Sequence[HandedBack], roster: RosterFile) -> bytes:
    """Return a row for each student: the name, the ids of the list, a column for each exercise."""
    headings = list(dict.fromkeys(key for entry in roster.entries for key in entry.ids))
    exercises = sorted({one.exercise for one in back})
    rows: dict[str, list[str]] = {}
    for one in back:
        ids = one.entry.ids if one.entry else {}
        if one.student not in rows:
            known = [guarded(ids.get(heading, "")) for heading in headings]
            rows[one.student] = [guarded(one.student), *known, *[""] * len(exercises)]
        rows[one.student][1 + len(headings) + exercises.index(one.exercise)] = one.grade
    return table([["student", *map(guarded, headings), *exercises], *rows.values()])


def _write_all(place: Path, files: dict[str, bytes], exercises: Iterable[str]) -> None:
    """Write files, and delete those of an earlier run that this one does not write."""
    for name, content in files.items():
        write_whole(place / name, content)
    ours = {f"{exercise}{end}" for exercise in exercises for end in (".csv", "_feedback.zip")}
    for name in ours - files.keys():
        (place / name).unlink(missing_ok=True)


def _left_out(
    back: Sequence[HandedBack], results: Sequence[Result], loose: Collection[str]
) -> list[str]:
    there = {(one.student, one.exercise) for one in results if is_open(one)}
    without = [one for one in back if one.points is None and one.student not in loose]
    waiting = sum((one.student, one.exercise) in there for one in without)
    nothing = len(without) - waiting
    found = []
    if loose:
        said = f"way_back has no grade where it is not certain who it is: {named(sorted(loose))}."
        found.append(said)
    if waiting:
        found.append(f"way_back has no grade yet where a person has to look: {_count(waiting)}.")
    if nothing:
        found.append(
            f"way_back has no grade where nothing was handed in: {_count(nothing)}. To give a 0, "
            "write a line into overrides.csv with the exercise as the task and 0 points."
        )
    return found


def _count(number: int) -> str:
    return "1 exercise of a student" if number == 1 else f"{number} exercises of students"
