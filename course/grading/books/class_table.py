"""Lay out each student's points as the index page shows them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from course.grading.books.rendering import STATUSES_SHOWN
from course.grading.books.tally import has_page, is_open, points_of, points_so_far
from course.grading.report_folder import feedback_link
from course.grading.results import Result

BY_HAND = "H"  # the mark of a task whose points a person has set


@dataclass(frozen=True)
class ClassCell:
    """What a student got in an exercise.

    Attributes:
        link: to the page about it; "" if there is none.
        points: None while they are open.
        max_points: that there are.
        marks: one for each task.
    """

    link: str
    points: float | None
    max_points: float
    marks: str


@dataclass(frozen=True)
class ClassRow:
    """A student's row.

    Attributes:
        student: the name.
        cells: by exercise; one that the student was not asked for has none.
        late: the exercises that came late, with the points that it took.
        points: of all exercises that count, as far as there is a grade.
        is_open: whether one of them is still open.
    """

    student: str
    cells: dict[str, ClassCell]
    late: tuple[tuple[str, float], ...]
    points: float
    is_open: bool


def class_rows(results: Sequence[Result], counted: Collection[str]) -> list[ClassRow]:
    """Return the rows of all students.

    Args:
        results: in the order of the table.
        counted: the exercises that count.
    """
    return [_row(name, list(own), counted) for name, own in groupby(results, lambda r: r.student)]


def _row(student: str, results: list[Result], counted: Collection[str]) -> ClassRow:
    cells = {one.exercise: _cell(one) for one in results}
    late = [one for one in results if one.lateness or one.marked_late]
    lost = tuple((one.exercise, sum(task.lost for task in one.tasks)) for one in late)
    counting = [one for one in results if one.exercise in counted]
    return ClassRow(student, cells, lost, points_so_far(counting), any(map(is_open, counting)))


def _cell(result: Result) -> ClassCell:
    link = feedback_link(result.student, result.exercise) if has_page(result) else ""
    marks = [BY_HAND if task.by_hand else STATUSES_SHOWN[task.status][0] for task in result.tasks]
    worth = sum(task.max_points for task in result.tasks)
    return ClassCell(link, points_of(result), worth, "".join(marks))
