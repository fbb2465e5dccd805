"""Give what was handed in to the students of a class, and choose one notebook for each exercise.

A key that the platform or the instructor set says whose it is. A name that a student can choose
does so only if nobody else's work claims that student. Whatever is left is somebody's to ask about.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from course.grading.books.choice import choose
from course.grading.books.identity import Directory
from course.grading.reading.archives import stem
from course.grading.reading.download import Candidate, Download, Leftover, code_of
from course.grading.reading.files import File
from course.grading.reading.layouts import Person, Sent
from course.grading.reading.recognition import WRITTEN
from course.grading.reading.untrusted_files import UnreadableError
from course.grading.results import Version

_MOST_SHOWN = 20_000  # characters of a version


@dataclass(frozen=True)
class Submission:
    """One notebook of one student, with the facts that a `Result` keeps of it.

    Attributes:
        student, exercise: whose it is, and what.
        source: where it lies.
        person, file, handed_in, marked_late, doubts, remarks, notebooks: as in `Result`.
    """

    student: str
    exercise: str
    source: File
    person: Person = field(default_factory=Person)
    file: str = ""
    handed_in: str = ""
    marked_late: bool = False
    doubts: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    notebooks: tuple[Version, ...] = ()

    def read(self) -> bytes:
        """Return what the file holds.

        Raises:
            UnreadableError: it cannot be read, is too large, or is no file but a link or a device.
        """
        return self.source.read()


@dataclass(frozen=True)
class Pending:
    """A file that may be work, and that nobody has graded or set aside.

    Attributes:
        student: whose it is; "" if nothing says so.
        exercise: which it seems to be of; "" if nothing says so.
        file: where it lay.
        reason: a sentence that says why it is not graded.
        download: the name of the download that it lies in.
        work: hash of what it holds; "" if that is not known.
        shown: its beginning.
        is_gradable: whether it is an exercise's notebook, which only nobody asked for, or owns.
        is_newer: whether the report has earlier work of the student for that exercise.
        may_be: the students whom its name may mean, if it is a name that students choose.
    """

    student: str
    exercise: str
    file: str
    reason: str
    download: str = ""
    work: str = ""
    shown: str = ""
    is_gradable: bool = False
    is_newer: bool = False
    may_be: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Pending":
        """Read it from what `dataclasses.asdict` gave.

        Raises:
            TypeError: it is something else.
        """
        return cls(**{**data, "may_be": tuple(data.get("may_be", ()))})


@dataclass(frozen=True)
class Found:
    """What a run found, by student.

    Attributes:
        submissions: what is to be graded.
        people: all who handed in anything.
        pending: what may be work, and is not graded.
        files: where everything lay.
    """

    submissions: tuple[Submission, ...]
    people: tuple[Person, ...]
    pending: tuple[Pending, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def students(self) -> tuple[str, ...]:
        """Return the names of all students."""
        return tuple(person.name for person in self.people)


@dataclass(frozen=True)
class Class:
    """Who is in the class, and what a person said of whose work is whose.

    Attributes:
        directory: the students and their keys.
        numbers: students by platform and the number that it gives them.
        files: students by exercise and file, for files that a person gave to them; "" for nobody.
        taken: files by student and exercise, where a person chose among several.
        graded: files by student and exercise of what the report has already.
    """

    directory: Directory
    numbers: Mapping[tuple[str, str], str] = field(default_factory=dict)
    files: Mapping[tuple[str, str], str] = field(default_factory=dict)
    taken: Mapping[tuple[str, str], str] = field(default_factory=dict)
    graded: Mapping[tuple[str, str], str] = field(default_factory=dict)


def assign(download: Download, members: Class, asked: Collection[str] = ()) -> Found:
    """Return what is to be graded of a download, and whose it is.

    Args:
        download: what lies in it.
        members: the class.
        asked: the exercises to grade; if there are none, all that somebody has worked on.
    """
    whose = _Owners(download, members)
    written = {one.found.exercise for one in download.candidates if one.found.written == WRITTEN}
    graded = set(asked) or written or {one.found.exercise for one in download.candidates}
    groups: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    pending: list[Pending] = []
    for one in download.candidates:
        exercise = one.found.exercise
        student = whose.of(one.sent, exercise, one.found.work)
        if student is None:
            continue
        if student and exercise in graded:
            groups[student, exercise].append(one)
        elif one.found.written or not student:
            said = f"It is {exercise}, which is not graded now."
            found = Leftover(one.sent, said, exercise, one.found.work, _version(one).code)
            pending.append(replace(_pending(download, student, found, whose), is_gradable=True))
    for left in download.leftovers:
        student = whose.of(left.sent, left.exercise)
        if student is not None:
            key = student, left.exercise
            is_newer = left.exercise in graded and key in members.graded and key not in groups
            pending.append(replace(_pending(download, student, left, whose), is_newer=is_newer))
    submissions = [
        _submission(student, exercise, several, whose, members.taken.get((student, exercise), ""))
        for (student, exercise), several in groups.items()
    ]
    people = {person.name: person for person in reversed(list(whose.people.values()))}
    return Found(
        tuple(sorted(submissions, key=lambda one: (*_order(one.student), one.exercise))),
        tuple(people[name] for name in sorted(people, key=_order)),
        tuple(pending),
        tuple(one.file.where for one in download.sent),
    )


class _Owners:
    """Says whose each file of a download is.

    Attributes:
        people: by what the download says of somebody, the same with the name of the student.
    """

    def __init__(self, download: Download, members: Class) -> None:
        self._members = members
        senders = dict.fromkeys(one.person for one in download.sent if not one.is_chosen)
        self.people = _students(senders, members)
        self._claims: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
        works = [(one.sent, one.found.exercise, one.found.work) for one in download.candidates]
        works += [(one.sent, one.exercise, one.work) for one in download.leftovers]
        for one, exercise, work in works:
            named = self.named(one)
            if len(named) == 1:
                self._claims[named[0], exercise].add((one.file.parts[0], work))

    def of(self, one: Sent, exercise: str, work: str = "") -> str | None:
        """Return the student; "" if nobody knows; None if a person said that it is nobody's.

        Args:
            one: the file.
            exercise: that it is of, or seems to be.
            work: what tells its answers from others; "" if it cannot be graded, and takes no place.
        """
        said = self._members.files.get((exercise, one.file.where))
        if said is not None:
            return self._note(said) if said else None
        named = self.named(one)
        if not one.is_chosen:
            return named[0]
        if len(named) != 1:
            return ""
        claims = self._claims[named[0], exercise]
        others = {top for top, same in claims if same != work} - {one.file.parts[0]}
        graded = self._members.graded.get((named[0], exercise), one.file.where)
        if work and (others or graded != one.file.where):
            return ""
        return self._note(named[0])

    def is_said(self, one: Sent, exercise: str) -> bool:
        """Return whether a person said whose it is."""
        return (exercise, one.file.where) in self._members.files

    def person(self, one: Sent, student: str) -> Person:
        """Return what the platform says of the sender, under the student's name."""
        known = self.people.get(one.person)
        return known if known and known.name == student else Person(student)

    def _note(self, student: str) -> str:
        self.people.setdefault(Person(student), Person(student))
        return student

    def named(self, one: Sent) -> list[str]:
        """Return the students whom the name of a sender, or of a loose file, may mean."""
        if not one.is_chosen:
            return [self.people[one.person].name]
        text = stem(one.file.parts[0].removesuffix(".ipynb"))
        return self._members.directory.in_words(text)


def _students(senders: Iterable[Person], members: Class) -> dict[Person, Person]:
    """Return the senders under the names of students: by number, or else by another key.

    A student whom two numbers of a platform claim is neither's, and keeps both by their numbers.
    """
    senders = list(senders)
    certain = {
        one: student
        for one in senders
        if (student := members.numbers.get((one.platform, one.number)))
    }
    found = dict(certain)
    for one in senders:
        named = members.directory.named(one.name, *one.ids) if one not in certain else []
        if len(named) == 1:
            found[one] = named[0]
    numbers: dict[str, set[str]] = defaultdict(set)
    for one, student in found.items():
        numbers[student] |= {one.number} - {""}
    found = {one: name for one, name in found.items() if one in certain or len(numbers[name]) < 2}
    alike: dict[str, set[str]] = defaultdict(set)
    for one in senders:
        alike[one.name].add(one.number)
    taken = set(found.values())
    for one in senders:
        is_shared = one.number and (len(alike[one.name]) > 1 or one.name in taken)
        found.setdefault(one, f"{one.name} ({one.number})" if is_shared else one.name)
    return {
        one: replace(one, name=name, called=one.name if one.name != name else "")
        for one, name in found.items()
    }


def _submission(
    student: str, exercise: str, candidates: Sequence[Candidate], whose: _Owners, taken: str
) -> Submission:
    best, rivals, remarks = choose(candidates, taken)
    one, found = best.sent, best.found
    if one.is_chosen:
        by = "a line of overrides.csv" if whose.is_said(one, exercise) else "its name"
        remarks.append(f"{one.file.where} counts as theirs by {by}.")
    versions = tuple(map(_version, (best, *rivals))) if rivals else ()
    return Submission(
        *(student, exercise, one.file, whose.person(one, student), one.file.where),
        *(one.handed_in, one.is_late),
        doubts=tuple(filter(None, (*found.doubts, unsure(versions)))),
        remarks=tuple(remarks),
        notebooks=versions,
    )


def unsure(versions: Sequence[Version]) -> str:
    """Return the doubt on several versions, the first of which was graded; "" if there is none."""
    if not versions:
        return ""
    others = " and ".join(one.file for one in versions[1:])
    return (
        f"{others} holds other answers than {versions[0].file}, which was graded, and nothing "
        "says which is newer."
    )


def _version(one: Candidate) -> Version:
    try:
        code = code_of(one.sent.file.read())[:_MOST_SHOWN]
    except UnreadableError:
        code = ""
    return Version(one.sent.file.where, one.sent.handed_in, code)


def _pending(download: Download, student: str, left: Leftover, whose: _Owners) -> Pending:
    may_be = () if student else tuple(whose.named(left.sent))
    said = left.reason
    if len(may_be) == 1:
        said = f"It is named after {may_be[0]}, and so is other work."
    elif not student:
        of = (
            f"its name may mean {' or '.join(may_be)}"
            if may_be
            else "no student's key is in its name"
        )
        said = f"Nothing says whose it is: {of}."
    facts = left.sent.file.where, said, download.name, left.work, left.shown
    return Pending(student, left.exercise, *facts, may_be=may_be)


def _order(student: str) -> tuple[str, str]:
    return student.casefold(), student
