"""Which finding hides which: what an earlier one explains is not listed beside it."""

import re
from collections.abc import Sequence

from whygrad.mistakes import KINDS, MISTAKES
from whygrad.verdict import Finding

# What can be wrong with the numbers of one gradient.
NUMBERS = frozenset(
    name for name, mistake in MISTAKES.items() if mistake.kind in ("gradient", "linearity")
)


def hides(earlier: Finding, later: Finding, names: Sequence[str]) -> bool:
    """Return whether an earlier finding explains a later one, by what `mistakes.toml` says.

    It does so where it `hides` the later's name or kind, whatever input that is about; where one
    line raised both; and where they share an input, if the later is the same mistake again, or
    one that the earlier's kind hides.

    Args:
        earlier: the one that an earlier stage found.
        later: the one that a later stage found.
        names: of the inputs.
    """
    mistake = MISTAKES[earlier.name]
    those = {later.name, MISTAKES[later.name].kind}
    if not those.isdisjoint(mistake.hides):
        return True
    if _line(earlier) and _line(earlier) == _line(later):
        return True  # one line that raises under several conditions
    shared = inputs_of(earlier, names) & inputs_of(later, names)
    return bool(shared) and not those.isdisjoint((earlier.name, *KINDS.get(mistake.kind, ())))


def inputs_of(finding: Finding, names: Sequence[str]) -> set[str]:
    """Return the inputs that a finding is about, by name; all of them if it names none."""
    whose = finding.about.partition(" by ")[0].removeprefix("grad_")
    named = {name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", whose)}
    return named or set(names)


def _line(finding: Finding) -> tuple[str, str, int]:
    raised = finding.raised
    return (raised.type, raised.line, raised.number) if raised and raised.line else ()
