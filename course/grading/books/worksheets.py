"""Keep each exercise's grading worksheet of Moodle in a report: for times, and to be filled in.

A worksheet is of one assignment, and so are its participants' numbers.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from course.grading.books.handed_back import table
from course.grading.books.roster import RosterEntry, RosterError, RosterFile, read_roster
from course.grading.report_folder import ReportError
from course.grading.results import Result
from course.notebooks.write import write_whole

_FOLDER = "rosters"


def kept_worksheets(folder: Path) -> dict[str, RosterFile]:
    """Return the worksheets that a report keeps, by exercise.

    Raises:
        ReportError: one cannot be read.
    """
    found = {}
    for path in sorted((folder / _FOLDER).glob("[0-9][0-9]_*.csv")):
        try:
            sheet = found[path.stem] = read_roster(path)
            if sheet.platform != "moodle":
                raise RosterError(f"{path.name} is not a grading worksheet of Moodle.")
        except RosterError as error:
            raise ReportError(
                f"{error.args[0]} Or delete {path}, and give that week's worksheet with --roster."
            ) from None
    return found


def keep_worksheet(folder: Path, exercise: str, roster: RosterFile) -> None:
    """Keep a worksheet, with the rows that an earlier one has besides, such as another group's.

    Raises:
        ReportError: the earlier one cannot be read.
        OSError: it cannot be written.
    """
    before = kept_worksheets(folder).get(exercise, roster)
    numbers = {entry.number for entry in roster.entries}
    rows = [roster.headings, *(entry.cells for entry in roster.entries)]
    if before.headings == roster.headings:
        rows += [entry.cells for entry in before.entries if entry.number not in numbers]
    write_whole(folder / _FOLDER / f"{exercise}.csv", table(rows))


def moodle_times(folder: Path, roster: RosterFile) -> dict[str, RosterEntry]:
    """Return when work was handed in, and what is a draft, by the participant's number.

    Args:
        folder: of the report, which keeps worksheets.
        roster: of this run, which counts more.

    Raises:
        ReportError: a worksheet cannot be read.
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
    numbers = [
        (one.exercise, one.person.number) for one in results if one.person.platform == "moodle"
    ]
    hits = Counter(sorted(exercise for exercise, number in numbers if number in own))
    if hits:
        return hits.most_common(1)[0][0]
    exercises = {one.exercise for one in results}
    has_numbers = any(number for _, number in numbers)
    return exercises.pop() if len(exercises) == 1 and not has_numbers else ""


def of_another_week(
    roster: RosterFile, results: Sequence[Result], graded: Collection[str]
) -> list[str]:
    """Return a sentence if a run was given the worksheet of an exercise that it did not grade.

    Args:
        roster: of the run.
        results: of the whole report.
        graded: the exercises of which the run found work.
    """
    own = exercise_of(roster, results)
    if not own or not graded or own in graded:
        return []
    return [
        f"The list of the class is the grading worksheet of {own}, by the numbers of its "
        f"participants, and this run graded {' and '.join(sorted(graded))}: give the worksheet of "
        "that with --roster."
    ]
