"""Find who is missing beside work of somebody who looks like them: nobody gets a quiet 0."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from course.grading.reading.people import Person
from course.grading.reading.whole_names import name_words
from course.grading.results import Result

_SHORTEST = 3  # letters of a word that tells something


@dataclass(frozen=True)
class _Look:
    """What somebody may be called.

    Attributes:
        names: the words of each of their names, in the order in which they are spoken.
        whole: their names, and what stands before the @ of an e-mail address, in one word.
        short: such words as universities make of a name: "alovelace", "adal".
    """

    names: tuple[tuple[str, ...], ...]
    whole: frozenset[str]
    short: frozenset[str]


def look_alikes(
    people: Iterable[Person],
    absent: Iterable[Result],
    kept: Iterable[Result],
    listed: Collection[str],
) -> list[Result]:
    """Return the absent results, with doubts where work of a look-alike may be what is missing.

    Who handed in the same exercise is somebody else; so is whom a platform or a list tells apart.

    Args:
        people: everybody.
        absent: results of those of whom there is no work.
        kept: the results of the report.
        listed: the names of those who stand on a list of the class.
    """
    everybody = {one.name: one for one in people}
    absent = list(absent)
    lacks, has = _exercises(absent), _exercises(kept)
    looks = {name: _look(one) for name, one in everybody.items()}
    found: dict[tuple[str, str], tuple[str, ...]] = defaultdict(tuple)
    for one, other in _candidates(looks):
        platforms = {everybody[one].platform, everybody[other].platform}
        is_told = len(platforms) == 1 and platforms != {""}
        if is_told or has[one] & has[other] or not _are_alike(looks[one], looks[other]):
            continue
        for missed, worked in ((one, other), (other, one)):
            for exercise in lacks[missed] & has[worked] if worked not in listed else ():
                found[missed, exercise] += (f"perhaps {worked}",)
    return [replace(one, doubts=found[one.student, one.exercise]) for one in absent]


def _exercises(results: Iterable[Result]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for one in results:
        found[one.student].add(one.exercise)
    return found


def _candidates(looks: dict[str, _Look]) -> list[tuple[str, str]]:
    """Return the pairs that have a word in common."""
    by_word: dict[str, set[str]] = defaultdict(set)
    for name, look in looks.items():
        words = {word for words in look.names for word in words if len(word) >= _SHORTEST}
        for word in words | look.whole | look.short:
            by_word[word].add(name)
    pairs = {pair for names in by_word.values() for pair in combinations(sorted(names), 2)}
    return sorted(pairs)


def _look(person: Person) -> _Look:
    names = {
        words for name in (person.own_name, person.called) if (words := tuple(name_words(name)))
    }
    logins = {"".join(name_words(text.partition("@")[0])) for text in person.ids if "@" in text}
    short = set()
    for first, *_, last in (words for words in names if len(words) > 1):
        short |= {first[0] + last, first + last[0], last + first[0]}
    whole = {"".join(words) for words in names} | (logins - {""})
    return _Look(tuple(sorted(names)), frozenset(whole), frozenset(short))


def _are_alike(one: _Look, other: _Look) -> bool:
    if one.whole & other.whole or one.whole & other.short or one.short & other.whole:
        return True
    return any(_is_within(*sorted((a, b), key=len)) for a in one.names for b in other.names)


def _is_within(few: Sequence[str], many: Sequence[str]) -> bool:
    """Tell whether each word of a name stands in another, or as a letter; one of them in full."""
    left = list(many)
    is_sure = False
    for word in sorted(few, key=len, reverse=True):
        initials = (w for w in left if 1 in (len(w), len(word)) and w[0] == word[0])
        fitting = word if word in left else next(initials, "")
        if not fitting:
            return False
        left.remove(fitting)
        is_sure |= fitting == word and len(word) >= _SHORTEST
    return is_sure
