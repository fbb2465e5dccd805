"""What two sides show of the same cases, held against each other."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_LINE = re.compile(r"\S+\.py:\d+: ")
_RANDOM = Path(__file__).with_name("random.toml")


@dataclass(frozen=True)
class Difference:
    """One case that is shown differently.

    Attributes:
        key: of the case.
        verdict: before and after.
        name: of the mistake, before and after.
        lost: sentences that are shown no longer, in the text, on the page or in what is printed.
        gained: sentences that were not shown before.
        texts: all that is shown, before and after; the words of the page if only they differ.
        moved: whether the same sentences are in another order.
    """

    key: str
    verdict: tuple[str, str]
    name: tuple[str, str]
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    texts: tuple[str, str]
    moved: bool


def differences(
    before: Mapping[str, Any], after: Mapping[str, Any], random: Iterable[str] = ()
) -> list[Difference]:
    """Return each case whose verdict, name or sentences differ, or the order of these.

    Pictures, links and the looks of a page are not compared, nor is how often a sentence is said.

    Args:
        before: what each case showed at the commit, by key.
        after: what it shows now.
        random: keys of cases whose words are random by intent: only verdict and name count.
    """
    found, wordless = [], set(random)
    for key, old in before.items():
        if key.startswith("cpu "):
            continue
        new = after[key]
        lost, gained = _missing(old, new), _missing(new, old)
        moved = not (lost or gained) and _order(old) != _order(new)
        if key in wordless:
            lost, gained, moved = (), (), False
        verdict, name = ((old[what], new[what]) for what in ("verdict", "name"))
        if lost or gained or moved or verdict[0] != verdict[1] or name[0] != name[1]:
            found.append(Difference(key, verdict, name, lost, gained, _texts(old, new), moved))
    return found


def _missing(has: Mapping[str, Any], lacks: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the sentences of one that the other lacks in the same medium, each once."""
    missing = {}
    for medium, said in has["sentences"].items():
        there = {_letters(one) for one in lacks["sentences"][medium]}
        missing |= {_letters(one): one for one in said if _letters(one) not in there}
    return tuple(missing.values())


def _order(shown: Mapping[str, Any]) -> list[list[str]]:
    return [[*dict.fromkeys(map(_letters, said))] for said in shown["sentences"].values()]


def _texts(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, str]:
    if old["text"] != new["text"]:
        return old["text"], new["text"]
    before, after = ("\n".join(one["sentences"]["page"]) for one in (old, new))
    return before, after


def _letters(sentence: str) -> str:
    """A sentence on a page has other marks than in the text; a warning's line is of its side."""
    return "".join(letter for letter in _LINE.sub("", sentence) if letter not in " `")


def random_by_intent(commit: str) -> list[str]:
    """Return the keys of a commit's cases whose reports differ from run to run by intent."""
    return tomllib.loads(_RANDOM.read_text(encoding="utf-8")).get(commit[:7], [])


def table(found: Iterable[Difference]) -> list[str]:
    """Return the lines that say what differs, case by case."""
    lines = []
    for one in found:
        changed = [
            f"{before or '(none)'} -> {after or '(none)'}"
            for before, after in (one.verdict, one.name)
            if before != after
        ]
        changed += ["other order"] if one.moved else []
        lines += ["", "; ".join([one.key, *changed])]
        lines += [f"    - {sentence}" for sentence in one.lost]
        lines += [f"    + {sentence}" for sentence in one.gained]
    return lines
