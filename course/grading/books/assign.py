"""Give what was handed in to the students of a class, and choose one notebook for each exercise.

A key that the platform or the instructor set says whose it is. A name that a student can choose
does so only if nobody else's work claims that student. Whatever is left is somebody's to ask about.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from course.grading.books.by_hand import Decisions, is_named
from course.grading.books.identity import Directory
from course.grading.reading.archives import stem
from course.grading.reading.download import Candidate, Download, Leftover
from course.grading.reading.files import File
from course.grading.reading.layouts import Person, Sent
from course.grading.reading.recognition import WRITTEN
from course.grading.results import PASSED_OVER, Result

_NOTHING = Result("", "", PASSED_OVER, 0, ())  # where nothing was graded


@dataclass(frozen=True)
class Pending:
    """A file that may be work, and that nobody has graded or set aside.

    Attributes:
        student: whose it is; "" if nothing says so.
        exercise: which it seems to be of; "" if nothing says so.
        file: where it lay.
        reason: a sentence that says why it is not graded.
        download: the name of the download that it lies in; "" if nothing says which.
        work: hash of what it holds; "" if that is not known.
        shown: its beginning.
        is_gradable: whether it is an exercise's notebook, which only nobody asked for, or owns.
        may_count: whether the report has other answers of the student to that exercise.
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
    may_count: bool = False
    may_be: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The file as no other download has it."""
        return f"{self.download}/{self.file}"


@dataclass(frozen=True)
class Found:
    """What a run found, by student.

    Attributes:
        submissions: what is to be graded, as results without tasks, and where each lies.
        people: all who handed in anything.
        pending: what may be work, and is not graded.
    """

    submissions: Mapping[Result, File]
    people: tuple[Person, ...]
    pending: tuple[Pending, ...] = ()


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
        if student and (
            exercise in now or whose.is_taken((student, exercise), one.sent.file.where)
        ):
            groups[student, exercise].append(one)
        elif student is not None and (one.found.written or not student):
            known = graded.get((student, exercise), _NOTHING)
            reason = f"It is {exercise}, which is not graded now."
            left.append(whose.other(one, student, known, reason))
    submissions = {}
    for key, several in groups.items():
        taken = [one for one in several if whose.is_taken(key, one.sent.file.where)]
        best, rivals = _choose(several, taken)
        result, known = whose.submission(*key, best), whose.answered(key, best)
        if known:
            rivals = several
        else:
            submissions[result] = best.sent.file
        written = (one for one in rivals if one.found.written == WRITTEN)
        left += [whose.other(one, key[0], known or result) for one in written]
    for one in download.leftovers:
        student = whose.of(one.sent, one.exercise)
        key = student, one.exercise
        may_count = one.exercise in now and key in graded and key not in groups
        if student is not None:
            left.append(whose.pending(one, student, may_count=may_count))
    return Found(
        submissions,
        tuple(whose.people.values()),
        tuple(left),
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
        said = self.said.owner(exercise, f"{self.download.name}/{one.file.where}")
        named = [said.student] if said else self._named(one)
        if len(named) != 1:
            return ""
        if not said and one.is_chosen and work:
            claims = self._claims[named[0], exercise]
            if {top for top, same in claims if same != work} - {one.file.parts[0]}:
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

    def submission(self, student: str, exercise: str, best: Candidate) -> Result:
        """Return what counts of a student for an exercise."""
        one, found = best.sent, best.found
        sender = self._senders.get(one.person, Person())
        return Result(
            *(student, exercise, PASSED_OVER, 0, ()),
            person=sender if sender.name == student else Person(student),
            file=one.file.where,
            download=self.download.name,
            handed_in=one.handed_in,
            rank=one.rank,
            work=found.work,
            marked_late=one.is_late,
            doubts=found.doubts,
        )

    def is_taken(self, key: tuple[str, str], file: str, download: str = "") -> bool:
        """Return whether a person took this file."""
        taken = self.said.lines.get(key, {}).get(("", "take"))
        return bool(taken) and is_named(f"{download or self.download.name}/{file}", taken)

    def answered(self, key: tuple[str, str], best: Candidate) -> Result | None:
        """Return what was graded of an exercise, if that counts still and not `best`."""
        known, file = self.graded.get(key), best.sent.file
        if not known or known.fingerprint == PASSED_OVER:
            return None
        is_blank = all(task.status == "not-started" for task in known.tasks)
        keeps = self.is_taken(key, known.file, known.download)
        if is_blank or (self.is_taken(key, file.where) and not keeps):
            return None
        has_key = best.sent.person.platform or known.download in ("", self.download.name)
        is_elsewhere = not has_key or known.file.partition("/")[0] != file.parts[0]
        is_same = best.found.work == known.work
        stays = (best.found.written < WRITTEN and not is_same) or (
            is_elsewhere and (keeps or is_same or not _is_newer(best.sent, known))
        )
        return known if stays else None

    def other(self, one: Candidate, student: str, graded: Result, reason: str = "") -> Pending:
        """Return a notebook that waits, although it could be graded."""
        found = one.found
        is_rival = found.written == WRITTEN and graded.work not in ("", found.work)
        if is_rival:
            reason = f"It holds other answers than {graded.file}, which was graded."
        left = Leftover(one.sent, reason, found.exercise, found.work, found.code)
        may_count = is_rival and not _is_newer(graded, one.sent)
        return self.pending(left, student, is_gradable=True, may_count=may_count)

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


def _choose(
    candidates: Sequence[Candidate], taken: Sequence[Candidate]
) -> tuple[Candidate, list[Candidate]]:
    """Return which notebook counts, and those that may count instead.

    The newest that was worked on counts, by the platform's own numbers and times. Where these do
    not say which is newer, a person is asked, unless they have taken one.
    """
    ordered = sorted(candidates, key=lambda one: one.sent.file.parts, reverse=True)
    if len(taken) == 1:
        return taken[0], []
    best = max(ordered, key=_worth)
    for one in ordered:
        if _worth(one) == _worth(best) and _is_newer(one.sent, best.sent):
            best = one
    rivals = [
        one
        for one in candidates
        if one.found.work != best.found.work
        and one.found.written >= best.found.written
        and not _is_newer(best.sent, one.sent)
    ]
    return best, rivals


def _worth(one: Candidate) -> tuple:
    return one.found.written, not one.found.is_solution, one.found.is_main


def _is_newer(this: Sent | Result, that: Sent | Result) -> bool:
    """Return whether the platform says that one came after the other."""
    if this.rank and that.rank:
        return this.rank > that.rank
    return bool(this.handed_in and that.handed_in) and this.handed_in > that.handed_in
