"""Remember in a report who handed in, what all were asked for, and which files wait."""

import json
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from course.grading.books.assign import Found, Pending
from course.grading.reading.layouts import Person
from course.grading.report_folder import ReportError, ReportFolder

_FILE = "class.json"


@dataclass(frozen=True)
class ClassList:
    """Who was asked for what, by all runs into a report together.

    Attributes:
        people: everybody who ever handed in.
        asked: the exercises that everybody was to hand in.
        workers: the names of those of whom there was work, so that its result is kept.
        pending: what may be work, and is neither graded nor set aside.
    """

    people: tuple[Person, ...] = ()
    asked: tuple[str, ...] = ()
    workers: frozenset[str] = frozenset()
    pending: tuple[Pending, ...] = ()

    def after(
        self, found: Found, download: str, asked: Iterable[str], kept: Collection[str]
    ) -> "ClassList":
        """Return the list as it is after a run.

        Who had work, has none in the report any more and is no part of the run, was taken out.

        Args:
            found: by the run.
            download: the name of what it graded, which takes the place of an earlier one.
            asked: the exercises that the run asks everybody for.
            kept: the names of students of whom there is a result.
        """
        gone = self.workers - set(kept) - set(found.students)
        people = {one.name: one for one in self.people if one.name not in gone}
        people |= {one.name: one for one in found.people}
        pending = [one for one in self.pending if one.download != download]
        work = [one for one in found.pending if one.work]
        same = {(name, one.exercise, one.work) for one in work for name in ("", one.student)}
        pending = [one for one in pending if (one.student, one.exercise, one.work) not in same]
        return ClassList(
            tuple(people[name] for name in sorted(people, key=lambda n: (n.casefold(), n))),
            tuple(sorted({*self.asked, *asked})),
            frozenset(kept) & people.keys(),
            (*pending, *found.pending),
        )


def read_class_list(folder: ReportFolder) -> ClassList:
    """Return what a report remembers; nothing, if this is its first run.

    Raises:
        ReportError: it cannot be read.
    """
    try:
        return _class_list(json.loads((folder.path / _FILE).read_text(encoding="utf-8")))
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
    pending = [asdict(one) for one in known.pending]
    data = {"asked": known.asked, "people": people, "pending": pending}
    folder.write(_FILE, json.dumps(data, indent=1) + "\n")


def _class_list(data: dict[str, Any]) -> ClassList:
    workers = frozenset(one["name"] for one in data["people"] if one.pop("work"))
    people = tuple(Person.from_json(one) for one in data["people"])
    pending = [Pending.from_json(one) for one in data.get("pending", ())]
    for one in data.get("later", ()):  # of a report that an earlier version wrote
        said = f"It is {one['exercise']}, which is not graded yet."
        where = one["student"], one["exercise"], one["file"]
        pending.append(Pending(*where, said, one["download"], is_gradable=True))
    return ClassList(people, tuple(map(str, data["asked"])), workers, tuple(pending))


def asked_of_all(found: Found) -> tuple[str, ...]:
    """Return the exercises that more than half of those who handed in anything handed in.

    Others may have strayed in: whoever did not hand them in is not to lose points for that.
    """
    pairs = {(one.student, one.exercise) for one in found.submissions}
    pairs |= {(one.student, one.exercise) for one in found.pending if one.student and one.exercise}
    counts = Counter(exercise for _, exercise in pairs)
    students = len({student for student, _ in pairs})
    return tuple(sorted(name for name, count in counts.items() if 2 * count > students))
