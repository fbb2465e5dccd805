"""Tell usernames from assignments in the names of Blackboard's files, by its receipts."""

import re
from collections.abc import Mapping

_RECEIPT = re.compile(r"\s*Name:[^\n]{0,500}\(([^()\n]{1,200})\)[ \t\r]*(?:\n|$)")


def usernames(names: list[str], receipts: Mapping[str, bytes]) -> dict[str, str]:
    """Return the username in each "assignment_username", either of which may hold underscores.

    Args:
        names: these.
        receipts: what Blackboard wrote beside the files of some of them.
    """
    known, assignments = {}, set()
    for name, content in receipts.items():
        match = _RECEIPT.match(content[:1000].decode("utf-8", "replace"))
        if match and name.endswith(f"_{match[1]}"):
            known[name] = match[1]
            assignments.add(name.removesuffix(match[1]))
    return {name: known.get(name) or _rest(name, assignments) for name in names}


def _rest(name: str, assignments: set[str]) -> str:
    fitting = [one for one in assignments if name.startswith(one) and name != one]
    return name.removeprefix(max(fitting, key=len)) if fitting else name.rpartition("_")[2]
