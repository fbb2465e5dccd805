"""Remember in a report who handed in, what all were asked for, and which files wait."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from course.grading.books.assign import Found, Pending
from course.grading.reading.layouts import Person
from course.grading.report_folder import ReportError, ReportFolder
from course.grading.results import Result, TaskResult, from_json
from course.notebooks.write import read_json, write_json

_FILE = "class.json"


@dataclass(frozen=True)
class ClassList:
    """Who was asked for what, by all runs into a report together.

    Attributes:
        people: everybody who handed in.
        asked: the exercises that everybody was to hand in.
        pending: what may be work, and is neither graded nor set aside.
    """

    people: tuple[Person, ...] = ()
    asked: tuple[str, ...] = ()
    pending: tuple[Pending, ...] = ()

    def after(
        self, found: Found, download: str, asked: Iterable[str], kept: Collection[str]
    ) -> "ClassList":
        """Return the list as it is after a run.

        Anyone of whom the report has no work any more, and who is no part of the run, is left out.

        Args:
            found: by the run.
            download: the name of what it graded, which takes the place of an earlier one.
            asked: the exercises that the run asks everybody for.
            kept: the names of students of whom there is a result.
        """
        there = {*kept, *(one.student for one in self.pending)}
        people = {one.name: one for one in self.people if one.name in there}
        people |= {one.name: one for one in found.people}
        pending = [one for one in self.pending if one.download != download]
        work = [one for one in found.pending if one.work]
        same = {(name, one.exercise, one.work) for one in work for name in ("", one.student)}
        pending = [one for one in pending if (one.student, one.exercise, one.work) not in same]
        return ClassList(
            tuple(people[name] for name in sorted(people)),
            tuple(sorted({*self.asked, *asked})),
            (*pending, *found.pending),
        )


def read_class_list(folder: ReportFolder) -> ClassList:
    """Return what a report remembers; nothing, if this is its first run.

    Raises:
        ReportError: it cannot be read.
    """
    try:
        return _class_list(read_json(folder.path / _FILE))
    except FileNotFoundError:
        return ClassList()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ReportError(
            f"{folder.path / _FILE} is damaged: mend it, or delete it, which forgets who handed "
            "nothing in."
        ) from None


def write_class_list(folder: ReportFolder, known: ClassList) -> None:
    """Keep it.

    Raises:
        OSError: it cannot be written.
    """
    write_json(folder.path / _FILE, asdict(known))


def _class_list(data: dict[str, Any]) -> ClassList:
    # A report that an earlier version wrote calls work that it did not grade yet "later".
    facts = {"reason": "It is not graded yet.", "work": "", "is_gradable": True}
    later = (one | facts for one in data.get("later", ()))
    return from_json(ClassList, data | {"pending": [*data.get("pending", ()), *later]})


def asked_of_all(found: Found) -> tuple[str, ...]:
    """Return the exercises that more than half of those who handed in anything handed in.

    Others may have strayed in: whoever did not hand them in is not to lose points for that.
    """
    pairs = {(one.student, one.exercise) for one in found.submissions}
    pairs |= {(one.student, one.exercise) for one in found.pending if one.student and one.exercise}
    counts = Counter(exercise for _, exercise in pairs)
    students = len({student for student, _ in pairs})
    return tuple(sorted(name for name, count in counts.items() if 2 * count > students))


def everybody(known: ClassList, names: Collection[str], kept: Sequence[Result]) -> list[Person]:
    """Return those on the list, where there is one, and those of whom there is work."""
    people = {one.name: one for one in known.people}
    workers = {one.student for one in (*kept, *known.pending)}
    there = [name for name in people if name in workers or not names]
    return [people.get(name, Person(name)) for name in dict.fromkeys((*names, *there))]


def missing(
    people: Iterable[Person],
    asked: Collection[str],
    kept: Sequence[Result],
    blank: Callable[[str], tuple[TaskResult, ...]],
) -> list[Result]:
    """Return results for those who handed in nothing for an exercise that they were asked for."""
    there = {(one.student, one.exercise) for one in kept}
    return [
        Result(one.name, exercise, "", 0, blank(exercise), person=_unnumbered(one))
        for exercise in asked
        for one in people
        if (one.name, exercise) not in there
    ]


def _unnumbered(person: Person) -> Person:
    """Return somebody without the number that Moodle has for them in another assignment."""
    return replace(person, number="", folder="") if person.platform == "moodle" else person
