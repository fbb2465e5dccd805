"""Find the submissions in a folder or an archive, as learning platforms hand them out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from course.grading.reading.collect import Heap, collect
from course.grading.reading.file_names import Fit, exercise_of
from course.grading.reading.students import Work, notes_on, students_work, taken_of_several
from course.grading.reading.untrusted_files import UnreadableError, read_member, read_regular


class SubmissionsError(ValueError):
    """There are no submissions to grade; the message is one sentence that says why."""


@dataclass(frozen=True)
class Submission:
    """One notebook of one student: a file, or a member of the archive at `path`."""

    student: str
    exercise: str
    path: Path
    member: str = ""

    def read(self) -> bytes:
        """Return what the file holds.

        Raises:
            UnreadableError: it cannot be read, is too large, or is no file but a link or a device.
        """
        return read_member(self.path, self.member) if self.member else read_regular(self.path)


@dataclass(frozen=True)
class Found:
    """What is to be graded, all students, and sentences on what was passed over."""

    submissions: tuple[Submission, ...]
    students: tuple[str, ...]
    notes: tuple[str, ...]


def find_submissions(root: Path, exercises: Sequence[str]) -> Found:
    """Return the submissions in a folder or a zip archive that are to be graded.

    Raises:
        SubmissionsError: there is no such folder or archive, or no submission in it.
    """
    heap = _collected(root)
    work, notes = students_work(heap.items)
    submissions = []
    for (student, exercise), candidates in _candidates(work, exercises).items():
        best = max(candidates, key=lambda each: (each[0], each[1].item.time, each[1].item.parts))[1]
        submissions.append(Submission(student, exercise, best.item.path, best.item.member))
        rest = [each for _, each in candidates if each is not best]
        notes += taken_of_several(best, rest, exercise)
    if not submissions:
        raise SubmissionsError(
            f"{root} holds no submission: there should be a folder for each student, with "
            "notebooks such as 05_square.ipynb, or a download of Moodle or Canvas."
        )
    notes = heap.notes + notes + notes_on(work, exercises)
    students = {each.student for each in work if each.student}
    return Found(
        tuple(sorted(submissions, key=lambda each: (*_order(each.student), each.exercise))),
        tuple(sorted(students, key=_order)),
        tuple(notes),
    )


def _collected(root: Path) -> Heap:
    try:
        if not root.exists():
            raise UnreadableError(f"There is no {root}.")
        return collect(root.resolve() if root.is_symlink() else root)
    except (OSError, UnreadableError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error).removesuffix(".")
        raise SubmissionsError(f"{reason}: give the folder or the zip of submissions.") from None


def _candidates(
    work: list[Work], exercises: Sequence[str]
) -> dict[tuple[str, str], list[tuple[Fit, Work]]]:
    found: dict[tuple[str, str], list[tuple[Fit, Work]]] = {}
    for each in work:
        fitting = exercise_of(each.name, exercises) if each.student else None
        if fitting:
            found.setdefault((each.student, fitting[0]), []).append((fitting[1], each))
    return found


def _order(student: str) -> tuple[str, str]:
    return student.casefold(), student
