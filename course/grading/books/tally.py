"""Count what became of a class, task by task and mistake by mistake."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from course.grading.results import Result, TaskResult

_NO_MISTAKE = ("ok", "not-started")
_NAMED_BY_STATUS = ("error", "timeout", "died")


@dataclass(frozen=True)
class Spread:
    """How the points of a task are spread over those who handed it in and have a grade.

    Attributes:
        task, title, max_points: of the task.
        counts: how many got how many points, most points first.
        missing: how many handed nothing in.
        ungraded: on how many the grader failed.
    """

    task: str
    title: str
    max_points: float
    counts: tuple[tuple[float, int], ...]
    missing: int
    ungraded: int

    @property
    def graded(self) -> int:
        """Return how many have a grade."""
        return sum(count for _, count in self.counts)

    @property
    def total(self) -> int:
        """Return how many there are, with and without a grade."""
        return self.graded + self.missing + self.ungraded

    @property
    def mean(self) -> float | None:
        """Return the mean of the points; None if nobody has any."""
        points = sum(points * count for points, count in self.counts)
        return points / self.graded if self.graded else None

    @property
    def shares(self) -> dict[str, int]:
        """Return how many got all points ("full"), some ("part") and 0 ("none")."""
        full = sum(count for points, count in self.counts if points >= self.max_points)
        none = sum(count for points, count in self.counts if points < 1e-9)
        return {"full": full, "part": self.graded - full - none, "none": none}


def spreads(results: Iterable[Result]) -> list[Spread]:
    """Return the spread of points of each task, in order."""
    by_task: dict[str, list[TaskResult]] = {}
    for result in results:
        for task in result.tasks:
            by_task.setdefault(task.task, []).append(task)
    return [_spread(by_task[name]) for name in sorted(by_task, key=task_order)]


def _spread(tasks: list[TaskResult]) -> Spread:
    first = tasks[0]
    left_out = [task.status for task in tasks if not _counts(task)]
    points = Counter(task.points for task in tasks if _counts(task))
    missing = left_out.count("missing")
    counts = tuple(sorted(points.items(), reverse=True))
    rest = len(left_out) - missing
    return Spread(first.task, first.title, first.max_points, counts, missing, rest)


def _counts(task: TaskResult) -> bool:
    return task.by_hand or (task.status != "missing" and not task.is_open)


def mistakes(results: Iterable[Result]) -> list[tuple[str, int]]:
    """Return the names of the mistakes and how often each was made, the most common first.

    An answer that never came to a diagnosis counts as its status.
    """
    names = (_mistake(task) for result in results for task in result.tasks)
    counts = Counter(name for name in names if name)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _mistake(task: TaskResult) -> str:
    if task.status in ("passed", "missing", "grader-error") or task.diagnosis in _NO_MISTAKE:
        return ""
    return task.diagnosis or (task.status if task.status in _NAMED_BY_STATUS else "")


def points_of(tasks: Iterable[TaskResult]) -> float | None:
    """Return the points of tasks together; None where one has no grade yet, which is not 0."""
    points = [None if task.is_open else task.points for task in tasks]
    return None if None in points else sum(points)


def is_handed_in(result: Result) -> bool:
    """Return whether there is anything of a submission."""
    return any(task.status != "missing" for task in result.tasks)


def by_student(results: Iterable[Result]) -> list[Result]:
    """Return results in the order of every table: by student, then by exercise."""
    return sorted(results, key=lambda one: (one.student.casefold(), one.student, one.exercise))


def task_order(task: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts 5.10 after 5.9."""
    return tuple((int(p) if p.isdecimal() else -1, p) for p in task.split("."))
