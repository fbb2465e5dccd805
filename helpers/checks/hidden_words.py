"""Say what a hidden check is about, and not what it tries."""

import re

from whygrad.report import clean

_SIZES = re.compile(r"\bof the shapes? \[[\d, \[\]]*\](?: \(\d+\))?")
_BATCH = re.compile(r"\ba batch of \d+")


def without_sizes(name: str) -> str:
    """Return the name of a property without the sizes of the inputs that it was tried with.

    >>> without_sizes("inputs of the shape [5, 2, 4] (3)"), without_sizes("a batch of 7")
    ('inputs of another shape', 'a batch of another size')
    """
    return _BATCH.sub("a batch of another size", _SIZES.sub("of another shape", name))


def hidden_text(title: str, failed: list[str]) -> str:
    """Say how the hidden checks of a task went: what they are about, and no numbers.

    Args:
        title: of the task.
        failed: names of the properties that do not hold; empty if all do.

    >>> hidden_text("5.1 Square", ["forward", "gradient of x"])
    '5.1 Square: a hidden check on forward and gradient of x failed.'
    """
    if not failed:
        return f"{title}: the hidden checks pass."
    names = [clean(name) for name in dict.fromkeys(map(without_sizes, failed))]
    some = names[:3] if len(names) <= 3 else [*names[:2], f"{len(names) - 2} more"]
    listed = " and ".join(filter(None, [", ".join(some[:-1]), some[-1]]))
    return f"{title}: a hidden check on {listed} failed."
