"""Call students as a list of the class does, in every week that a report holds.

Moodle numbers people anew for each assignment, Canvas writes names without spaces, and GitHub
Classroom writes usernames. The list says who has a number or an id, and by what else they are
known: that is remembered in the report.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from course.grading.books.class_list import ClassList, read_class_list, write_class_list
from course.grading.books.matching import match
from course.grading.books.roster import RosterEntry, RosterFile
from course.grading.books.same_people import renamed, told_apart, without_group
from course.grading.books.worksheets import kept_worksheets
from course.grading.reading.file_names import clean
from course.grading.reading.people import Person
from course.grading.reading.submissions import Found
from course.grading.reading.whole_names import name_words
from course.grading.report_folder import ReportError, ReportFolder, unwritable
from course.grading.results import Result, read_result, write_result

_ODD = (
    "The folder is called by an id on the list of students, while others are called by their "
    "names: look whether it is this student's work."
)
Listed = Mapping[tuple[str, str], Person]  # by platform and number; by its name for who has none


def who_is_who(found: Found, folder: ReportFolder, roster: RosterFile) -> Found:
    """Return what a run found, with the names by which list and report know these people.

    Those of earlier runs, whom only this list makes known, get their names in the report too.

    Raises:
        ReportError: the report cannot be read or written.
    """
    known = read_class_list(folder)
    listed: dict[tuple[str, str], Person] = {}
    for one in (*kept_worksheets(folder.path).values(), roster):
        listed |= listed_people(one, known.people)
    known = _call_earlier(folder, known, listed)
    found = _called(_without_groups(found, roster, listed), listed)
    found = _called(found, _remembered(found, known))
    kept = [one for path in folder.kept() if (one := read_result(path))]
    found, joined = _joined(found, known.people, roster, kept)
    known = _call_earlier(folder, known, joined)
    others = _by_ids(roster, listed, [*found.people, *known.people])
    known = _call_earlier(folder, known, others)
    found = _called(found, others)
    return told_apart(found, known.people, filter(None, map(read_result, folder.kept())))


def listed_people(roster: RosterFile, known: Iterable[Person]) -> Listed:
    """Return whose the numbers on a list are, with the names that nobody else has.

    Args:
        roster: of Moodle or Canvas; any other has no numbers.
        known: the people of the report, who keep the names that they got from earlier lists.
    """
    everybody = list(known)
    known = [one for one in everybody if one.ids]
    values = Counter(id_ for entry in roster.entries for id_ in {*_ids(entry)})
    names = Counter(clean(entry.name) for entry in roster.entries)
    alike = Counter(_words(clean(entry.name)) for entry in roster.entries)
    strangers: dict[tuple[str, ...], list[Person]] = defaultdict(list)
    for one in everybody:
        strangers[_words(one.own_name)].append(one)
    found = {}
    for entry in roster.entries:
        ids = tuple(id_ for id_ in dict.fromkeys(_ids(entry)) if values[id_] == 1)
        name = clean(entry.name)
        is_sure = ids or ("name" in roster.columns and names[name] == 1)
        if not (entry.number and is_sure and name):
            continue
        before = [one for one in known if {*one.ids} & {*ids}]
        if not before and names[name] == 1:  # one list says e-mail addresses, and one does not
            before = [one for one in known if one.name == name and not _differ(one.ids, ids)]
        if not before and alike[_words(name)] == 1:
            same = strangers.get(_words(name), ())
            before = [one for one in same if _may_be(one, roster.platform, entry.number, ids)]
            before = before if len(same) == 1 else []
        if len(before) == 1:
            name, ids = before[0].name, tuple(dict.fromkeys((*before[0].ids, *ids)))
        elif names[name] > 1 or any(one.name == name for one in known):
            own = entry.number if roster.platform == "canvas" else _address(ids) or ids[0]
            name = f"{name} ({own})"
        found[roster.platform, entry.number] = Person(name, roster.platform, entry.number, ids=ids)
    return found


def _remembered(found: Found, known: ClassList) -> Listed:
    """Return those without a number whom an earlier list called otherwise than downloads do."""
    names = {one.name for one in found.people}
    return {
        _key(one): one
        for one in known.people
        if one.called and not one.number and one.name not in names
    }


def _joined(
    found: Found, known: Sequence[Person], roster: RosterFile, kept: Sequence[Result]
) -> tuple[Found, Listed]:
    """Return a run in which folders have the names of those whose work the report has already.

    And who these are, for what was graded before there was a list.

    The list says whose they are, by an id or a name. Where the others' folders are called by names,
    and one by an id, a person is asked; whose work there is already in another folder is not meant.
    """
    of_run = match(roster, found.people)
    new = {one.name: one for one in found.people if one.platform != "moodle" and not one.ids}
    people = {one.name: one for one in known if one.name not in new}
    before = {
        id(entry): name
        for name, entry in match(roster, people.values()).entries.items()
        if people[name].platform or people[name].ids or _words(name) == _words(entry.name)
    }
    there = {*found.students, *(one.name for one in found.people)}
    done = {(one.student, one.exercise): one.person.folder for one in kept}
    called, doubts, listed = {}, {}, {}
    for name, one in new.items():
        same = people.get(before.get(id(of_run.entries.get(name)), ""))
        is_claimed = name in of_run.loose and name not in of_run.odd
        if same is None or same.name in there or is_claimed:
            continue
        is_odd = name in of_run.odd
        now = {own.exercise for own in found.submissions if own.student == name}
        earlier = {exercise for student, exercise in done if student == name}
        is_theirs = all(done.get((same.name, own), one.folder) == one.folder for own in now)
        if not is_theirs or any((same.name, own) in done for own in earlier):
            continue
        if is_odd and earlier - now:  # of which nobody would be asked
            continue
        former = "" if is_odd else one.called or name
        called[name] = replace(one, name=same.name, ids=same.ids, called=former)
        listed[_key(one)] = same
        if is_odd:
            doubts[name] = (_ODD,)
    return renamed(found, called, doubts), listed


def _by_ids(roster: RosterFile, listed: Listed, people: Sequence[Person]) -> Listed:
    """Return who of these people is on a list by an id or a name, and by no number.

    Nobody gets the name of another. Moodle's names are those of its lists, and its numbers tell
    nothing of another week.
    """
    matching = match(roster, people)
    entries = {name: one for name, one in matching.entries.items() if name not in matching.loose}
    names = Counter(clean(entry.name) for entry in roster.entries)
    keys: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for one in people:
        keys[one.name].add(_key(one))
    found = {}
    for one in people:
        entry = entries.get(one.name)
        if entry is None or one.platform == "moodle" or _key(one) in listed:
            continue
        name, ids = clean(entry.name), tuple(dict.fromkeys(_ids(entry)))
        if entry.number:
            same = listed.get((roster.platform, entry.number), one)
            name, ids = same.name, same.ids
        elif names[name] > 1 and ids:
            name = f"{name} ({next(iter(entry.ids.values()))})"
        if name and ids and keys[name] <= {_key(one)}:
            found[_key(one)] = Person(name, ids=ids)
    return found


def _key(person: Person) -> tuple[str, str]:
    return person.platform, person.number or person.called or person.name


def _ids(entry: RosterEntry) -> list[str]:
    return [text.casefold() for text in entry.ids.values()]


def _address(ids: Iterable[str]) -> str:
    return next((one for one in ids if "@" in one), "")


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name, in an order that is the same for all ways to write it."""
    return tuple(sorted(name_words(name)))


def _may_be(person: Person, platform: str, number: str, ids: Iterable[str]) -> bool:
    """Tell whether no number that lasts and no address says that this is somebody else."""
    is_other = platform == person.platform == "canvas" and number != person.number
    return not is_other and not _differ(person.ids, ids)


def _differ(some: Iterable[str], others: Iterable[str]) -> bool:
    return bool(_address(some) and _address(others))


def as_listed(person: Person, listed: Listed) -> Person:
    """Return somebody with the name and the ids of the list, if they are on it."""
    one = listed.get(_key(person))
    if one is None:
        return person
    called = person.called or (person.name if person.name != one.name else "")
    return replace(person, name=one.name, ids=one.ids, called=called)


def _called(found: Found, listed: Listed) -> Found:
    """Return what a run found, with the people called as on the list."""
    people = {one.name: as_listed(one, listed) for one in found.people}
    others = {one.name for one in found.people if _key(one) not in listed}
    counts = Counter(one.name for one in people.values())
    sure = {
        name: one
        for name, one in people.items()
        if one.name not in others and (counts[one.name] == 1 or name == one.name)
    }
    return renamed(found, sure)


def _without_groups(found: Found, roster: RosterFile, listed: Listed) -> Found:
    """Return it without the names of groups, which Moodle writes before those of its people."""
    names = Counter(clean(entry.name) for entry in roster.entries)
    alone = {name for name, count in names.items() if count == 1} - {*found.students}
    people = {
        one.name: replace(one, name=name, called=one.name)
        for one in found.people
        if one.platform == "moodle" and (one.platform, one.number) not in listed
        if one.name not in names and (name := without_group(one.name, alone))
    }
    counts = Counter(one.name for one in people.values())
    return renamed(found, {key: one for key, one in people.items() if counts[one.name] == 1})


def _call_earlier(folder: ReportFolder, known: ClassList, listed: Listed) -> ClassList:
    """Call those of earlier runs so too; return who is in the class then."""
    if not listed:
        return known
    old = {path: one for path in folder.kept() if (one := read_result(path))}
    new = {}
    for path, one in old.items():
        person = as_listed(replace(one.person, name=one.student), listed)
        target = folder.result(person.name, one.exercise)
        there = old.get(target, one)
        others = replace(there.person, name=there.student)
        is_same = there is one or others == one.person or _key(others) in listed
        if _key(replace(one.person, name=one.student)) in listed and is_same:
            new[path] = target, replace(one, student=person.name, person=person)
    try:
        for target, one in new.values():
            if old.get(target) != one:
                write_result(target, one)
        for path in new.keys() - {target for target, _ in new.values()}:
            path.unlink()
    except OSError as error:
        raise ReportError(unwritable(folder.path, error)) from None
    names = {one.name: as_listed(one, listed) for one in known.people}
    ordered = sorted(names.values(), key=lambda one: bool(one.platform))  # folders say less
    people = {one.name: one for one in ordered}
    workers = frozenset(names[name].name for name in known.workers)
    later = tuple(
        replace(one, student=names[one.student].name) if one.student in names else one
        for one in known.later
    )
    after = replace(known, people=tuple(people.values()), workers=workers, later=later)
    if after != known:
        write_class_list(folder, after)
    return after
