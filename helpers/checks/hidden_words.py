"""Say what a hidden check is about, and not what it tries."""

import re
from collections.abc import Iterable

_SIZES = re.compile(r"\binputs of the shapes? \[[\d, \[\]]*\](?: \(\d+\))?|\ba batch of \d+")
# What an answer gives, in the words of the property, and not what goes in.
_NOT_FINITE = re.compile(r"\b(?:is|yours) (nan|-?inf), (?:not|expected) ")
# What follows the name of a property; two kinds of names hold a colon of their own.
_DIFFERENCE = re.compile(r"(?<!second derivative)(?<!the layer): .*", re.DOTALL)


def without_numbers(failed: Iterable[str]) -> tuple[str, ...]:
    """Return what a hidden check failed on, without the sizes and numbers that it tried.

    Args:
        failed: the properties that do not hold: the name of each, and after a colon how the answer
            differs, if there are words for that.

    >>> without_numbers(["y, a batch of 7", "inputs of the shape [5, 2, 4] (3)", "a batch of 7"])
    ('y, inputs of another shape', 'inputs of another shape')
    >>> without_numbers(["inputs of the shape [5, 2] (3): forward at [0, 1] is inf, not 754.3"])
    ('inputs that give inf',)
    >>> without_numbers(["second derivative: gradient of x, by x: yours 0, expected 2"])
    ('second derivative: gradient of x, by x',)
    """
    return tuple(dict.fromkeys(map(_about, failed))) or ("the answer",)


def _about(line: str) -> str:
    if found := _NOT_FINITE.search(line):
        return f"inputs that give {found[1]}"
    return _SIZES.sub("inputs of another shape", _DIFFERENCE.sub("", line))
