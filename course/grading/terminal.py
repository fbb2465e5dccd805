"""Say something on the terminal that holds words of others: names, messages, what files hold.

Characters that are not printed could move the cursor, hide a line or rename the window.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

_EVERY = 60.0  # seconds between two lines in the log of a batch job
_LINE = "{n_fmt} of {total_fmt} submissions are done.\n"
_LONGEST = 600  # characters of a line


def say(words: str) -> None:
    """Print words on one line on standard error."""
    print(printable(words), file=sys.stderr)


def say_some(lines: Sequence[str], most: int = 200) -> None:
    """Print lines on standard error, and how many more there are if they are too many."""
    for line in lines[:most]:
        say(line)
    if len(lines) > most:
        say(f"… and {len(lines) - most} more lines like these.")


def printable(words: str, most: int = _LONGEST) -> str:
    """Return words on one line, cut to a length; what has no look of its own is spelled out.

    >>> printable("a\\x1b[2J\\nb"), printable("abcd", 3)
    ('a\\\\x1b[2J\\\\nb', 'ab…')
    """
    cut = words if len(words) <= most else f"{words[: most - 1]}…"
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in cut)


@contextmanager
def told_how_many(total: int) -> Iterator[Callable[[int], object]]:
    """Tell on standard error how many submissions are done; what it gives is told of more.

    A terminal shows a bar; a file gets a line now and then, and none of a short run.
    """
    from tqdm import tqdm

    line = {"bar_format": _LINE, **dict.fromkeys(("delay", "mininterval", "maxinterval"), _EVERY)}
    how = {} if sys.stderr.isatty() else line
    with tqdm(total=total, unit="submission", **how) as bar:
        yield bar.update
