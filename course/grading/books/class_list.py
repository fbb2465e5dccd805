"""Remember in a report who is in the class, and which exercises they were asked for."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from course.grading.reading.for_later import ForLater
from course.grading.reading.people import Person
from course.grading.reading.submissions import Found
from course.grading.report_folder import ReportError, ReportFolder
from course.grading.results import PASSED_OVER, Result

_FILE = "class.json"


@dataclass(frozen=True)
class ClassList:
    """Who was asked for what, by all runs into a report together.

    Attributes:
        people: everybody.
        asked: the exercises that each of them was to hand in.
        workers: those of whom there was work, so that its result is kept.
        later: what was handed in with another exercise's download, and is not graded yet.
    """

    people: tuple[Person, ...] = ()
    asked: tuple[str, ...] = ()
    workers: frozenset[str] = frozenset()
    later: tuple[ForLater, ...] = ()

    def after(
        self, people: Sequence[Person], asked: Sequence[str], kept: Collection[str]
    ) -> "ClassList":
        """Return the list as it is after a run.

        Who had work, has none in the report any more and is no part of the run, was taken out.

        Args:
            people: of the run.
            asked: the exercises that the run asks everybody for.
            kept: the names of students of whom there is a result.
        """
        now = {person.name for person in people}
        gone = self.workers - set(kept) - now
        found = {one.name: one for one in self.people if one.name not in gone}
        for person in people:
            # A folder says less of a person than a platform's download.
            before = found.get(person.name, person)
            if person.platform or not before.platform:
                ids, called = person.ids or before.ids, person.called or before.called
                found[person.name] = replace(person, ids=ids, called=called)
        ordered = sorted(found.values(), key=lambda one: (one.name.casefold(), one.name))
        exercises = tuple(sorted({*self.asked, *asked}))
        later = tuple(one for one in self.later if one.student in found)
        return ClassList(tuple(ordered), exercises, frozenset(kept) & found.keys(), later)

    def with_later(self, now: Iterable[ForLater], results: Iterable[Result]) -> "ClassList":
        """Return the list with work for later, without that which has a result by now.

        Args:
            now: what a run found; it takes the place of what was known before.
            results: of the report.
        """
        done = {(one.student, one.exercise) for one in results if one.fingerprint != PASSED_OVER}
        found = {(one.student, one.exercise): one for one in (*self.later, *now)}
        left = (found[key] for key in sorted(found.keys() - done))
        return replace(self, later=tuple(left))


def asked_of_all(found: Found) -> tuple[str, ...]:
    """Return the exercises that more than half of those who handed in anything handed in.

    Others may have strayed in: whoever did not hand them in is not to lose points for that.
    """
    work = (*found.submissions, *found.passed_over)
    pairs = {(one.student, one.exercise) for one in work if one.student and one.exercise}
    counts = Counter(exercise for _, exercise in pairs)
    students = len({student for student, _ in pairs})
    return tuple(sorted(name for name, count in counts.items() if 2 * count > students))


def read_class_list(folder: ReportFolder) -> ClassList:
    """Return what a report remembers; nothing, if this is its first run.

    Raises:
        ReportError: it cannot be read.
    """
    try:
        data = json.loads((folder.path / _FILE).read_text(encoding="utf-8"))
        return _class_list(data)
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
        ReportError: it cannot be written.
    """
    people = [{**asdict(one), "work": one.name in known.workers} for one in known.people]
    later = [asdict(one) for one in known.later]
    data = {"asked": known.asked, "people": people, "later": later}
    folder.write(_FILE, json.dumps(data, indent=1) + "\n")


def _class_list(data: dict[str, Any]) -> ClassList:
    workers = frozenset(one["name"] for one in data["people"] if one.pop("work"))
    people = tuple(Person.from_json(one) for one in data["people"])
    later = tuple(map(ForLater.from_json, data.get("later", ())))
    return ClassList(people, tuple(map(str, data["asked"])), workers, later)
