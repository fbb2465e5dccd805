"""Say which mistake an exception is the sign of."""

import re
from typing import Any

from whygrad.diagnosis import Finding, Raised

_COUNT = re.compile(r"incorrect number of gradients \(expected (\d+), got (\d+)\)")
_TWICE = re.compile(
    r"once_differentiable|numpy\(\) on Tensor that requires grad|does not require grad"
)
_DTYPE = re.compile(r"scalar type|same dtype|dtype mismatch|expected .* (Double|Float)")


def read_raised(raised: dict[str, Any]) -> Raised:
    """Read an encoded exception."""
    return Raised(**raised)


def not_started(raised: dict[str, Any] | None) -> bool:
    """Tell whether an exception is that of a stub."""
    return bool(raised) and raised["type"] == "NotImplementedError"


def wrong_count(raised: dict[str, Any]) -> Finding | None:
    """Return a finding if backward returned too few or too many gradients."""
    match = _COUNT.search(raised["message"])
    if not match:
        return None
    expected, got = match.groups()
    return Finding("wrong-gradient-count", "", f"Backward returned {got}, and {expected} are due.")


def invalid_shape(raised: dict[str, Any]) -> bool:
    """Tell whether the engine refused a gradient for its shape."""
    return "returned an invalid gradient" in raised["message"]


def writes_to_shared(raised: dict[str, Any]) -> bool:
    """Tell whether something was written whose elements share memory."""
    return "single memory location" in raised["message"]


def cannot_be_differentiated(raised: dict[str, Any]) -> bool:
    """Tell whether a double backward failed because the first one cut the history."""
    by_engine = not raised["line"] and raised["type"] == "RuntimeError"
    return by_engine or bool(_TWICE.search(raised["message"]))


def dtype_clash(raised: dict[str, Any]) -> bool:
    """Tell whether tensors of two dtypes met."""
    return bool(_DTYPE.search(raised["message"]))
