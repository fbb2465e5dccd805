"""Say something on the terminal that holds words of others: names, messages, what files hold.

Characters that are not printed could move the cursor, hide a line or rename the window.
"""

import sys
from collections.abc import Sequence
from typing import TextIO

_LONGEST = 600  # characters of a line
_MOST_LINES = 200


def say(words: str, file: TextIO | None = None) -> None:
    """Print words on one line, on standard error if nothing else is said."""
    print(printable(words), file=file or sys.stderr)


def say_some(lines: Sequence[str]) -> None:
    """Print lines on standard error, and how many more there are if they are too many."""
    for line in lines[:_MOST_LINES]:
        say(line)
    if len(lines) > _MOST_LINES:
        say(f"… and {len(lines) - _MOST_LINES} more lines like these.")


def printable(words: str, most: int = _LONGEST) -> str:
    """Return words on one line, cut to a length; what has no look of its own is spelled out.

    >>> printable("a\\x1b[2J\\nb"), printable("abcd", 3)
    ('a\\\\x1b[2J\\\\nb', 'ab…')
    """
    cut = words if len(words) <= most else f"{words[: most - 1]}…"
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in cut)
