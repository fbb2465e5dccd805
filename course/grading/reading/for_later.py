"""Note what was handed in for exercises that are not graded now, so that it is not forgotten."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from course.grading.reading.known_exercises import WRITTEN
from course.grading.reading.sorting import Sorted


@dataclass(frozen=True)
class ForLater:
    """Work for an exercise that the run which found it was not about.

    Attributes:
        student, exercise: whose it is, and what.
        file: where it lay, as it was handed in.
        download: the name of the folder or the archive that it is in.
        work: what tells it from other work.
    """

    student: str
    exercise: str
    file: str
    download: str
    work: str = ""

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "ForLater":
        """Read it from what `dataclasses.asdict` gave.

        Raises:
            TypeError: it is something else.
        """
        return cls(**data)


def for_later(found: Sorted, graded: Collection[str], download: str) -> tuple[ForLater, ...]:
    """Return what may be work of somebody, for exercises that are not graded now.

    Notebooks in which nothing is written are left out.

    Args:
        found: all that was handed in.
        graded: the exercises to grade.
        download: the name of the folder or the archive that holds all.
    """
    noted: dict[tuple[str, str], ForLater] = {}
    for one in found.suspects:
        student, exercise = one.work.student, one.exercise
        if one.is_certain and not one.is_own and student and exercise not in ("", *graded):
            file = "/".join(one.work.item.parts)
            noted[student, exercise] = ForLater(student, exercise, file, download, file)
    for (student, exercise), candidates in found.candidates.items():
        own = [one for one in candidates if one.is_handed_in and one.found.written == WRITTEN]
        if student and own and exercise not in graded:
            work = own[0].found.work or own[0].file
            noted[student, exercise] = ForLater(student, exercise, own[0].file, download, work)
    return tuple(noted[key] for key in sorted(noted))
