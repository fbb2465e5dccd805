"""Which finding hides which: what one explains is not listed beside it.

What comes first is found first: the order is that of `stages.STAGES`, and, where one stage looks at
several inputs, that of `mistakes.ELSEWHERE`.
"""

import re
from collections.abc import Sequence

from whygrad.mistakes import KINDS, MISTAKES
from whygrad.verdict import Finding

# What can be wrong with the numbers of one gradient.
NUMBERS = frozenset(
    name for name, mistake in MISTAKES.items() if mistake.kind in ("gradient", "linearity")
)


def hides(one: Finding, other: Finding, names: Sequence[str]) -> bool:
    """Return whether a finding explains another one, by what `mistakes.toml` says of it.

    It does so where it `hides` the other's name or kind, whatever input that is about; where one
    line raised both; and where they share an input, if the other is the same mistake again, or
    one that its kind hides.

    Args:
        one: the one that was found first, or is the reason of the other.
        other: the one that is not listed beside it.
        names: of the inputs.
    """
    mistake = MISTAKES[one.name]
    those = {other.name, MISTAKES[other.name].kind}
    if not those.isdisjoint(mistake.hides):
        return True
    if _line(one) and _line(one) == _line(other):
        return True  # one line that raises under several conditions
    shared = inputs_of(one, names) & inputs_of(other, names)
    return bool(shared) and not those.isdisjoint((one.name, *KINDS.get(mistake.kind, ())))


def inputs_of(finding: Finding, names: Sequence[str]) -> set[str]:
    """Return the inputs that a finding is about, by name; all of them if it names none."""
    whose = finding.about.partition(" by ")[0].removeprefix("grad_")
    named = {name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", whose)}
    return named or set(names)


def _line(finding: Finding) -> tuple[str, str, int]:
    raised = finding.raised
    return (raised.type, raised.line, raised.number) if raised and raised.line else ()
