"""Say what a hidden check is about, and not what it tries."""

import re

from whygrad.report import clean

_SIZES = re.compile(r"\bof the shapes? \[[\d, \[\]]*\](?: \(\d+\))?")
# What an answer gives, in the words that a property says of it, and not what goes in.
_NOT_FINITE = re.compile(r"\b(?:is|yours) (nan|-?inf), (?:not|expected) ")
# What follows the name of a property; two kinds of names hold a colon of their own.
_DIFFERENCE = re.compile(r"(?<!second derivative)(?<!the layer): .*", re.DOTALL)
_BATCH = re.compile(r"\ba batch of \d+")


def name_of(line: str) -> str:
    """Return the name of a property, without how the answer differs.

    >>> name_of("second derivative: gradient of x, by x: yours 0, expected 2")
    'second derivative: gradient of x, by x'
    """
    return _DIFFERENCE.sub("", line)


def without_numbers(line: str) -> str:
    """Return what a property is about, without the sizes and numbers that it was tried with.

    Args:
        line: its name, and after a colon how the answer differs, if there are words for that.

    >>> without_numbers("inputs of the shape [5, 2, 4] (3)"), without_numbers("a batch of 7")
    ('inputs of another shape', 'a batch of another size')
    >>> without_numbers("inputs of the shape [5, 2] (3): forward at [0, 1] is inf, not 754.3")
    'inputs that give inf'
    """
    if found := _NOT_FINITE.search(line):
        return f"inputs that give {found[1]}"
    return _BATCH.sub("a batch of another size", _SIZES.sub("of another shape", name_of(line)))


def hidden_text(title: str, failed: list[str]) -> str:
    """Say how the hidden checks of a task went: what they are about, and no numbers.

    Args:
        title: of the task.
        failed: the properties that do not hold, as `without_numbers` takes them; empty if all do.

    >>> hidden_text("5.1 Square", ["forward", "gradient of x"])
    '5.1 Square: a hidden check on forward and gradient of x failed.'
    """
    if not failed:
        return f"{title}: the hidden checks pass."
    names = [clean(name) for name in dict.fromkeys(map(without_numbers, failed))]
    some = names[:3] if len(names) <= 3 else [*names[:2], f"{len(names) - 2} more"]
    listed = " and ".join(filter(None, [", ".join(some[:-1]), some[-1]]))
    return f"{title}: a hidden check on {listed} failed."
