"""Which mistakes explain which: what an earlier one explains is not listed beside it."""

import re
from collections.abc import Sequence

from whygrad.verdict import Finding

# What can be wrong with the numbers of one gradient.
NUMBERS = frozenset(
    (
        *("missing-gradient", "swapped-gradients", "wrong-shape", "transposed", "not-summed"),
        *("sum-or-mean", "wrong-sign", "wrong-factor", "wrong-mask", "wrong-gradient"),
        *("missing-conjugate",),
        *("grad-output-ignored", "not-linear-in-grad-output", "looks-intended"),
    )
)
_BENT = frozenset(
    ("missing-gradient", "wrong-gradient", "not-linear-in-grad-output", "grad-output-ignored")
)
WRITES = frozenset(("modifies-input", "modifies-grad-output", "keeps-state"))
_STATE = frozenset(("keeps-state", "nondeterministic"))
_SECOND = frozenset(
    f"second-order-{what}"
    for what in (
        *("lost", "term-left-out", "extra-ignored", "extra-wrong", "missing", "swapped"),
        *("sign", "factor", "grad-output-ignored", "wrong"),
    )
)
_MODES = frozenset(("wrong-jvp", "wrong-vmap"))  # held against another call
# By the earlier mistake: what it explains, whatever input that is about. Numbers that differ from
# call to call look bent, and those that are off by a factor in each call are so by themselves.
EXPLAINS: dict[str, frozenset[str]] = {
    "modifies-input": _BENT | _STATE | _SECOND | _MODES,
    "keeps-state": _BENT
    | _STATE
    | _SECOND
    | _MODES
    | {"wrong-mask", "modifies-input", "wrong-forward", "wrong-dtype"},
    "nondeterministic": NUMBERS | _STATE | _SECOND | _MODES | {"fixed-size", "needs-contiguous"},
    "wrong-forward": NUMBERS - {"grad-output-ignored", "not-linear-in-grad-output"}
    | _SECOND
    | {"keeps-state"},
    "modifies-grad-output": _SECOND | {"raises", "needs-contiguous"},
    "fixed-size": _SECOND | {"fails-on-empty", "raises"},
    **dict.fromkeys(NUMBERS, frozenset({"keeps-state"})),
    "swapped-gradients": _SECOND | {"keeps-state"},
    **dict.fromkeys(_SECOND, frozenset({"raises"})),
}
# What something wrong with the gradient of an input explains of the same input.
_AGAIN = {
    **dict.fromkeys(NUMBERS, NUMBERS | _SECOND),
    **dict.fromkeys(_SECOND, _SECOND),
}


def is_explained(finding: Finding, before: Sequence[Finding], names: Sequence[str]) -> bool:
    """Tell whether one of the findings before explains a later one.

    Args:
        finding: the later one.
        before: the earlier ones.
        names: of the inputs.
    """
    return any(_explains(one, finding, names) for one in before)


def inputs_of(finding: Finding, names: Sequence[str]) -> set[str]:
    """Return the inputs that a finding is about, by name; all of them if it names none."""
    whose = finding.about.partition(" by ")[0].removeprefix("grad_")
    named = {name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", whose)}
    return named or set(names)


def _explains(one: Finding, later: Finding, names: Sequence[str]) -> bool:
    if later.name in EXPLAINS.get(one.name, ()):
        return True
    if _line(one) and _line(one) == _line(later):
        return True  # one line that raises under several conditions
    shared = bool(inputs_of(one, names) & inputs_of(later, names))
    return shared and (one.name == later.name or later.name in _AGAIN.get(one.name, ()))


def _line(finding: Finding) -> tuple[str, str, int]:
    raised = finding.raised
    return (raised.type, raised.line, raised.number) if raised and raised.line else ()
