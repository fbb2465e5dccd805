"""Choose among several notebooks of a student for one exercise, and say how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from course.grading.reading.file_names import Fit, clean
from course.grading.reading.known_exercises import WRITTEN
from course.grading.reading.recognition import Recognised
from course.grading.reading.students import Work

_SAME_TIME = 60.0  # seconds; programs that unpack or copy write many files in less
_MOST_NAMED = 5


@dataclass(frozen=True)
class Candidate:
    """A notebook of a student that may be what they handed in for an exercise.

    Attributes:
        work: whose it is, and where it lies.
        found: what it is.
        reason: why it cannot be graded, as a sentence; "" if it can.
        may_be_work: whether it may hold answers although it cannot be graded.
        handed_in: when, by the learning platform, as "2026-11-20T23:59:00"; or "".
        fit: how well its name fits, the largest best.
        in_copy: whether it stands in a copy of the whole course.
    """

    work: Work
    found: Recognised
    reason: str = ""
    may_be_work: bool = False
    handed_in: str = ""
    fit: Fit = (False, 0)
    in_copy: bool = False

    @property
    def is_handed_in(self) -> bool:
        """Whether it counts by itself: what lies untouched in a copy of the course does not."""
        return not self.in_copy or self.found.written == WRITTEN

    @property
    def is_sure(self) -> bool:
        """Whether more than a name that students can give says whose it is."""
        return not (self.work.is_by_name or self.work.others)

    @property
    def file(self) -> str:
        """Return where it lay, for people."""
        return "/".join(self.work.item.parts)


@dataclass(frozen=True)
class Choice:
    """The candidate that counts, with sentences on the others.

    Attributes:
        taken: the one.
        doubts, remarks: the sentences, as in `Result`.
        rivals: those that may count in its place.
    """

    taken: Candidate
    doubts: tuple[str, ...]
    remarks: tuple[str, ...]
    rivals: tuple[Candidate, ...] = ()


def choose(candidates: Sequence[Candidate]) -> Choice:
    """Return which of the candidates for an exercise counts; there is at least one."""
    taken, *others = sorted(candidates, key=lambda each: each.work.item.parts)
    for other in others:
        if _beats(other, taken):
            taken = other
    others = [each for each in candidates if each is not taken]
    doubts, remarks, rivals = [_may_be_anothers(taken)] if taken.work.others else [], [], []
    for other in others:
        said, is_doubt = _compared(taken, other)
        (doubts if is_doubt else remarks).append(said)
        if is_doubt and not other.reason:
            rivals.append(other)
    return Choice(taken, tuple(_some(doubts)), tuple(_some(remarks)), tuple(rivals))


def _beats(one: Candidate, other: Candidate) -> bool:
    if _worth(one) != _worth(other):
        return _worth(one) > _worth(other)
    order = _order(one, other)
    return order > 0 if order else (one.fit, one.file) > (other.fit, other.file)


def _worth(one: Candidate) -> tuple:
    return (
        one.is_sure,
        not one.reason,
        one.found.written,
        not one.found.is_solution,
        one.found.is_main,
    )


def _order(one: Candidate, other: Candidate) -> float:
    """Return more than 0 if one is newer for certain, less if it is older, 0 if nothing says so."""
    if one.work.rank and other.work.rank and one.work.rank != other.work.rank:
        return 1 if one.work.rank > other.work.rank else -1
    if one.handed_in and other.handed_in and one.handed_in != other.handed_in:
        return 1 if one.handed_in > other.handed_in else -1
    if _origin(one) != _origin(other):
        return 0
    times = [_seconds(each.work.item.time) for each in (one, other)]
    difference = times[0] - times[1] if all(times) else 0
    return difference if abs(difference) >= _SAME_TIME else 0


def _origin(one: Candidate) -> tuple[str, ...]:
    """Return what it came in: times in a student's own archive are only what the student says."""
    return one.work.item.packed_in or (one.work.item.top if not one.work.person.number else "",)


def _seconds(time: tuple[int, ...]) -> float:
    try:
        return (datetime(*time[:6]) - datetime(1970, 1, 1)).total_seconds()
    except (ValueError, TypeError):  # an archive may say anything
        return 0.0


def _compared(taken: Candidate, other: Candidate) -> tuple[str, bool]:
    """Return a sentence on one that does not count, and whether a person has to see it."""
    is_older = _order(taken, other) > 0
    this, that = taken.file, other.file
    if this == that:
        this, that = _with_archive(taken), _with_archive(other)
    if other.work.others:
        return _may_be_anothers(other), True
    if other.reason:
        doubtful = other.may_be_work and not is_older and not taken.reason
        return f"{that} is not graded, but {this}: {other.reason}", doubtful
    if taken.found.work == other.found.work:
        return f"{that} holds the same answers.", False
    if other.found.is_solution:
        return f"{that} holds the course's own solution: {this} counts.", False
    if other.found.written < taken.found.written:
        return f"{that} has fewer answers than {this}, which counts.", False
    if is_older and (other.is_sure or not taken.is_sure):
        return f"{that} is older than {this}, which counts.", False
    return (
        f"{that} holds other answers than {this}, and nothing says for certain which "
        f"of them counts. {this} was graded: if it is the other one, grade that one alone into the "
        "same report, from a folder like the download that holds nothing else: it counts from then "
        "on.",
        True,
    )


def _may_be_anothers(one: Candidate) -> str:
    work = one.work
    return (
        f"{one.file} is called as a file of {work.student}'s, and may be that of somebody else, "
        f"whom the platform calls {work.others}: see there whose it is. If it is not "
        f"{work.student}'s, set the points of both in overrides.csv."
    )


def _with_archive(one: Candidate) -> str:
    """Return where a notebook lay, with the student's archives that it is in."""
    item = one.work.item
    if not item.packed_in:
        return one.file
    names = [clean(name.rpartition("/")[2]) for name in (item.path.name, *item.member[:-1])]
    names = names[names.index(item.packed_in[-1]) :] if item.packed_in[-1] in names else names[-1:]
    return f"{one.file} in {'/'.join(names)}"


def _some(sentences: list[str]) -> list[str]:
    if len(sentences) <= _MOST_NAMED:
        return sentences
    return [*sentences[:_MOST_NAMED], f"There are {len(sentences) - _MOST_NAMED} more such files."]
