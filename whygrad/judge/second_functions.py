"""Say what part a second Function, which backward applies, has in a wrong gradient."""

from dataclasses import replace

from whygrad.judge.inquiry import Inquiry
from whygrad.verdict import Finding


def beside(inquiry: Inquiry, finding: Finding, function: str) -> Finding:
    """Say of a wrong gradient that a second Function, if there is one, has a part in it."""
    if not function:
        return finding
    incoming = _gets_incoming(inquiry, function)
    if finding.name == "grad-output-ignored" and incoming and not finding.why:
        why = f"`{function}.apply` is given {incoming}: the product with it belongs in its forward."
        look = f"Look at the formula in `{function}.forward`: where does {incoming} come in?"
        return replace(finding, why=why, look=look)
    detail = (
        f"{finding.detail} Backward applies `{function}` for it: look at backward and at "
        f"`{function}.forward`."
    )
    return replace(finding, detail=detail.strip())


def _gets_incoming(inquiry: Inquiry, function: str) -> str:
    """Return the name of an incoming gradient that a second Function is given as it is, or ""."""
    inputs = len(inquiry.base.wanted)
    for call in inquiry.base.tracked.called or ():
        if call.function == function:
            for place in call.given:
                if place >= inputs:
                    return inquiry.incoming[place - inputs]
    return ""
