"""Find the submissions in a folder or an archive, as learning platforms hand them out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from course.grading.reading.archives import read_member
from course.grading.reading.candidates import Candidate, choose
from course.grading.reading.collect import collect
from course.grading.reading.file_names import exercise_of
from course.grading.reading.for_later import ForLater, for_later
from course.grading.reading.handed_in import HandedIn
from course.grading.reading.heap import Heap
from course.grading.reading.known_exercises import KnownExercise
from course.grading.reading.passed_over import PassedOver, notes_on, passed_over_of
from course.grading.reading.people import Person
from course.grading.reading.sorting import Sorter
from course.grading.reading.students import Work, read_item, students_work
from course.grading.reading.untrusted_files import UnreadableError, read_regular

__all__ = ["Found", "PassedOver", "Submission", "SubmissionsError", "find_submissions"]


class SubmissionsError(ValueError):
    """There are no submissions to grade; the message is one sentence that says why."""


@dataclass(frozen=True)
class Submission:
    """One notebook of one student: a file, or a member of the archive at `path`.

    Attributes:
        student, exercise: whose it is, and what.
        path, member: where it lies; in an archive, as `Item` says it.
        person: what the learning platform calls the student.
        file: where it lay, for people: its folders and its name, as it was handed in.
        handed_in, marked_late: as in `Result`.
        doubts, remarks: as in `Result`.
        choice, is_chosen: as in `Result`.
        alone: where nothing says which of several notebooks counts, the submission that each of
            them would be without the others.
    """

    student: str
    exercise: str
    path: Path
    member: tuple[str, ...] = ()
    person: Person = field(default_factory=Person)
    file: str = ""
    handed_in: str = ""
    marked_late: bool = False
    doubts: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    choice: tuple[str, ...] = ()
    is_chosen: bool = False
    alone: tuple["Submission", ...] = ()

    def read(self) -> bytes:
        """Return what the file holds.

        Raises:
            UnreadableError: it cannot be read, is too large, or is no file but a link or a device.
        """
        return read_member(self.path, self.member) if self.member else read_regular(self.path)


@dataclass(frozen=True)
class Found:
    """What was handed in.

    Attributes:
        submissions: what is to be graded.
        people: all students, also those of whom there is nothing to grade.
        passed_over: what may be work, and needs a person.
        notes: sentences on what needs none.
        later: work for exercises that are not graded now.
    """

    submissions: tuple[Submission, ...]
    people: tuple[Person, ...]
    passed_over: tuple[PassedOver, ...]
    notes: tuple[str, ...]
    later: tuple[ForLater, ...] = ()

    @property
    def students(self) -> tuple[str, ...]:
        """Return the names of all students."""
        return tuple(person.name for person in self.people)


def find_submissions(
    root: Path,
    known: Sequence[KnownExercise],
    asked: Collection[str] = (),
    listed: Sequence[str] = (),
) -> Found:
    """Return the submissions in a folder or an archive that are to be graded.

    Args:
        root: the folder, or the archive.
        known: all exercises of the course, by which notebooks are known.
        asked: those to grade; if there are none, all that somebody has worked on.
        listed: the names of the class, by which files are known that nothing else says whose.

    Raises:
        SubmissionsError: there is no such folder or archive, or nothing in it to grade or look at.
    """
    heap = _collected(root, [one.name for one in known])
    work, notes = students_work(heap.items, heap.exercises, listed=listed)
    handed_in = HandedIn(_read).note(work)
    tops = _tops(work)
    found = Sorter(known, work, _read, handed_in.by_platform).sorted()
    graded = set(asked) or {
        exercise
        for (student, exercise), candidates in found.candidates.items()
        if student and any(one.is_handed_in for one in candidates)
    }
    submissions = [
        _submission(student, exercise, candidates, handed_in, [one.name for one in known], tops)
        for (student, exercise), candidates in found.candidates.items()
        if student and exercise in graded
    ]
    passed_over = passed_over_of(
        work, found, {(one.student, one.exercise) for one in submissions}, graded, heap.perhaps
    )
    if not submissions and not passed_over:
        raise SubmissionsError(
            f"{root} holds no submission: there should be a folder for each student, with "
            "notebooks such as 05_square.ipynb, or a download of Moodle or Canvas."
        )
    people = {each.student: each.person for each in reversed(work) if each.student}
    return Found(
        tuple(sorted(submissions, key=lambda each: (*_order(each.student), each.exercise))),
        tuple(people[name] for name in sorted(people, key=_order)),
        tuple(passed_over),
        tuple(heap.notes + notes + notes_on(found, graded)),
        for_later(found, graded, root.name),
    )


def _read(work: Work) -> bytes:
    return read_item(work.item)


def _collected(root: Path, exercises: Sequence[str]) -> Heap:
    try:
        if not root.exists():
            raise UnreadableError(f"There is no {root}.")
        return collect(root.resolve() if root.is_symlink() else root, exercises)
    except (OSError, UnreadableError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error).removesuffix(".")
        raise SubmissionsError(f"{reason}: give the folder or the zip of submissions.") from None


def _submission(
    student: str,
    exercise: str,
    candidates: Sequence[Candidate],
    handed_in: HandedIn,
    names: Sequence[str],
    tops: Mapping[str, Collection[str]],
) -> Submission:
    choice = choose(candidates)
    work, found = choice.taken.work, choice.taken.found
    called = exercise_of(work.name, names)
    remarks = list(found.remarks)
    if called and called[0] != exercise and found.is_main:
        remarks.append(f"It is named after {called[0]}, but its cells are those of {exercise}.")
    elif not called:
        remarks.append("It is known by its cells; its name is another.")
    if work.is_by_name:
        remarks.append(f"{work.name} counts as theirs: the list of the class has that name.")
    return Submission(
        student,
        exercise,
        work.item.path,
        work.item.member,
        work.person,
        choice.taken.file,
        choice.taken.handed_in or handed_in.by_file(work),
        work.marked_late,
        found.doubts
        + choice.doubts
        + handed_in.doubts(work)
        + _clash(tops.get(student, ()), candidates),
        tuple(remarks) + choice.remarks,
        (found.work,),
        alone=tuple(
            _submission(student, exercise, [one], handed_in, names, tops)
            for one in (choice.taken, *choice.rivals)
            if choice.rivals
        ),
    )


def _tops(works: Sequence[Work]) -> dict[str, set[str]]:
    """Return what was taken for each student's by its name alone: folders and archives at the top.

    A learning platform gives all of a person's one number, or one name that is nobody else's.
    """
    found: dict[str, set[str]] = {}
    for work in works:
        if work.student and not work.person.platform:
            found.setdefault(work.student, set()).add(work.item.top)
    archived = {work.student for work in works if work.item.top != work.item.parts[0]}
    return {student: found.get(student, set()) for student in archived}


def _clash(tops: Collection[str], candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Return a doubt if two things claim to be a student's, and do not hold the same."""
    there = {one.work.item.top for one in candidates}
    if len(tops) < 2 or (there == {*tops} and len({one.found.work for one in candidates}) == 1):
        return ()
    named = " and ".join(sorted(tops)[:3])
    return (
        f"{named} were both taken for {candidates[0].work.student}'s, by their names alone. If "
        "they are of two people, rename one of them.",
    )


def _order(student: str) -> tuple[str, str]:
    return student.casefold(), student
