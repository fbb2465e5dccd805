"""Write the grades as tables for spreadsheets and learning platforms."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from course.grading.books.spreadsheet import cell, number
from course.grading.books.tally import task_order
from course.grading.results import Result
from course.grading.storage import write_text

COLUMNS = ("student", "exercise", "task", "points", "max_points", "status", "diagnosis")
_MARK = "\ufeff"  # by which spreadsheets know that the file is UTF-8
Row = Iterable[str | int | float]


def write_gradebook(folder: Path, results: list[Result]) -> None:
    """Write grades.csv, a row a task, and summary.csv, a row a student.

    Where the grader failed there are no points yet, which is not 0: these cells stay empty.

    Raises:
        OSError: they cannot be written; what was there before still is.
    """
    ordered = sorted(results, key=_order)
    write_text(folder / "grades.csv", _MARK + _table(_grades(ordered)))
    write_text(folder / "summary.csv", _MARK + _table(_summary(ordered)))


def _order(result: Result) -> tuple[str, str, str]:
    return result.student.casefold(), result.student, result.exercise


def _grades(results: list[Result]) -> Iterable[Row]:
    yield COLUMNS
    for result in results:
        for task in sorted(result.tasks, key=lambda task: task_order(task.task)):
            yield (
                result.student,
                result.exercise,
                task.task,
                "" if task.is_open else number(task.points),
                number(task.max_points),
                task.status,
                task.diagnosis,
            )


def _summary(results: list[Result]) -> Iterable[Row]:
    exercises = sorted({result.exercise for result in results})
    most = dict.fromkeys(exercises, 0.0)
    students: dict[str, dict[str, Result]] = {}
    for result in results:
        students.setdefault(result.student, {})[result.exercise] = result
        worth = sum(task.max_points for task in result.tasks)
        most[result.exercise] = max(most[result.exercise], worth)
    yield "student", *exercises, "total", "max"
    for student, known in students.items():
        points = [_points(known.get(name)) for name in exercises]
        total = "" if None in points else number(sum(filter(None, points)))
        cells = ("" if one is None else number(one) for one in points)
        yield student, *cells, total, number(sum(most.values()))


def _points(result: Result | None) -> float | None:
    """Return the points of a submission, 0 if there is none, None if there is no grade yet."""
    tasks = result.tasks if result else ()
    if any(task.is_open for task in tasks):
        return None
    return sum(task.points for task in tasks)


def _table(rows: Iterable[Row]) -> str:
    file = io.StringIO(newline="")
    # Text is quoted, so that a sheet that splits at semicolons does not cut a name in two.
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    for row in rows:
        writer.writerow([cell(one) if isinstance(one, str) else one for one in row])
    return file.getvalue()
