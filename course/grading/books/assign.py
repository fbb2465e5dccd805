"""Give what was handed in to the students of a class, and choose one notebook for each exercise.

A key that the platform or the instructor set says whose it is. A name that a student can choose
does so only if nobody else's work claims that student. Whatever is left is somebody's to ask about.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from course.grading.books.by_hand import Decisions
from course.grading.books.identity import Directory
from course.grading.reading.archives import stem
from course.grading.reading.download import Candidate, Download, Leftover, code_of
from course.grading.reading.files import File
from course.grading.reading.layouts import Person, Sent
from course.grading.reading.recognition import WRITTEN
from course.grading.reading.untrusted_files import UnreadableError
from course.grading.results import PASSED_OVER, Result, Version

_MOST_SHOWN = 20_000  # characters of a version


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
        is_newer: whether the report has other work of the student for that exercise.
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


@dataclass(frozen=True)
class Found:
    """What a run found, by student.

    Attributes:
        submissions: what is to be graded, as results without tasks, and where each lies.
        people: all who handed in anything.
        pending: what may be work, and is not graded.
        files: where everything lay.
    """

    submissions: Mapping[Result, File]
    people: tuple[Person, ...]
    pending: tuple[Pending, ...] = ()
    files: tuple[str, ...] = ()


def senders(download: Download, directory: Directory) -> dict[Person, Person]:
    """Return whom a download names, by what it says of them, under the names of students.

    A student whom two numbers of a platform claim is neither's, and both keep their numbers.
    """
    people = dict.fromkeys(one.person for one in download.sent if not one.is_chosen)
    found = directory.students(people)
    names = Counter(name for name, _ in {(one.name, one.number) for one in people})
    taken = set(found.values())
    for one in people:
        is_shared = one.number and (names[one.name] > 1 or one.name in taken)
        found.setdefault(one, f"{one.name} ({one.number})" if is_shared else one.name)
    return {
        one: replace(one, name=found[one], called=one.name if one.name != found[one] else "")
        for one in people
    }


def assign(
    download: Download,
    directory: Directory,
    said: Decisions,
    graded: Mapping[tuple[str, str], Result],
    asked: Collection[str] = (),
) -> Found:
    """Return what is to be graded of a download, and whose it is.

    Args:
        download: what lies in it.
        directory: the students and their keys.
        said: what a person decided on files.
        graded: results by student and exercise that the report has already.
        asked: the exercises to grade; if there are none, all that somebody has worked on.
    """
    whose = _Owners(download, directory, said, graded)
    written = {one.found.exercise for one in download.candidates if one.found.written == WRITTEN}
    now = set(asked) or written or {one.found.exercise for one in download.candidates}
    groups: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    left = []
    for one in download.candidates:
        exercise = one.found.exercise
        student = whose.of(one.sent, exercise, one.found.work)
        if student and exercise in now:
            groups[student, exercise].append(one)
        elif student is not None and (one.found.written or not student):
            reason = f"It is {exercise}, which is not graded now."
            again = Leftover(one.sent, reason, exercise, one.found.work, _version(one).code)
            known = graded.get((student, exercise))
            is_newer = bool(known and one.found.written == WRITTEN and known.work != again.work)
            left.append(whose.pending(again, student, is_gradable=True, is_newer=is_newer))
    for one in download.leftovers:
        student = whose.of(one.sent, one.exercise)
        key = student, one.exercise
        is_newer = one.exercise in now and key in graded and key not in groups
        if student is not None:
            left.append(whose.pending(one, student, is_newer=is_newer))
    return Found(
        dict(whose.submission(*key, several) for key, several in groups.items()),
        tuple(whose.people.values()),
        tuple(left),
        tuple(one.file.where for one in download.sent),
    )


@dataclass
class _Owners:
    """Says whose each file of a download is.

    Attributes:
        people: all who handed in anything, by name.
    """

    download: Download
    directory: Directory
    said: Decisions
    graded: Mapping[tuple[str, str], Result]

    def __post_init__(self) -> None:
        download = self.download
        self._senders = senders(download, self.directory)
        self.people: dict[str, Person] = {}
        for one in self._senders.values():
            self.people.setdefault(one.name, one)
        self._claims: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
        works = [(one.sent, one.found.exercise, one.found.work) for one in download.candidates]
        works += [(one.sent, one.exercise, one.work) for one in download.leftovers]
        for one, exercise, work in works:
            named = self._named(one)
            if len(named) == 1:
                self._claims[named[0], exercise].add((one.file.parts[0], work))

    def of(self, one: Sent, exercise: str, work: str = "") -> str | None:
        """Return the student; "" if nobody knows; None if a person said that it is nobody's.

        Args:
            one: the file.
            exercise: that it is of, or seems to be.
            work: what tells its answers from others; "" if it cannot be graded, and takes no place.
        """
        said = self.said.owners.get((exercise, one.file.where))
        named = [said.student] if said else self._named(one)
        if len(named) != 1:
            return ""
        if not said and one.is_chosen and work:
            claims = self._claims[named[0], exercise]
            others = {top for top, same in claims if same != work} - {one.file.parts[0]}
            graded = self.graded.get((named[0], exercise))
            if others or (graded and graded.file != one.file.where):
                return ""
        if not named[0]:
            return None
        self.people.setdefault(named[0], Person(named[0]))
        return named[0]

    def _named(self, one: Sent) -> list[str]:
        """Return the students whom the name of a sender, or of a loose file, may mean."""
        if not one.is_chosen:
            return [self._senders[one.person].name]
        text = stem(one.file.parts[0].removesuffix(".ipynb"))
        return self.directory.in_words(text)

    def submission(
        self, student: str, exercise: str, several: Sequence[Candidate]
    ) -> tuple[Result, File]:
        """Return what counts of several notebooks of a student for an exercise."""
        taken = self.said.lines.get((student, exercise), {}).get(("", "take"))
        best, rivals = _choose(several, taken.value if taken else "")
        one, found = best.sent, best.found
        versions = tuple(map(_version, (best, *rivals))) if rivals else ()
        sender = self._senders.get(one.person, Person())
        result = Result(
            *(student, exercise, PASSED_OVER, 0, ()),
            person=sender if sender.name == student else Person(student),
            file=one.file.where,
            handed_in=one.handed_in,
            work=found.work,
            marked_late=one.is_late,
            doubts=tuple(filter(None, (*found.doubts, unsure(versions)))),
            notebooks=versions,
        )
        return result, one.file

    def pending(self, left: Leftover, student: str, **facts: bool) -> Pending:
        """Return a file that waits, and why."""
        may_be = () if student else tuple(self._named(left.sent))
        of = "no student's key is in its name"
        if may_be:
            of = f"its name may mean {' or '.join(may_be)}"
        said = left.reason if student else f"Nothing says whose it is: {of}."
        if len(may_be) == 1:
            said = f"It is named after {may_be[0]}, and so is other work."
        where = left.sent.file.where, said, self.download.name
        return Pending(
            student, left.exercise, *where, left.work, left.shown, **facts, may_be=may_be
        )


def _choose(candidates: Sequence[Candidate], taken: str) -> tuple[Candidate, list[Candidate]]:
    """Return which notebook counts, and those that may count instead.

    The newest that was worked on counts, by the platform's own numbers and times. Where these do
    not say which is newer, a person is asked, unless they have taken one.
    """
    ordered = sorted(candidates, key=lambda one: one.sent.file.parts, reverse=True)
    chosen = [one for one in ordered if taken in (one.sent.file.where, one.sent.file.name)]
    if len(chosen) == 1:
        return chosen[0], []
    best = max(ordered, key=_worth)
    for one in ordered:
        if _worth(one) == _worth(best) and _is_newer(one, best):
            best = one
    rivals = [
        one
        for one in candidates
        if one.found.work != best.found.work
        and one.found.written >= best.found.written
        and not _is_newer(best, one)
    ]
    return best, rivals


def _worth(one: Candidate) -> tuple:
    return one.found.written, not one.found.is_solution, one.found.is_main


def _is_newer(one: Candidate, other: Candidate) -> bool:
    """Return whether the platform says that one came after the other."""
    this, that = one.sent, other.sent
    if this.rank and that.rank:
        return this.rank > that.rank
    return bool(this.handed_in and that.handed_in) and this.handed_in > that.handed_in


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
