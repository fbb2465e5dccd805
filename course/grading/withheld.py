"""Withhold what an exception says where the answer may have read what no student is to read."""

import builtins
import re
from collections.abc import Iterable
from dataclasses import replace

from course.grading.judge_cells import Judged
from helpers.checks.hidden_words import name_of
from helpers.checks.source_check import Flag, listed

# What Python says by itself; the words in quotes are names.
_PYTHONS = re.compile(
    r"name '(\w+)' is not defined"
    r"|cannot access (?:local|free) variable '(\w+)' where it is not associated with a value"
    r"(?: in enclosing scope)?"
    r"|(?:type object |module )?'([\w.]+)'(?: object)? has no attribute '(\w+)'"
    r"|No module named '([\w.]+)'"
)
_LONGEST = 2000  # characters that are kept for the instructor
_KNOWN = frozenset(("NoneType", "Function", "torch", "numpy", "tuple", "Tensor", "list", "float"))


def without_secrets(judged: Judged, doubts: tuple[Flag, ...], sources: Iterable[str]) -> Judged:
    """Return what became of a task without words that its answer may have read somewhere.

    Hidden inputs lie where answers run, and an exception can say all that an answer can read. So
    its words are shown only if nothing in the answer looks like tampering, or if they are Python's
    own about names that stand in the answer.

    Args:
        judged: what the cells showed.
        doubts: what looks like tampering in the answer.
        sources: the answer's cells.
    """
    known = _KNOWN.union(*(re.findall(r"\w+", source) for source in sources))
    said = [(kind, words) for kind, words in judged.raised if not _is_pythons(words, known)]
    if not doubts or not said or judged.status == "passed":
        return judged
    kind, words = said[0]
    what = getattr(builtins, kind, None)
    is_pythons = isinstance(what, type) and issubclass(what, BaseException)
    message = (
        f"The code raised {kind if is_pythons else 'an exception'}. Your notebook shows what it "
        f"says; here it is withheld, since a person has to look at the answer: {listed(doubts)}."
    )
    parts = tuple(replace(part, why="") for part in judged.parts)
    failed = tuple(map(name_of, judged.failed))
    if not judged.message:
        return replace(judged, failed=failed, parts=parts)
    judged = replace(judged, message=message, why="", look="", failed=failed, parts=parts)
    return replace(judged, withheld=f"{kind}: {words}"[:_LONGEST])


def _is_pythons(words: str, known: frozenset[str]) -> bool:
    if not words:
        return True
    found = _PYTHONS.fullmatch(words)
    names = ".".join(filter(None, found.groups())).split(".") if found else [""]
    return all(name.removesuffix("Backward") in known for name in names)
