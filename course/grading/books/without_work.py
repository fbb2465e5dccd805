"""Results for those of whom there is nothing to grade: nothing handed in, or passed over."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from course.grading.fingerprint import text_hash
from course.grading.reading.for_later import ForLater
from course.grading.reading.people import Person
from course.grading.reading.submissions import Found, PassedOver
from course.grading.results import EARLIER, PASSED_OVER, Result, TaskResult

Blank = Callable[[str, str, str], tuple[TaskResult, ...]]  # of an exercise, a status, a reason
_MOST_SAID = 3


@dataclass
class Sifted:
    """What was passed over, by what it means.

    Attributes:
        results: new or changed ones, for students whose work could not be graded as it is.
        others: what stands in no result, and needs a person all the same.
        notes: sentences on what affects nobody's points.
    """

    results: list[Result] = field(default_factory=list)
    others: list[PassedOver] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def sift(
    found: Found,
    asked: Collection[str],
    chosen: Collection[str],
    kept: Iterable[Result],
    blank: Blank,
) -> Sifted:
    """Return what becomes of all that was passed over.

    Where a student handed in nothing else for an exercise, it may be their work, and a person has
    to look at it. Where an earlier run graded something, that stands, with a doubt.

    Args:
        found: by this run.
        asked: the exercises that this run asks everybody for.
        chosen: the exercises that this run is about.
        kept: the results of the report.
        blank: makes the results of tasks.
    """
    known = {(one.student, one.exercise): one for one in kept}
    people = {person.name: person for person in found.people}
    handed_in: dict[str, set[str]] = defaultdict(set)
    for one in found.submissions:
        handed_in[one.student].add(one.exercise)
    sifted = Sifted()
    places: dict[tuple[str, str], list[PassedOver]] = defaultdict(list)
    for one in found.passed_over:
        own = handed_in[one.student]
        may_be = {one.exercise} & set(chosen) if one.exercise else set(asked)
        if not one.student or not (one.exercise or may_be or own):
            sifted.others.append(one)
        elif may_be <= own:
            sifted.notes.append(f"{one.student}: {one.file}: {one.reason}")
        else:
            for exercise in sorted(may_be - own):
                places[one.student, exercise].append(one)
    for (student, exercise), several in places.items():
        before = known.get((student, exercise))
        if before is None or before.fingerprint == PASSED_OVER:
            person = people.get(student, Person(student))
            after = _unread(person, exercise, several, blank)
        else:
            after = _doubted(before, several)
        if after != before:
            sifted.results.append(after)
    return sifted


def missing(
    people: Iterable[Person], asked: Iterable[str], there: Iterable[Result], blank: Blank
) -> list[Result]:
    """Return results for those who handed in nothing for an exercise that they were asked for."""
    known = {(one.student, one.exercise) for one in there}
    found = []
    for exercise in asked:
        tasks = blank(exercise, "missing", "Nothing was handed in.")
        found += [
            Result(person.name, exercise, "", 0, tasks, person=_unnumbered(person))
            for person in people
            if (person.name, exercise) not in known
        ]
    return found


def handed_in_earlier(
    absent: Iterable[Result], later: Iterable[ForLater], blank: Blank
) -> list[Result]:
    """Return results for those of the absent who did hand it in, with another exercise's download.

    They are open: a person has to say what counts.
    """
    known = {(one.student, one.exercise): one for one in later}
    return [
        _earlier(one, known[one.student, one.exercise], blank)
        for one in absent
        if (one.student, one.exercise) in known
    ]


def _earlier(absent: Result, one: ForLater, blank: Blank) -> Result:
    said = f"{one.file} was handed in with another exercise's work, and is not graded yet."
    todo = (
        f"It is in {one.download}: make a copy that holds only what is this student's, and grade "
        f"that with --exercise {one.exercise[:2]}; or set the points in overrides.csv."
    )
    return replace(
        absent,
        fingerprint=EARLIER,
        tasks=blank(one.exercise, "not-gradable", said),
        note=said,
        file=one.file,
        work=text_hash(one.work),
        doubts=(todo,),
    )


def _unnumbered(person: Person) -> Person:
    """Return somebody without the number that Moodle has for them in another assignment."""
    return replace(person, number="", folder="") if person.platform == "moodle" else person


def _unread(person: Person, exercise: str, several: Sequence[PassedOver], blank: Blank) -> Result:
    said = _sentences(several)
    held = "\0".join(one.work or f"{one.file}: {one.reason}" for one in several)
    work = text_hash(held)
    tasks = blank(exercise, "not-gradable", said)
    file = several[0].file
    return Result(
        person.name, exercise, PASSED_OVER, 0, tasks, said, person=person, file=file, work=work
    )


def _doubted(before: Result, several: Sequence[PassedOver]) -> Result:
    doubt = f"What is graded was handed in before; now there is {_sentences(several)}"
    doubts = before.doubts if doubt in before.doubts else (*before.doubts, doubt)
    return replace(before, doubts=doubts)


def _sentences(several: Sequence[PassedOver]) -> str:
    said = [f"{one.file}: {one.reason}" for one in several[:_MOST_SAID]]
    if len(several) > _MOST_SAID:
        said.append(f"And {len(several) - _MOST_SAID} more files like these.")
    return " ".join(said)
