"""Sort what was handed in: notebooks of exercises, what may be work, and what is the course's."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from course.grading.reading.archives import unpacked_bytes
from course.grading.reading.candidates import Candidate
from course.grading.reading.course_copies import CourseCopies, in_solutions
from course.grading.reading.downloads import lies_beside
from course.grading.reading.file_names import exercise_of, is_notebook
from course.grading.reading.known_exercises import WRITTEN, KnownExercise
from course.grading.reading.recognition import Reading, Recognised, recognise
from course.grading.reading.students import Work
from course.grading.reading.suspicion import is_text, looks_like_notebook, named_exercise, suspicion
from course.grading.reading.untrusted_files import UnreadableError

_MOST_READ = 2**30  # bytes of one student
_MOST_FILES = 2000  # of one student, that are read
_MANY = 3  # exercises in one folder are a copy of the course's
_OWN = "is the course's own solution, and counts for nobody."


@dataclass(frozen=True)
class Suspect:
    """A file that may be work, and is not graded.

    Attributes:
        work: whose it is, and where it lies.
        reason: why, as a sentence.
        exercise: which it seems to be of; "" if nothing says so.
        is_certain: whether it is more than some file that is no notebook.
        is_own: whether it is the course's own.
    """

    work: Work
    reason: str
    exercise: str = ""
    is_certain: bool = True
    is_own: bool = False


@dataclass
class Sorted:
    """What was handed in, sorted.

    Attributes:
        candidates: notebooks of exercises, by student and exercise.
        suspects: what may be work, and is not graded.
        others: names of other files, by student.
        beside: names of files at the top that are nobody's work.
    """

    candidates: dict[tuple[str, str], list[Candidate]] = field(default_factory=dict)
    suspects: list[Suspect] = field(default_factory=list)
    others: dict[str, list[str]] = field(default_factory=dict)
    beside: list[str] = field(default_factory=list)


class Sorter:
    """Reads what was handed in, each file once."""

    def __init__(
        self,
        known: Sequence[KnownExercise],
        works: Sequence[Work],
        read: Callable[[Work], bytes],
        handed_in: Callable[[Work], str],
    ) -> None:
        """Args: the exercises; what was handed in; how to read a file, and when it came."""
        self._known, self._works = known, works
        self._names = [one.name for one in known]
        self._read, self._handed_in = read, handed_in
        self._copies = CourseCopies(work.item.parts for work in works if not work.item.is_folder)
        self._readings: dict[bytes, Reading] = {}
        self._bytes, self._files = Counter[str](), Counter[str]()
        self._found = Sorted()

    def sorted(self) -> Sorted:
        """Return what was handed in, sorted."""
        for work in self._works:
            if work.item.trouble:
                called = named_exercise(work.name, self._names)
                is_certain = not work.item.is_doubtful
                self._suspect(work, work.item.trouble, called, is_certain=is_certain)
            elif not work.item.is_folder:
                self._sort(work)
        self._mark_copies()
        return self._found

    def _sort(self, work: Work) -> None:
        if self._copies.is_furniture(work.item.parts):
            return
        called = is_notebook(work.name)
        content, trouble = b"", ""
        if called or is_text(work.name):
            try:
                content = self._content(work)
            except UnreadableError as error:
                trouble = str(error)
        if called or looks_like_notebook(content):
            self._sort_notebook(work, content, trouble)
        elif self._copies.folder(work.item.parts) in ("", "exercises", "."):
            self._sort_other(work, content)

    def _content(self, work: Work) -> bytes:
        self._files[work.student] += 1
        if max(self._bytes[work.student] / _MOST_READ, self._files[work.student] / _MOST_FILES) > 1:
            raise UnreadableError(f"{work.name} comes after more files than are read.")
        before, content = unpacked_bytes(), b""
        try:
            content = self._read(work)
        finally:
            self._bytes[work.student] += len(content) + unpacked_bytes() - before
        return content

    def _sort_notebook(self, work: Work, content: bytes, trouble: str) -> None:
        reading = Reading(reason=trouble, may_be_work=True) if trouble else self._reading(content)
        for found in reading.exercises:
            if self._is_own(work, found):
                self._suspect(work, f"{work.name} {_OWN}", found.exercise, is_own=True)
            else:
                self._add(Candidate(work, found))
        named = exercise_of(work.name, self._names)
        if (
            named
            and work.student
            and reading.exercises
            and named[0] not in {one.exercise for one in reading.exercises}
        ):
            reason = f"{work.name} is named after {named[0]}, but its cells are another exercise's."
            self._suspect(work, reason, named[0], is_certain=False)
        if not reading.exercises:
            self._sort_unknown(work, reading)

    def _reading(self, content: bytes) -> Reading:
        digest = hashlib.sha256(content).digest()
        if digest not in self._readings:
            self._readings[digest] = recognise(content, self._known)
        return self._readings[digest]

    def _is_own(self, work: Work, found: Recognised) -> bool:
        is_there = in_solutions(work.item.parts)
        if found.is_solution:
            return is_there or found.has_marks
        return is_there and found.has_marks and bool(self._copies.folder(work.item.parts))

    def _sort_unknown(self, work: Work, reading: Reading) -> None:
        named = exercise_of(work.name, self._names)
        seems = reading.seems or (named[0] if named else "")
        if self._copies.is_courses(work.item.parts):
            return
        if seems and (named or not reading.may_be_work):
            reason, doubtful = reading.reason, reading.may_be_work
            self._add(Candidate(work, Recognised(seems), reason, doubtful))
        else:
            self._suspect(work, reading.reason, seems, is_certain=reading.may_be_work)

    def _sort_other(self, work: Work, content: bytes) -> None:
        if not work.student and lies_beside(work.name):
            self._found.beside.append(work.name)
            return
        platform = "" if work.item.packed_in else work.person.platform
        found = suspicion(work.name, content, self._known, platform)
        in_copy = self._copies.folder(work.item.parts)
        if found and (found.is_certain or not in_copy):
            reason = f"{work.name} {found.reason}"
            self._suspect(work, reason, found.exercise, is_certain=found.is_certain)
        elif not work.student and not in_copy:
            self._suspect(work, f"{work.name} is not a notebook.", is_certain=False)
        elif not in_copy:
            self._found.others.setdefault(work.student, []).append(work.name)

    def _add(self, candidate: Candidate) -> None:
        work = candidate.work
        fit = exercise_of(work.name, [candidate.found.exercise])
        whole = replace(
            candidate,
            handed_in=self._handed_in(work),
            fit=fit[1] if fit else (False, 0),
            in_copy=bool(self._copies.folder(work.item.parts)),
        )
        key = work.student, candidate.found.exercise
        self._found.candidates.setdefault(key, []).append(whole)

    def _suspect(self, work: Work, reason: str, exercise: str = "", **more: bool) -> None:
        if work.item.is_nobodys and (more.get("is_own") or not exercise):
            return
        self._found.suspects.append(Suspect(work, reason, exercise, **more))

    def _mark_copies(self) -> None:
        """Mark what stands untouched in a folder with many exercises: it is the course's."""
        folders: dict[tuple, set[str]] = {}
        for (student, exercise), candidates in self._found.candidates.items():
            for one in candidates:
                if one.found.written != WRITTEN:
                    folders.setdefault((student, _folder(one)), set()).add(exercise)
        for (student, exercise), candidates in self._found.candidates.items():
            self._found.candidates[student, exercise] = [
                replace(one, in_copy=True)
                if len(folders.get((student, _folder(one)), ())) >= _MANY
                else one
                for one in candidates
            ]


def _folder(candidate: Candidate) -> tuple[str, ...]:
    return candidate.work.item.parts[:-1]
