"""Tell which people of a download are those whom a report knows already from earlier ones."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from course.grading.books.roster import named
from course.grading.reading.people import Person
from course.grading.reading.submissions import Found, Submission
from course.grading.results import Result

_NUMBERED_ANEW = "moodle"  # numbers people once for each assignment


def told_apart(found: Found, known: Iterable[Person], kept: Iterable[Result]) -> Found:
    """Return what was found, with the names by which the report knows these people.

    Somebody whose number the report knows keeps the name that goes with it. Who has the name of
    somebody else gets the number into theirs, so that no work takes the place of another's.

    Args:
        found: by this run, in which no two people share a name.
        known: the people of the report.
        kept: the results of the report.
    """
    names = {(one.platform, one.number): one.name for one in known if one.number}
    numbers = {(platform, name): number for (platform, number), name in names.items()}
    kept = list(kept)
    graded = {(p.platform, p.number): one.student for one in kept if (p := one.person).number}
    there = {*found.students}
    of_exercise = {(one.student, one.exercise): one.person for one in kept if one.person.number}
    handed_in: dict[str, list[str]] = defaultdict(list)
    for one in found.submissions:
        handed_in[one.student].append(one.exercise)
    called, doubts = {}, {}
    for person in found.people:
        full = f"{person.name} ({person.number})"
        if not person.number:
            continue
        if person.platform == _NUMBERED_ANEW:
            before = [of_exercise.get((person.name, name)) for name in handed_in[person.name]]
            others = {one.number for one in before if one and one.platform == person.platform}
            name = graded.get((person.platform, person.number), "")
            name = "" if name in there else name
        else:
            name = names.get((person.platform, person.number), "")
            others = {numbers.get((person.platform, person.name), person.number)}
        if others - {person.number} and name in ("", full):
            name = full
            doubts[person.name] = (
                f"Another {person.name} is in this report, with another number of "
                f"{person.platform.capitalize()}'s: look whose work is whose.",
            )
        if name:
            before = person.called or (person.name if person.name != name else "")
            called[person.name] = replace(person, name=name, called=before)
    return renamed(found, called, doubts)


def without_group(name: str, names: Collection[str]) -> str:
    """Return the one of the names that stands in a name after a group's; "" if none does.

    >>> without_group("Group C-Jan de Vries", ["Jan de Vries", "Vries"])
    'Jan de Vries'
    """
    ends = (name[place + 1 :] for place, letter in enumerate(name) if letter == "-" and place)
    return next((end for end in ends if end in names), "")


def with_groups(
    people: Iterable[Person], kept: Iterable[Result], listed: Collection[str]
) -> list[str]:
    """Return sentences on people of Moodle who may be others of the class, in a group.

    Who handed in the same exercise as the other is somebody else.

    Args:
        people: everybody.
        kept: the results of the report.
        listed: the names of those who are known on a list of the class.
    """
    people = list(people)
    names = {one.name for one in people}
    exercises: dict[str, set[str]] = defaultdict(set)
    for one in kept:
        exercises[one.student].add(one.exercise)
    found = []
    for one in people:
        other = without_group(one.name, names)
        is_open = one.platform == _NUMBERED_ANEW and one.name not in listed
        if other and is_open and not exercises[one.name] & exercises[other]:
            found.append(
                f"{one.name} may be {other}, with the name of a group before: if so, delete the "
                f"folder of {one.name} in results/ of the report, take the group out of the name "
                "of their folder in the download, and grade that again; if not, give a list of "
                "the class that has both as --roster."
            )
    return found


def without_untold(
    absent: Sequence[Result], people: Iterable[Person], kept: Iterable[Result]
) -> tuple[list[Result], list[str]]:
    """Return who is missing for certain, and a sentence on who is not.

    Of people of Moodle who share a name, each may be any of the others in another week, unless a
    list says who is who.

    Args:
        absent: results of those of whom there is no work.
        people: of the report.
        kept: the results of the report.
    """
    groups: dict[str, list[Person]] = defaultdict(list)
    for one in people:
        if one.platform == _NUMBERED_ANEW:
            name, own = one.name.rpartition(" (")[::2]
            is_marked = own.removesuffix(")") in (one.number, *one.ids)
            groups[name if is_marked else one.name].append(one)
    handed_in = {(one.student, one.exercise) for one in kept}
    untold: set[tuple[str, str]] = set()
    for group in (several for several in groups.values() if len(several) > 1):
        strangers = {one.name for one in group if not one.ids}
        theirs = {exercise for name, exercise in handed_in if name in strangers}
        for one in absent:
            is_of_group = any(one.student == other.name for other in group)
            if one.student in strangers or (is_of_group and one.exercise in theirs):
                untold.add((one.student, one.exercise))
    certain = [one for one in absent if (one.student, one.exercise) not in untold]
    if not untold:
        return certain, []
    return certain, [
        f"{named(sorted({name for name, _ in untold}))}: some of these may be one person, for "
        "Moodle numbers people anew for each assignment. Nobody of them counts as missing so far: "
        "grade each week once more with its grading worksheet, with e-mail addresses, as --roster."
    ]


def renamed(
    found: Found,
    called: Mapping[str, Person],
    doubts: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> Found:
    """Return what was found, with other people in the place of some, by the names they had."""

    def person(one: Person) -> Person:
        other = called.get(one.name)
        return replace(other, folder=one.folder, number=one.number) if other else one

    def name(student: str) -> str:
        return called[student].name if student in called else student

    def submission(one: Submission) -> Submission:
        return replace(
            one,
            student=name(one.student),
            person=person(one.person),
            doubts=one.doubts + doubts.get(one.student, ()),
            alone=tuple(map(submission, one.alone)),
        )

    return replace(
        found,
        people=tuple(map(person, found.people)),
        submissions=tuple(map(submission, found.submissions)),
        passed_over=tuple(replace(one, student=name(one.student)) for one in found.passed_over),
        later=tuple(replace(one, student=name(one.student)) for one in found.later),
    )
