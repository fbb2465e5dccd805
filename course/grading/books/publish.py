"""Write all that an instructor and the students read, and say how it went."""

import sys
from dataclasses import dataclass
from pathlib import Path

from course.grading.books.gradebook import write_gradebook
from course.grading.books.overrides import OverrideError, apply_overrides, read_overrides, set_aside
from course.grading.books.pages import feedback_page, index_page
from course.grading.books.tally import by_student, is_handed_in
from course.grading.fingerprint import versions
from course.grading.reading.sheet import read_sheet
from course.grading.reading.submissions import Submission
from course.grading.report_folder import ReportError, ReportFolder, feedback_file, unwritable
from course.grading.results import Result, blank_tasks
from course.grading.terminal import printable, say

_MOST_NAMED = 20
_LONGEST_NAME = 100
_TO_BE_SAID = {
    "grader-error": "could not be graded, which is the grader's fault; run it again",
    "not-gradable": "to be looked at by a person; overrides.csv sets their points",
}


@dataclass(frozen=True)
class Roster:
    """Who was to hand in what, and what was handed in; `--shard` leaves out the other students."""

    students: tuple[str, ...]
    left_out: tuple[str, ...]
    exercises: tuple[str, ...]
    submissions: tuple[Submission, ...]


def publish(root: Path, folder: ReportFolder, roster: Roster, results: list[Result]) -> int:
    """Write gradebook, feedback and index; return the exit status of the run.

    Raises:
        ReportError: something cannot be written, or overrides.csv cannot be used.
    """
    seed = folder.about().get("seed", 0)
    results = by_student([*results, *_missing(root, roster, results, seed)])
    results = _overridden(folder, roster, results)
    try:
        write_gradebook(folder.path, results)
    except OSError as error:
        raise ReportError(unwritable(folder.path, error)) from None
    for result in results:
        if is_handed_in(result):
            page = feedback_file(result.student, result.exercise)
            folder.write(page, feedback_page(result))
    about = {"seed": str(seed), **versions()}
    folder.write("index.html", index_page(results, about))
    return _say(folder, results)


def _missing(root: Path, roster: Roster, results: list[Result], seed: int) -> list[Result]:
    there = {(result.student, result.exercise) for result in results}
    found = []
    for exercise in roster.exercises:
        tasks = blank_tasks(read_sheet(root, exercise).tasks, "missing", "Nothing was handed in.")
        found += [
            Result(student, exercise, "", seed, tasks)
            for student in roster.students
            if (student, exercise) not in there
        ]
    return found


def _overridden(folder: ReportFolder, roster: Roster, results: list[Result]) -> list[Result]:
    path = folder.path / "overrides.csv"
    if not path.exists():
        return results
    try:
        overrides = read_overrides(path)
        aside = set_aside(overrides, results, roster.left_out)
        for one in aside:
            unused = f"not used: {one.student!r}, task {one.task} is no part of this run"
            say(f"{one.where} is {unused}")
        return apply_overrides(results, [one for one in overrides if one not in aside])
    except OverrideError as error:
        raise ReportError(error.args[0]) from None


def _say(folder: ReportFolder, results: list[Result]) -> int:
    tasks = [(result, task) for result in results for task in result.tasks]
    points = sum(task.points for _, task in tasks)
    most = sum(task.max_points for _, task in tasks)
    graded = sum(map(is_handed_in, results))
    count = f"{graded} submissions graded, {points:g} of {most:g} points"
    say(f"{count}: {folder.path}/index.html", sys.stdout)
    status = 0
    for kind, words in _TO_BE_SAID.items():
        named: dict[str, list[str]] = {}
        for result, task in tasks:
            if task.status == kind and task.needs_a_person:
                named.setdefault(task.message, []).append(f"{result.student!r}, {task.task}")
        if named:
            status = 1
            count = sum(map(len, named.values()))
            say(f"{count} {'task' if count == 1 else 'tasks'} {words}:")
        for message, places in list(named.items())[:_MOST_NAMED]:
            more = f" and {len(places) - 3} more" if len(places) > 3 else ""
            where = "; ".join(printable(place, _LONGEST_NAME) for place in places[:3])
            say(f"  {where}{more}: {message}")
    return status
