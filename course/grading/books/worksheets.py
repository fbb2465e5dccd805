"""Remember in a report each exercise's grading worksheet of Moodle, to be filled in later weeks.

A worksheet is of one assignment, and so are its participants' numbers: Moodle skips the rows of
others without a word.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from course.grading.books.handed_back import HandedBack, table
from course.grading.books.roster import RosterError, RosterFile, read_roster
from course.grading.report_folder import ReportError
from course.grading.results import Result
from course.notebooks.write import write_whole

_FOLDER = "rosters"


def remembered_worksheets(
    folder: Path, exercises: Iterable[str], own: str, roster: RosterFile
) -> dict[str, RosterFile]:
    """Return the worksheets that a report knows, by exercise; keep that of this run.

    Args:
        folder: of the report.
        exercises: that are in it.
        own: the exercise that `roster` is the worksheet of; "" if it is of none.
        roster: the list of this run.

    Raises:
        ReportError: one cannot be read.
        OSError: it cannot be written.
    """
    found = {}
    for exercise in sorted({*exercises} - {own}):
        path = folder / _FOLDER / f"{exercise}.csv"
        if not path.exists():
            continue
        try:
            found[exercise] = read_roster(path)
        except RosterError as error:
            raise ReportError(
                f"{error.args[0]} Or delete {path}, and give that week's worksheet with --roster."
            ) from None
    if own:
        rows = [roster.headings, *(entry.cells for entry in roster.entries)]
        write_whole(folder / _FOLDER / f"{own}.csv", table(rows))
        found[own] = roster
    return {exercise: one for exercise, one in found.items() if one.platform == "moodle"}


def kept_worksheets(folder: Path) -> list[RosterFile]:
    """Return the worksheets that a report keeps, without those that cannot be read.

    Args:
        folder: of the report.
    """
    found = []
    for path in sorted((folder / _FOLDER).glob("[0-9][0-9]_*.csv")):
        with suppress(RosterError):  # which is said where they are filled in
            found.append(read_roster(path))
    return [one for one in found if one.platform == "moodle"]


def exercise_of(roster: RosterFile, back: Sequence[HandedBack | Result]) -> str:
    """Return which exercise a worksheet is of: that whose folders have its numbers."""
    if roster.platform != "moodle":
        return ""
    numbers = {entry.number for entry in roster.entries}
    exercises = {one.exercise for one in back}
    hits = {
        exercise: sum(
            one.exercise == exercise
            and one.person.platform == "moodle"
            and one.person.number in numbers
            for one in back
        )
        for exercise in exercises
    }
    best = max(sorted(hits), key=hits.__getitem__, default="")
    has_numbers = any(one.person.platform == "moodle" and one.person.number for one in back)
    if best and hits[best]:
        return best
    return best if len(exercises) == 1 and not has_numbers else ""


def of_another_week(
    roster: RosterFile, results: Sequence[Result], graded: Collection[str]
) -> list[str]:
    """Return a sentence if a run was given the worksheet of an exercise that it did not grade.

    Args:
        roster: of the run.
        results: of the whole report.
        graded: the exercises of which the run found work.
    """
    own = "" if roster.is_remembered else exercise_of(roster, results)
    if not own or not graded or own in graded:
        return []
    return [
        f"The list of the class is the grading worksheet of {own}, by the numbers of its "
        f"participants, and this run graded {' and '.join(sorted(graded))}: give the worksheet of "
        "that with --roster."
    ]


def moodle_times(folder, roster):
    return {}
