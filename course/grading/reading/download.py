"""Read a download: which notebooks of exercises are in it, what else may be work, and whose."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import course
from course.grading.reading.cells import NotGradableError, student_cells
from course.grading.reading.files import File, is_notebook, list_files
from course.grading.reading.layouts import Sent, sent
from course.grading.reading.other_files import (
    exercise_of,
    is_text,
    looks_like_notebook,
    may_be_work,
    readable_text,
)
from course.grading.reading.recognition import MOST_SHOWN, Reading, Recognised, recognise
from course.grading.reading.sheet import Sheet
from course.grading.reading.untrusted_files import UnreadableError

_MOST_READ = 2**30  # bytes of one student
_LEAST = 2**19  # bytes that a file counts
_MOST_LEFTOVERS = 20  # of one student
# What tells a copy of the whole course, and the folders of it in which nobody is asked to work.
_COURSES = frozenset(
    ("notebooks", "lessons", "solutions", "whygrad", "helpers", "course", "tests", "docs")
)
_NEEDED = 2  # of these, beside exercises/
_OURS = Path(course.__file__).parents[1]


class SubmissionsError(ValueError):
    """There are no submissions to grade; the message is one sentence that says why."""


@dataclass(frozen=True)
class Candidate:
    """A notebook that holds an exercise.

    Attributes:
        sent: the file, and who sent it.
        found: which exercise, and what became of it.
    """

    sent: Sent
    found: Recognised


@dataclass(frozen=True)
class Leftover:
    """A file that may be work, and cannot be graded as it is.

    Attributes:
        sent: the file, and who sent it.
        reason: why, as a sentence.
        exercise: which it seems to be of; "" if nothing says so.
        work: hash of what it holds; "" if that cannot be read.
        shown: its beginning, for people.
    """

    sent: Sent
    reason: str
    exercise: str
    work: str
    shown: str


@dataclass
class Download:
    """What lies in a folder or an archive of submissions.

    Attributes:
        name: of it, and of the folder that holds it.
        sent: everything, with who sent it.
        candidates: notebooks of exercises.
        leftovers: what may be work, and cannot be graded as it is.
    """

    name: str
    sent: list[Sent]
    candidates: list[Candidate] = field(default_factory=list)
    leftovers: list[Leftover] = field(default_factory=list)


def read_download(root: Path, known: Sequence[Sheet]) -> Download:
    """Return what lies in a folder or an archive.

    Args:
        root: the folder, or the archive.
        known: all exercises of the course, by which notebooks are known.

    Raises:
        SubmissionsError: there is no such folder or archive, or nothing in it.
    """
    try:
        name, files = list_files(root.resolve() if root.is_symlink() else root)
    except (OSError, UnreadableError) as error:
        reason = str(error).removesuffix(".")
        raise SubmissionsError(f"{reason}: give the folder or the zip of submissions.") from None
    # Of two weeks, `week1/attachments` and `week2/attachments`, folders alone would be one.
    found = Download(
        "/".join(root.absolute().parts[-2:]), sent(name, files, [one.exercise for one in known])
    )
    _Reader(known, found).read()
    if not found.candidates and not found.leftovers:
        raise SubmissionsError(
            f"{root} holds no submission: there should be a folder for each student, with "
            "notebooks such as 05_square.ipynb, or a download of Moodle or Canvas."
        )
    return found


class _Reader:
    """Reads what was handed in, each file once."""

    def __init__(self, known: Sequence[Sheet], into: Download) -> None:
        self._known, self._into = known, into
        self._names = [one.exercise for one in known]
        self._copies = _course_copies(one.file for one in into.sent)
        self._readings: dict[bytes, Reading] = {}
        self._read, self._left = Counter[str](), Counter[str]()

    def read(self) -> None:
        """Sort everything into candidates and leftovers."""
        others: dict[tuple[str, str], Sent] = {}
        for one in self._into.sent:
            if one.file.trouble:
                self._leave(one, one.file.trouble, exercise_of(one.file.name, self._names))
            elif not one.file.is_folder and not self._sort(one):
                others.setdefault(_sender(one), one)
        busy = {_sender(one.sent) for one in self._into.candidates + self._into.leftovers}
        for sender, one in others.items():
            if sender not in busy:
                self._leave(one, f"{one.file.name} is no notebook, and there is none beside it.")

    def _sort(self, one: Sent) -> bool:
        """Return whether a file is work, may be, or is the course's own."""
        name, content = one.file.name, b""
        inside = self._inside(one.file)  # a copy of the course
        where = inside[0] if len(inside) > 1 else ""
        if where in _COURSES and not is_notebook(name):
            return True
        if is_notebook(name) or is_text(name):
            try:
                content = self._content(one.file)
            except UnreadableError as error:
                if where not in _COURSES:
                    self._leave(one, str(error), exercise_of(name, self._names))
                return True
        if is_notebook(name) or looks_like_notebook(content):
            self._sort_notebook(one, content, where)
            return True
        if one.person.platform and name == one.person.folder:  # the platform wrote it
            return False
        exercise = may_be_work(name, content, self._known)
        if exercise is None or (inside and _OURS.joinpath(*inside).exists()):
            return bool(inside)
        self._leave(one, f"{name} is no notebook, but may hold answers.", exercise, content)
        return True

    def _sort_notebook(self, one: Sent, content: bytes, where: str) -> None:
        name, is_asked = one.file.name, where not in _COURSES
        reading = self._reading(content)
        for found in reading.exercises:
            # Two signs of three: a copy without marks is work, and an older solution is another.
            if found.is_solution + found.has_marks + (where == "solutions") < 2:
                self._into.candidates.append(Candidate(one, found))
            elif is_asked:
                said = f"{name} is the course's own solution, and counts for nobody."
                self._leave(one, said, found.exercise, content)
        named = exercise_of(name, self._names)
        if is_asked and not reading.exercises:
            self._leave(one, reading.reason, reading.seems or named, content)
        elif is_asked and named not in ("", *(found.exercise for found in reading.exercises)):
            said = f"{name} is named after {named}, but its cells are another exercise's."
            self._leave(one, said, named, content)

    def _content(self, file: File) -> bytes:
        student = file.parts[0]
        if self._read[student] >= _MOST_READ:
            raise UnreadableError(f"{file.name} comes after more files than are read.")
        self._read[student] += _LEAST
        content = file.read()
        self._read[student] += len(content)
        return content

    def _reading(self, content: bytes) -> Reading:
        digest = hashlib.sha256(content).digest()
        if digest not in self._readings:
            self._readings[digest] = recognise(content, self._known)
        return self._readings[digest]

    def _leave(self, one: Sent, reason: str, exercise: str = "", content: bytes = b"") -> None:
        top = one.file.parts[0]
        self._left[top] += 1
        if self._left[top] > _MOST_LEFTOVERS:
            return
        if self._left[top] == _MOST_LEFTOVERS:
            reason, exercise = f"{reason} Whatever comes after it is not listed.", ""
        work = hashlib.sha256(content).hexdigest() if content else ""
        shown = code_of(content) or readable_text(one.file.name, content)
        self._into.leftovers.append(Leftover(one, reason, exercise, work, shown[:MOST_SHOWN]))

    def _inside(self, file: File) -> tuple[str, ...]:
        """Return where a file is in a copy of the course; () if it is in none."""
        for depth in reversed(range(len(file.parts))):
            if file.parts[:depth] in self._copies:
                return file.parts[depth:]
        return ()


def _sender(one: Sent) -> tuple[str, str]:
    return one.person.name, one.person.number


def _course_copies(files: Iterable[File]) -> set[tuple[str, ...]]:
    """Return the folders that hold the whole course, as clones and releases do."""
    held: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for file in files:
        for depth, part in enumerate(file.parts[:-1]):
            held[file.parts[:depth]].add(part)
    return {
        folder
        for folder, names in held.items()
        if "exercises" in names and len(names & _COURSES) >= _NEEDED
    }


def code_of(content: bytes) -> str:
    """Return the code of a notebook; "" if it is none."""
    try:
        cells = student_cells(content)
    except NotGradableError:
        return ""
    return "\n\n".join(cell.source for cell in cells if cell.is_code)
