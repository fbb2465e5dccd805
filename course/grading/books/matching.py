"""Tell which of the people who handed in stands where on a list of students."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from course.grading.books.roster import RosterEntry, RosterFile, named
from course.grading.reading.people import Person
from course.grading.reading.whole_names import name_words

Keys = frozenset[str]
_OF_SCHOOLS = ("blackboard", "gradescope")  # whose numbers are ids that lists of a class have
_MOST_WORDS = 8  # of a name, in any order

_NO_POINTS = " Until then, no points of theirs go back."


@dataclass(frozen=True)
class Matching:
    """Who is who.

    Attributes:
        entries: of the people who are on the list, by their names in grades.csv.
        absent: who is on the list and handed nothing in, as people of their own.
        doubts: sentences on people of whom it is not clear, for a person to look at.
        notes: sentences that ask nobody.
        loose: who is on the list only as it seems, so that no points of theirs go back.
        odd: those of the loose whom nobody else claims to be.
    """

    entries: dict[str, RosterEntry]
    absent: tuple[Person, ...]
    doubts: tuple[str, ...]
    notes: tuple[str, ...] = ()
    loose: frozenset[str] = frozenset()
    odd: frozenset[str] = frozenset()


def match(roster: RosterFile, people: Iterable[Person]) -> Matching:
    """Return who is who: by number, by e-mail, login or id, by name, by name in another order.

    Where two could be meant, nobody is taken: neither is then absent, and a sentence asks. Somebody
    of whom several weeks are known may be given several times.
    """
    if not roster.entries:
        return Matching({}, (), ())
    by_name: dict[str, list[Person]] = {}
    for person in people:
        by_name.setdefault(person.name, []).append(person)
    found: dict[str, RosterEntry] = {}
    unclear: dict[str, list[RosterEntry]] = {}
    for of_person, of_entry in _ways(roster.platform):
        left = [name for name in by_name if name not in found]
        taken = {id(entry) for entry in found.values()}
        entries = [entry for entry in roster.entries if id(entry) not in taken]
        sure, unsure = _paired(
            {name: frozenset().union(*map(of_person, by_name[name])) for name in left},
            [(entry, of_entry(entry)) for entry in entries],
        )
        found |= sure
        for name, several in unsure.items():
            unclear.setdefault(name, []).extend(several)
    taken = {id(entry) for entry in found.values()}
    open_names = [name for name in by_name if name not in found]
    perhaps = {id(e) for name in open_names for e in unclear.get(name, ()) if id(e) not in taken}
    absent = [e for e in roster.entries if id(e) not in taken | perhaps]
    doubts, notes = _said(open_names, perhaps, absent, roster)
    claims = _claims({name: by_name[name] for name in open_names}, found, roster.platform)
    chosen = _by_chosen_ids(by_name, found)
    claimed = chosen & {held for _, held in claims}
    shared = Counter(entry.name for entry in roster.entries)  # whom only an id tells apart
    alone = {name for name in chosen if shared[found[name].name] == 1}
    odd = [name for name in _odd(alone, by_name, found) if name not in claimed]
    return Matching(
        found,
        _as_people(absent, roster.platform, by_name),
        (
            *(
                f"{said}{_NO_POINTS if held in chosen else ''}"
                for (_, held), said in claims.items()
            ),
            *(_said_of(name, found[name].name) for name in odd),
            *doubts,
        ),
        notes,
        frozenset((*odd, *claimed)),
        frozenset(odd),
    )


def _by_chosen_ids(by_name: dict[str, list[Person]], found: dict[str, RosterEntry]) -> set[str]:
    """Return who is on the list by the name of a folder, which is an id there and no name.

    A student may have chosen that name; what a platform or an earlier list says is certain.
    """
    return {
        name
        for name, entry in found.items()
        if all(_is_plain(one) and not one.ids for one in by_name[name])
        and not _orders(name) & _orders(entry.name)
    }


def _is_plain(person: Person) -> bool:
    return not person.platform and person.folder in ("", person.called or person.name)


def _odd(
    chosen: set[str], by_name: dict[str, list[Person]], found: dict[str, RosterEntry]
) -> list[str]:
    """Return those of the chosen, if others' folders are called by names, as most are."""
    named_so = [
        name
        for name, entry in found.items()
        if any(_is_plain(one) for one in by_name[name])
        and any(_orders(one.called or one.name) & _orders(entry.name) for one in by_name[name])
    ]
    return sorted(chosen) if len(named_so) >= len(chosen) else []


def _said_of(name: str, listed: str) -> str:
    return (
        f"{name} could be {listed}, by an id on the list of students, while others are called by "
        "their names. If it is their work, call the folder by their name; if not, by the name of "
        f"whose it is.{_NO_POINTS}"
    )


def _claims(
    strangers: dict[str, list[Person]], found: dict[str, RosterEntry], platform: str
) -> dict[tuple[str, str], str]:
    """Return a sentence on each stranger who could be somebody whom another was taken for.

    Its key are the two.
    """
    said: dict[tuple[str, str], str] = {}
    for of_person, of_entry in _ways(platform):
        holders = {key: name for name, entry in found.items() for key in of_entry(entry)}
        for stranger, people in strangers.items():
            held = {holders[key] for person in people for key in of_person(person) & {*holders}}
            if held and stranger not in {one for one, _ in said}:
                name = min(held)
                said[stranger, name] = (
                    f"{stranger} and {name} could both be {found[name].name} on the list of "
                    f"students, and {name} was taken for them: if they are one person, put their "
                    "work into one folder; else let both be named after an id on the list."
                )
    return said


def _paired(
    people: dict[str, Keys], entries: Sequence[tuple[RosterEntry, Keys]]
) -> tuple[dict[str, RosterEntry], dict[str, list[RosterEntry]]]:
    """Return the pairs that have a key in common with each other alone, and what is not clear."""
    by_key: dict[str, list[int]] = {}
    for index, (_, keys) in enumerate(entries):
        for key in keys:
            by_key.setdefault(key, []).append(index)
    fitting = {
        name: sorted({index for key in keys for index in by_key.get(key, ())})
        for name, keys in people.items()
    }
    wanted = Counter(index for several in fitting.values() for index in several)
    sure, unsure = {}, {}
    for name, several in fitting.items():
        if len(several) == 1 and wanted[several[0]] == 1:
            sure[name] = entries[several[0]][0]
        elif several:
            unsure[name] = [entries[index][0] for index in several]
    return sure, unsure


def _ways(
    platform: str,
) -> list[tuple[Callable[[Person], Keys], Callable[[RosterEntry], Keys]]]:
    def number(person: Person) -> Keys:
        return _keys(person.number if person.platform == platform else "")

    return [
        (number, lambda entry: _keys(entry.number)),
        (_person_ids, lambda entry: _keys(*entry.ids.values())),
        (_person_ids, lambda entry: _keys(*map(_login, entry.ids.values()))),
        (lambda person: _keys(_words(_name(person))), lambda entry: _keys(_words(entry.name))),
        (lambda person: _orders(_name(person)), lambda entry: _orders(entry.name)),
    ]


def _name(person: Person) -> str:
    """Return a name without the id beside it."""
    own = f" ({person.number})" if person.platform in _OF_SCHOOLS else ""
    return person.name.removesuffix(own)


def _person_ids(person: Person) -> Keys:
    number = person.number if person.platform in _OF_SCHOOLS else ""
    return _keys(person.name, person.folder, number, *person.ids)


def _login(text: str) -> str:
    """Return what stands before the @ of an e-mail address."""
    return text.partition("@")[0] if "@" in text else ""


def _keys(*texts: str) -> Keys:
    return frozenset(text.strip().casefold() for text in texts if text.strip())


def _words(name: str) -> str:
    """Return a name with its words in speaking order, without accents, case and punctuation."""
    return " ".join(name_words(name))


def _orders(name: str) -> Keys:
    """Return a name without spaces, as it stands and with its last words first."""
    words = _words(name).split()
    turned = range(len(words)) if len(words) <= _MOST_WORDS else range(1)
    return _keys(*("".join(words[start:] + words[:start]) for start in turned))


def _as_people(
    absent: list[RosterEntry], platform: str, there: Iterable[str]
) -> tuple[Person, ...]:
    """Return them with names that nobody else has."""
    names = Counter([*there, *(entry.name for entry in absent)])
    found = []
    for entry in absent:
        own = entry.number or next(iter(entry.ids.values()), "")
        is_shared = names[entry.name] > 1 and own
        name = f"{entry.name} ({own})" if is_shared else entry.name
        found.append(Person(name, platform if entry.number else "", entry.number))
    return tuple(found)


def _said(
    strangers: list[str], perhaps: set[int], absent: list[RosterEntry], roster: RosterFile
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a person has to look at, and what is only to be known."""
    unsure = [entry.name for entry in roster.entries if id(entry) in perhaps]
    doubts, notes = [], []
    if strangers:
        are = "is" if len(strangers) == 1 else "are"
        said = f"{named(strangers)} handed in and {are} not known on the list of students"
        if absent or unsure:  # it may be the work of one of these
            doubts.append(
                f"{said}: let the folder be named after the name, the e-mail address or an id on "
                "the list, or add them to the list. If they have left the course, delete their "
                "folder in results/ of the report."
            )
        else:
            notes.append(f"{said}.")
    if unsure:
        doubts.append(
            f"{named(unsure)} on the list of students could be more than one of those who handed "
            "in, or the other way round: let their folders be named after an id on the list."
        )
    return tuple(doubts), tuple(notes)
