"""Look at the source of an answer, for a bounded time."""

from collections.abc import Sequence

from course.grading.deadline import TooLongError, at_most
from course.grading.source.rules import broken
from course.grading.source.tampering import tampering

_SECONDS = 10.0
_TOO_MUCH = (TooLongError, MemoryError, RecursionError)


def broken_rules(rules: Sequence[str], sources: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each method rule that an answer breaks.

    Args:
        rules: of the task.
        sources: of the answer's cells.
    """
    try:
        with at_most(_SECONDS):
            return broken(rules, sources)
    except _TOO_MUCH:
        return ()  # `means_used` finds the same, and asks for a person


def means_used(sources: Sequence[str]) -> tuple[str, ...]:
    """Return what no task needs and some cells use, as phrases for "it uses …".

    Args:
        sources: of the cells, in order; each may use names of those before it.
    """
    found: dict[str, None] = {}
    try:
        with at_most(_SECONDS):
            for place, source in enumerate(sources):
                found |= dict.fromkeys(tampering(source, sources[:place]))
    except _TOO_MUCH:
        return ("code that is too tangled for a program to read",)
    return tuple(found)
