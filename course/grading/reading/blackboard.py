"""Tell usernames from assignments in the names of Blackboard's files, and who has them."""

import re
from collections.abc import Mapping

from course.grading.reading.file_names import clean

_RECEIPT = re.compile(r"\s*Name:(?P<name>[^\n]{0,500})\((?P<user>[^()\n]{1,200})\)[ \t\r]*(?:\n|$)")
MOST = 1000  # bytes of a receipt that are looked at


def usernames(names: list[str], receipts: Mapping[str, bytes]) -> dict[str, str]:
    """Return the username in each "assignment_username", either of which may hold underscores.

    Args:
        names: these.
        receipts: what Blackboard wrote beside the files of some of them.
    """
    known, assignments = {}, set()
    for name, content in receipts.items():
        user = _read(content)[0]
        if user and name.endswith(f"_{user}"):
            known[name] = user
            assignments.add(name.removesuffix(user))
    return {name: known.get(name) or _rest(name, assignments) for name in names}


def people(users: Mapping[str, str], receipts: Mapping[str, bytes]) -> dict[str, str]:
    """Return the names of people by their usernames, where a receipt says them.

    Args:
        users: what `usernames` returned.
        receipts: as of `usernames`.
    """
    found: dict[str, str] = {}
    for file, content in receipts.items():
        user, name = _read(content)
        if name and users.get(file) == user:
            found.setdefault(user, name)
    return found


def _read(content: bytes) -> tuple[str, str]:
    """Return the username and the name in a receipt; "" where it has none."""
    match = _RECEIPT.match(content[:MOST].decode("utf-8", "replace"))
    return (match["user"], clean(" ".join(match["name"].split()))) if match else ("", "")


def _rest(name: str, assignments: set[str]) -> str:
    fitting = [one for one in assignments if name.startswith(one) and name != one]
    return name.removeprefix(max(fitting, key=len)) if fitting else name.rpartition("_")[2]
