"""Count what became of a class, task by task and mistake by mistake."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from course.grading.results import STATUSES, Result, TaskResult

# Statuses that name no mistake. An answer that came to no diagnosis counts as its status.
_NO_MISTAKE = {*STATUSES, "ok"} - {"error", "timeout", "died"}


@dataclass(frozen=True)
class Spread:
    """What became of a task in a class.

    Attributes:
        task: it, of anybody: its name, its title and what it is worth.
        points: of all who handed it in and have a grade, before lateness took any.
        missing: how many handed nothing in.
        ungraded: how many wait for a person, or for the next run.
    """

    task: TaskResult
    points: tuple[float, ...]
    missing: int
    ungraded: int

    @property
    def total(self) -> int:
        """Return how many there are, with and without a grade."""
        return len(self.points) + self.missing + self.ungraded

    @property
    def shares(self) -> dict[str, int]:
        """Return how many got all points ("full"), some ("part") and 0 ("none")."""
        full = sum(points > self.task.max_points - 1e-9 for points in self.points)
        none = sum(points < 1e-9 for points in self.points)
        return {"full": full, "part": len(self.points) - full - none, "none": none}


def spreads(results: Iterable[Result]) -> list[Spread]:
    """Return the spread of points of each task, in order."""
    by_task = grouped((task.task, (result, task)) for result in results for task in result.tasks)
    return [_spread(several) for several in by_task.values()]


def _spread(several: list[tuple[Result, TaskResult]]) -> Spread:
    final = [task for result, task in several if not is_open(result)]
    there = [task for task in final if task.by_hand or task.status != "missing"]
    points = tuple(task.points + task.lost for task in there)
    return Spread(several[0][1], points, len(final) - len(there), len(several) - len(final))


def mistakes(results: Iterable[Result]) -> list[tuple[str, int]]:
    """Return the names of the mistakes and how often each was made, the most common first."""
    names = (task.diagnosis or task.status for result in results for task in result.tasks)
    counts = Counter(sorted(name for name in names if name not in _NO_MISTAKE))
    return counts.most_common()


def is_open(result: Result) -> bool:
    """Return whether anything is being asked about a result: what all tables and pages ask."""
    return result.is_asked or any(task.is_open for task in result.tasks)


def is_any_open(results: Iterable[Result]) -> bool:
    """Return whether anything is being asked about one of them, so that a sum is not final."""
    return any(map(is_open, results))


def is_half_given(result: Result) -> bool:
    """Return whether nothing was handed in, and points are set by hand for some tasks only."""
    given = {task.by_hand for task in result.tasks}
    return len(given) > 1 and not is_handed_in(result)


def points_of(result: Result) -> float | None:
    """Return the points of an exercise; None where they are still open, which is not 0."""
    return None if is_open(result) else sum(task.points for task in result.tasks)


def points_so_far(results: Iterable[Result]) -> float:
    """Return the points of all exercises that have a grade."""
    return sum(filter(None, map(points_of, results)))


def is_handed_in(result: Result) -> bool:
    """Return whether there is anything of a submission."""
    return any(task.status != "missing" for task in result.tasks)


def has_page(result: Result) -> bool:
    """Return whether there is a page for the student: something was handed in, or points given."""
    return is_handed_in(result) or any(task.by_hand for task in result.tasks)


def totals(results: Iterable[Result], counted: Collection[str]) -> dict[str, Any]:
    """Return how many students, submissions and open results there are, and the points.

    Args:
        results: of the whole report.
        counted: the exercises that make up the maximum.
    """
    counting = [one for one in results if one.exercise in counted]
    return {
        "students": len({one.student for one in results}),
        "submissions": sum(map(is_handed_in, results)),
        "open": sum(map(is_open, results)),
        "points": points_so_far(counting),
        "max_points": sum(task.max_points for one in counting for task in one.tasks),
        "so_far": is_any_open(counting),
    }


def grouped(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, list]:
    """Return the values of each key, in their order; a key that was not there has none."""
    found = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found


def by_student(results: Iterable[Result]) -> list[Result]:
    """Return results in the order of every table: by student, then by exercise."""
    return sorted(results, key=lambda one: (one.student.casefold(), one.student, one.exercise))


def class_table(results: Iterable[Result]) -> dict[str, dict[str, Result]]:
    """Return the results by student and exercise."""
    found: dict[str, dict[str, Result]] = defaultdict(dict)
    for one in results:
        found[one.student][one.exercise] = one
    return found
