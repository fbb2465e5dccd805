"""What is known of a submission once it is graded, as plain data, and how it is kept."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, is_dataclass
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from course.grading.reading.layouts import Person
from course.notebooks.write import read_json, write_json
from whygrad.lines.table import LineTable

_hints = cache(get_type_hints)
PASSED_OVER = "passed over"  # the fingerprint of work that no run could grade as it is
STATUSES = (
    "passed",  # every visible and hidden check passes
    "partly",  # some of its parts hold, and earn their share
    "failed",  # the checks ran, and one of them says no
    "not-started",  # it was handed in as it was given
    "error",  # the answer raised before its check could look at it
    "timeout",  # it took longer than it may
    "died",  # the process ended, or was ended for using too much memory
    "missing",  # nothing was handed in
    "not-gradable",  # somebody has to look at it: no grade until an override
    "grader-error",  # the grader's own fault: no grade yet, tried again by the next run
)


@dataclass(frozen=True)
class EarnedPart:
    """A part of a task that earns a part of its points: "forward", "gradients", an item.

    Attributes:
        name: as the statement of the task calls it.
        max_points: its share.
        earned: whether the visible and the hidden check of it pass.
        why: why its visible check does not, where that is another mistake than the task's.
    """

    name: str
    max_points: float
    earned: bool
    why: str = ""


@dataclass(frozen=True)
class Judged:
    """What became of a task in one run.

    Attributes:
        status: one of `STATUSES`; "" if the task's check was not reached.
        diagnosis: the name of the mistake, "ok", "not-started", or "".
        message: the diagnosis, or the reason, in sentences for the student; or a remark.
        passed: the properties that the visible check found right.
        failed: those that it found wrong, with the numbers where there are some.
        hidden: the properties on which the hidden check failed.
        why: the reason of the mistake, where it is known; "" where only the usual cause is.
        look: what to do, where that is known better than what is said of the mistake.
        where: the line that is behind it, where it is known.
        table: what each line of the answer ran, as the visible check saw it; none or one.
        parts: what earned a share, and what did not; empty where it did not come to that.
        raised: kind and words of an exception that these sentences may hold; or "".
        withheld: what an exception said that the student is not to read; for the instructor.
    """

    status: str
    diagnosis: str = ""
    message: str = ""
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    why: str = ""
    look: str = ""
    where: str = ""
    table: tuple[LineTable, ...] = ()
    parts: tuple[EarnedPart, ...] = ()
    raised: str = ""
    withheld: str = ""

    @property
    def share(self) -> float:
        """What was earned, from 0 to 1."""
        if self.status == "passed":
            return 1.0
        most = sum(part.max_points for part in self.parts)
        return sum(part.max_points for part in self.parts if part.earned) / (most or 1.0)


@dataclass(frozen=True, kw_only=True)
class TaskResult(Judged):
    """What became of one task of a submission, for good.

    Attributes:
        task: such as "5.1".
        title: of the task.
        points: that it got.
        max_points: that it is worth.
        code: the student's answer.
        elsewhere: the code that a question is about, where it is not in the answer cells, or has
            another name than the graded one.
        proposed: the points that the task gets if the instructor agrees with what was measured;
            None where nothing is proposed.
        lost: points that lateness took; `points` are without them.
        by_hand: whether an instructor has set the points.
        reason: of who set them, for the student.
        comment: of an instructor, for the student.
    """

    task: str
    title: str
    points: float
    max_points: float
    code: str = ""
    elsewhere: str = ""
    proposed: float | None = None
    lost: float = 0.0
    by_hand: bool = False
    reason: str = ""
    comment: str = ""

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"there is no status {self.status!r}")

    @property
    def is_open(self) -> bool:
        """Whether there is no grade yet, neither points nor a zero: somebody has to see to it."""
        return self.status in ("grader-error", "not-gradable") and not self.by_hand


@dataclass(frozen=True)
class Result:
    """What became of one submission.

    Attributes:
        student: a person's name, as the folder or the archive spells it.
        exercise: such as "05_square".
        fingerprint: hash of all that the grade depends on: answers, checks, environment, rules.
        seed: of the inputs.
        note: a sentence on the submission as a whole, such as why it cannot be read; or "".
        tasks: in order.
        person: what the learning platform calls the student.
        file: where it lay, as it was handed in.
        download: the name of the download that it lay in.
        work: hash of the answers alone, by which older points set by hand are known.
        handed_in: when, as "2026-11-20T23:59:00", by whoever recorded it; "" if nobody did.
        rank: which of several came later by the platform's own number, the larger; or 0.
        marked_late: whether the learning platform says that it came late.
        lateness: a sentence for the student on how late it came, and what that takes; or "".
        doubts: sentences for the instructor, who has to look at it; the student never reads them.
        seen: whether an instructor has seen to the doubts, by a line in overrides.csv.
        comment: of an instructor on all of it, for the student.
        is_asked: whether a person is asked about it, so that no points of it are final.
    """

    student: str
    exercise: str
    fingerprint: str
    seed: int
    tasks: tuple[TaskResult, ...]
    note: str = ""
    person: Person = field(default_factory=Person)
    file: str = ""
    download: str = ""
    work: str = ""
    handed_in: str = ""
    rank: int = 0
    marked_late: bool = False
    lateness: str = ""
    doubts: tuple[str, ...] = ()
    seen: bool = False
    comment: str = ""
    is_asked: bool = False


def blank_tasks(names: Iterable[str], status: str, reason: str) -> tuple[TaskResult, ...]:
    """Return results without points, for these tasks."""
    from helpers.checks.tasks import find

    return tuple(
        TaskResult(
            status, message=reason, task=one.id, title=one.title, points=0, max_points=one.points
        )
        for one in map(find, names)
    )


def write_result(path: Path, result: Result) -> None:
    """Write a result so that a reader, or a power cut, never meets half of it.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    write_json(path, asdict(result))


def read_result(path: Path) -> Result | None:
    """Return a stored result, or None if there is none, or a damaged one."""
    try:
        return from_json(Result, read_json(path))
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def from_json(kind: Any, data: Any) -> Any:
    """Return an instance of a dataclass from what `dataclasses.asdict` gave, read from JSON.

    Names that it does not have are left out: earlier versions wrote others, too.

    Args:
        kind: the dataclass, or the type of one of its fields.
        data: what became of it.

    Raises:
        ValueError, TypeError, AttributeError: it is something else.
    """
    if is_dataclass(kind):
        kinds = _hints(kind)
        known = {name: from_json(kinds[name], data[name]) for name in kinds.keys() & data.keys()}
        return kind(**known)
    if get_origin(kind) is tuple:
        first, *others = get_args(kind)
        kinds = repeat(first) if others == [...] else (first, *others)
        return tuple(map(from_json, kinds, data))
    return Path(data) if kind is Path else data
