"""Find the definition of a name that an answer lacks among the cells that do not count."""

import re
from collections.abc import Iterable

from helpers.checks.source.deadline import TooLongError, at_most

_SECONDS = 2.0
_MOST_OF_A_LINE = 300  # characters; some of the patterns take the square of it
_MISSING = re.compile(r"name '(\w{1,100})' is not defined")


def defined_elsewhere(message: str, sources: Iterable[str]) -> str:
    """Return the name that a message says is not defined, if one of the sources defines it."""
    match = _MISSING.search(message)
    if not match:
        return ""
    name = re.escape(match[1])
    defines = re.compile(
        rf"\s*(?:(?:def|class)\s+{name}\b|{name}\s*(?::[^=]+)?=(?!=)|.*import\b.*\b{name}\b)"
    )
    try:
        with at_most(_SECONDS):
            lines = (line for source in sources for line in source.split("\n"))
            if any(match[1] in line and defines.match(line[:_MOST_OF_A_LINE]) for line in lines):
                return match[1]
    except TooLongError:
        pass
    return ""
