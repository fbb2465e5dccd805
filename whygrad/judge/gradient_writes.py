"""Explain wrong gradients of a backward that writes into its incoming gradient."""

import numpy as np

from whygrad.judge.arrays import close
from whygrad.judge.gradient_case import LOOKED_AT, GradientCase
from whygrad.verdict import Finding

_NAME = "modifies-grad-output"


def written_over(finding: Finding, cases: list[GradientCase], incoming: str) -> Finding | None:
    """Return the one mistake if writing into the incoming gradient explains a wrong one."""
    case = next((case for case in cases if case.about == finding.about), None)
    if case is None:
        return None
    if _is(case, case.incoming):
        why = (
            f"Backward writes into `{incoming}`, and what it returns are the numbers that "
            f"`{incoming}` had before: they were copied, and the copy was left as it was."
        )
        look = "Look at the line that writes: write into the copy, and return it."
        return Finding(_NAME, "", "", why, look)
    for other in cases:
        used = {name: other.found[name] for name in LOOKED_AT}
        rows = case.jacobian.shape[0]
        if other is case or any(g is None or len(g) != rows for g in used.values()):
            continue
        if _is(case, {name: case.jacobian.T @ used[name] for name in LOOKED_AT}):
            why = (
                f"The gradient of {case.about} is wrong because of that: it is what comes out if "
                f"the gradient of {other.about} stands in the place of `{incoming}`."
            )
            return Finding(_NAME, "", "", why)
    return None


def _is(case: GradientCase, guesses: dict[str, np.ndarray]) -> bool:
    return all(close(case.found[name], guesses[name], 1e-4) for name in LOOKED_AT)
