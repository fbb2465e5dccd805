"""Count what became of a class, task by task and mistake by mistake."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from course.grading.results import Result, TaskResult

_NO_MISTAKE = ("ok", "not-started")
_MOST_VALUES = 6  # of points, to be listed one by one
_NAMED_BY_STATUS = ("error", "timeout", "died")


@dataclass(frozen=True)
class Spread:
    """How the points of a task are spread over those who handed it in and have a grade.

    Attributes:
        task, title, max_points: of the task.
        counts: how many got how many points, most points first.
        missing: how many handed nothing in.
        ungraded: how many wait for a person, or for the next run.
        parts: how many earned each part of it, by the grader.
    """

    task: str
    title: str
    max_points: float
    counts: tuple[tuple[float, int], ...]
    missing: int
    ungraded: int
    parts: tuple[tuple[str, int], ...] = ()

    @property
    def graded(self) -> int:
        """Return how many have a grade."""
        return sum(count for _, count in self.counts)

    @property
    def total(self) -> int:
        """Return how many there are, with and without a grade."""
        return self.graded + self.missing + self.ungraded

    @property
    def bands(self) -> list[tuple[float, float, int]]:
        """Return how many got from how many points to how many: few lines, however many values."""
        if len(self.counts) <= _MOST_VALUES:
            return [(points, points, count) for points, count in self.counts]
        between = [one for one in self.counts if 1e-9 < one[0] < self.max_points]
        some = (between[-1][0], between[0][0], sum(count for _, count in between))
        full, none = self.shares["full"], self.shares["none"]
        whole = [(self.max_points, self.max_points, full)] if full else []
        return [*whole, some, *([(0, 0, none)] if none else [])]

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
    by_task: dict[str, list[tuple[Result, TaskResult]]] = {}
    for result in results:
        for task in result.tasks:
            by_task.setdefault(task.task, []).append((result, task))
    return [_spread(by_task[name]) for name in sorted(by_task, key=task_order)]


def _spread(several: list[tuple[Result, TaskResult]]) -> Spread:
    tasks = [task for _, task in several]
    final = [task for result, task in several if not is_open(result)]
    there = [task for task in final if task.by_hand or task.status != "missing"]
    points = Counter(round(task.points + task.lost, 6) for task in there)  # late or not
    counts = tuple(sorted(points.items(), reverse=True))
    missing, rest = len(final) - len(there), len(tasks) - len(final)
    earned = tuple(_earned([task for task in tasks if not task.by_hand]).items())
    first = tasks[0]
    return Spread(first.task, first.title, first.max_points, counts, missing, rest, earned)


def _earned(tasks: list[TaskResult]) -> dict[str, int]:
    """Return how many earned each part, in the order of the parts."""
    earned = {part.name: 0 for task in tasks for part in task.parts}
    for task in tasks:
        if task.status == "passed":  # which says by itself that it has all parts
            earned = {name: count + 1 for name, count in earned.items()}
            continue
        for part in task.parts:
            earned[part.name] += part.earned
    return earned


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


def is_open(result: Result) -> bool:
    """Return whether anything is being asked about a result: what all tables and pages ask."""
    return result.is_asked or any(task.is_open for task in result.tasks)


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


def by_student(results: Iterable[Result]) -> list[Result]:
    """Return results in the order of every table: by student, then by exercise."""
    return sorted(results, key=lambda one: (one.student.casefold(), one.student, one.exercise))


def task_order(task: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts 5.10 after 5.9."""
    return tuple((int(p) if p.isdecimal() else -1, p) for p in task.split("."))
