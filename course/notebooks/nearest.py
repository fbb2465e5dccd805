"""End the sentence on a name that nothing has, with the one that was meant."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches


def nearest(given: str, names: Mapping[str, str], others: Iterable[str] = ()) -> str:
    """Return what to say after a name: which one may be meant, or else which there are.

    Args:
        given: the name that nothing has.
        names: what things may be called, and their names.
        others: names that may be meant if none is spelt like it.

    >>> "no command is called chek" + nearest("chek", {"check": "check", "lab": "lab"})
    'no command is called chek; did you mean check?'
    >>> "no command is called x" + nearest("x", {"check": "check", "lab": "lab"})
    'no command is called x: there are check, lab.'
    """
    near = [names[one] for one in get_close_matches(given.casefold(), names, 1)]
    for found in (*near, *others):
        return f"; did you mean {found}?"
    return f": there are {', '.join(dict.fromkeys(names.values())) or 'none'}."
