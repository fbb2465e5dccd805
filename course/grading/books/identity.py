"""Find people by their keys: what a platform, a list of the class or a person calls them.

Two keys are equal when their letters and digits are, whatever their case, accents and punctuation.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import permutations
from operator import attrgetter
from types import MappingProxyType

from course.grading.books.roster import RosterEntry, RosterFile
from course.grading.reading.layouts import Person

Keys = frozenset[str]
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
_FEWEST_DIGITS = 4  # of an id in the name of a file, where exercises and copies have numbers
_MOST_WORDS = 5  # of a name that are tried in any order; longer names are only turned


def normalized(text: str) -> str:
    """Return the letters and digits of a key, without case and accents.

    >>> normalized("Weber-Koch, José"), normalized("kim_david")
    ('weberkochjose', 'kimdavid')
    """
    return "".join(_words(text))


def name_keys(name: str) -> Keys:
    """Return the keys of a full name: its words in any order, joined.

    >>> sorted(name_keys("Ada Lovelace"))
    ['adalovelace', 'lovelaceada']
    """
    words = _words(name)
    if len(words) <= _MOST_WORDS:
        return frozenset(map("".join, permutations(words))) - {""}
    return frozenset("".join(words[start:] + words[:start]) for start in range(len(words)))


def id_keys(*ids: str) -> Keys:
    """Return the keys of ids; an e-mail address is also known by what precedes its @."""
    texts = {text for one in ids for text in (one, one.partition("@")[0])}
    return frozenset(map(normalized, texts)) - {""}


def person_keys(person: Person) -> Keys:
    """Return the keys of somebody on a list or in a report, without the platform's number."""
    return name_keys(person.own_name) | id_keys(person.name, person.called, *person.ids)


class Directory:
    """The students of a class, and the keys of each.

    Args:
        keys: of each student, by name.
        numbers: students by platform and the number that it gives them.
    """

    def __init__(
        self,
        keys: Mapping[str, Keys],
        numbers: Mapping[tuple[str, str], str] = MappingProxyType({}),
    ) -> None:
        self.keys, self.numbers = dict(keys), dict(numbers)
        self._students: dict[str, set[str]] = defaultdict(set)
        for student, own in keys.items():
            for key in own:
                self._students[key].add(student)

    def with_people(self, people: Iterable[Person]) -> "Directory":
        """Return the directory with more students, where it does not know them."""
        keys = {one.name: person_keys(one) for one in people}
        return Directory({**keys, **self.keys}, self.numbers)

    def having(self, keys: Iterable[str]) -> list[str]:
        """Return the students who have one of these keys, in order."""
        return sorted({one for key in keys for one in self._students.get(key, ())})

    def one(self, text: str) -> str:
        """Return the student who is called so: the name in the tables goes before other keys.

        Raises:
            LookupError: none is, or several are; the message says what to write.
        """
        names = [text] if text in self.keys else self.having([normalized(text)])
        if len(names) == 1:
            return names[0]
        if not names:
            raise LookupError(f"no student is called {text!r}: copy the name from grades.csv.")
        either = " or ".join(map(repr, names))
        said = f"{len(names)} students are called {text!r}: write which one, as {either}."
        raise LookupError(said)

    def in_words(self, text: str) -> list[str]:
        """Return the students of whom a key is written in a text, as consecutive whole words.

        >>> Directory({"Ada Lovelace": name_keys("Ada Lovelace")}).in_words("hw5 lovelace_ada v2")
        ['Ada Lovelace']
        """
        words = _words(text)
        ends = range(1, len(words) + 1)
        runs = {"".join(words[start:end]) for end in ends for start in range(end)}
        return self.having(one for one in runs if not one.isdigit() or len(one) >= _FEWEST_DIGITS)

    def students(
        self, people: Iterable[Person], mark: Callable[[Person], str] = attrgetter("number")
    ) -> dict[Person, str]:
        """Return who people are: by the platform's number, or else by another key of one student.

        A student whom several claim by other keys is none of them.

        Args:
            people: to look for.
            mark: what tells that people are not the same person; "" if nothing does.
        """
        found = {one: self.numbers.get((one.platform, one.number), "") for one in people}
        certain = {one for one, name in found.items() if name}
        for one in found.keys() - certain:
            names = self.having(person_keys(one))
            found[one] = names[0] if len(names) == 1 else ""
        claims: dict[str, set[str]] = defaultdict(set)
        for one, name in found.items():
            claims[name] |= {mark(one)} - {""}
        return {
            one: name
            for one, name in found.items()
            if one in certain or (name and len(claims[name]) < 2)
        }


def entries_by_student(roster: RosterFile, people: Iterable[Person]) -> dict[str, RosterEntry]:
    """Return the entry of each student on a list: by the platform's number, or else by other keys.

    A student to whom several entries fit, or whose entry fits several students, has none.

    Args:
        roster: the list.
        people: the students, under the names that grades.csv has.
    """
    entries = {one.name: one for one in roster.entries}
    keys = {name: person_keys(one) for name, one in entries.items()}
    directory = Directory(keys, roster.numbers)
    found = directory.students(people, attrgetter("name"))
    return {one.name: entries[name] for one, name in found.items()}


def _words(text: str) -> list[str]:
    """Return the words of a text, without case, accents and punctuation, in order."""
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_PLAIN)
    kept = (letter for letter in plain if not unicodedata.combining(letter))
    return "".join(letter if _is_of_word(letter) else " " for letter in kept).split()


def _is_of_word(letter: str) -> bool:
    """Return whether a word goes on with it; vowel signs of some scripts are marks."""
    return letter.isalnum() or unicodedata.category(letter).startswith("M")
