"""Find people by their keys: what a platform, a list of the class or a person calls them.

Two keys are equal when their letters and digits are, whatever their case, accents and punctuation.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import permutations

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


def entry_keys(entry: RosterEntry) -> Keys:
    """Return the keys of a student on a list."""
    return name_keys(entry.name) | id_keys(*entry.ids.values())


def person_keys(person: Person) -> Keys:
    """Return the keys by which a report knows somebody; a number counts only on its platform."""
    return name_keys(person.own_name) | id_keys(person.name, person.called, *person.ids)


class Directory:
    """The students of a class, and the keys of each."""

    def __init__(self, keys: Mapping[str, Keys]) -> None:
        """Args: the keys of each student, by name."""
        self.keys = dict(keys)
        self._students: dict[str, set[str]] = defaultdict(set)
        for student, own in keys.items():
            for key in own:
                self._students[key].add(student)

    def with_people(self, people: Iterable[Person]) -> "Directory":
        """Return the directory with more students, where it does not know them."""
        return Directory({**{one.name: person_keys(one) for one in people}, **self.keys})

    def named(self, *texts: str) -> list[str]:
        """Return the students who have one of these texts as a key, in order."""
        return sorted({one for text in texts for one in self._students.get(normalized(text), ())})

    def in_words(self, text: str) -> list[str]:
        """Return the students of whom a key is written in a text, as consecutive whole words.

        >>> Directory({"Ada Lovelace": name_keys("Ada Lovelace")}).in_words("hw5 lovelace_ada v2")
        ['Ada Lovelace']
        """
        words = _words(text)
        ends = range(1, len(words) + 1)
        runs = {"".join(words[start:end]) for end in ends for start in range(end)}
        runs -= {run for run in runs if run.isdigit() and len(run) < _FEWEST_DIGITS}
        return sorted({one for run in runs for one in self._students.get(run, ())})


def entries_by_student(roster: RosterFile, people: Iterable[Person]) -> dict[str, RosterEntry]:
    """Return the entry of each student on a list: by the platform's number, or else by other keys.

    A student to whom several entries fit, or whose entry fits several students, has none.

    Args:
        roster: the list.
        people: the students, under the names that grades.csv has.
    """
    numbers = {entry.number: index for index, entry in enumerate(roster.entries) if entry.number}
    by_key: dict[str, set[int]] = defaultdict(set)
    for index, entry in enumerate(roster.entries):
        for key in entry_keys(entry):
            by_key[key].add(index)
    found: dict[str, set[int]] = defaultdict(set)
    certain: dict[str, set[int]] = defaultdict(set)
    for person in people:
        if person.platform == roster.platform and person.number in numbers:
            certain[person.name].add(numbers[person.number])
        for key in person_keys(person):
            found[person.name] |= by_key.get(key, set())
    taken = {index for several in certain.values() for index in several}
    fitting = {name: certain.get(name) or found[name] - taken for name in (*certain, *found)}
    count: dict[int, int] = defaultdict(int)
    for several in fitting.values():
        for index in several:
            count[index] += 1
    return {
        name: roster.entries[min(several)]
        for name, several in fitting.items()
        if len(several) == 1 and count[min(several)] == 1
    }


def _words(text: str) -> list[str]:
    """Return the words of a text, without case, accents and punctuation, in order."""
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_PLAIN)
    kept = (letter for letter in plain if not unicodedata.combining(letter))
    return "".join(letter if _is_of_word(letter) else " " for letter in kept).split()


def _is_of_word(letter: str) -> bool:
    """Return whether a word goes on with it; vowel signs of some scripts are marks."""
    return letter.isalnum() or unicodedata.category(letter).startswith("M")
