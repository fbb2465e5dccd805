"""What an exception means and what to do about it, read from the table beside this file.

A sentence is changed in `raised.toml` and nowhere else; that file says how a row fits.
"""

import re
from dataclasses import dataclass, replace

from whygrad.mistakes import table_beside
from whygrad.verdict import Finding, Raised


@dataclass(frozen=True)
class Explanation:
    """What is said of an exception.

    Attributes:
        name: of the row in the table.
        why: what the words of PyTorch or Python mean here.
        look: what to do.
    """

    name: str
    why: str
    look: str


def explanation(raised: Raised) -> Explanation | None:
    """Explain an exception, or return None if no row of the table fits.

    >>> explanation(Raised("ZeroDivisionError", "division by zero", "forward")).why[:34]
    'Python divides by the number 0, fo'
    """
    for name, row in ROWS.items():
        found = _groups(row, raised)
        if found is not None:
            return Explanation(name, row["why"].format(**found), row["look"].format(**found))
    return None


def explained(finding: Finding, raised: Raised) -> Finding:
    """Return a finding that an exception led to, with what the table says of the exception."""
    found = explanation(raised)
    return replace(finding, why=found.why, look=found.look) if found else finding


def _groups(row: dict[str, str], raised: Raised) -> dict[str, str] | None:
    """Return the named groups of a row that fits, or None."""
    if not re.fullmatch(row.get("type", ".*"), raised.type):
        return None
    found: dict[str, str] = {}
    for field in ("message", "phase", "line", "method", "caller", "setup", "uncalled"):
        match = re.search(row.get(field, ""), getattr(raised, field))
        if match is None:
            return None
        found |= {name: text or "" for name, text in match.groupdict().items()}
    return found


ROWS: dict[str, dict[str, str]] = table_beside(__file__)
