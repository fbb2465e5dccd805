"""Name a backward that is no derivative: what it does, what that is called, and its code."""

from dataclasses import dataclass

import numpy as np

from whygrad.judge.arrays import close
from whygrad.judge.gradient_case import GradientCase
from whygrad.judge.relation import Known, region
from whygrad.rounding import short

_NEAR = 1e-4


@dataclass(frozen=True)
class Seen:
    """What backward does with an incoming gradient.

    Attributes:
        does: it, in words.
        called: what this is called.
        code: it, as code.
        open: the name in the code that stands for something nobody can know but the author.
    """

    does: str
    called: str
    code: str
    open: str = ""


def linear(about: str, grad: str, slopes: np.ndarray, values: Known) -> Seen:
    """Name a backward that multiplies by a number, a mask or a slope, element by element."""
    first = float(slopes[0])
    if np.abs(slopes - first).max() < _NEAR * abs(first):
        if abs(first - 1) < _NEAR:
            return Seen("hands the gradient on", "a straight-through estimator", grad)
        if abs(first + 1) < _NEAR:
            return Seen("returns its negative", "a gradient reversal", f"-{grad}")
        factor = short(first)
        does = f"returns {factor} times the incoming gradient"
        if first < 0:
            return Seen(does, "a gradient reversal", f"{factor} * {grad}")
        return Seen(does, "a scaled gradient", f"{factor} * {grad}")
    on = np.abs(slopes) > 1e-9
    if not on.all() and np.abs(slopes[on] - 1).max() < _NEAR:
        known = {about: values[about].reshape(-1)} if about in values else {}
        where, _ = region(on, known)
        does = f"lets it through where {where} alone" if where else "lets a part of it through"
        called, mask = "a clipped straight-through estimator", _mask(where)
        return Seen(does, called, f"{grad} * {mask}", "" if where else mask)
    does = "multiplies the incoming gradient by a slope of its own"
    return Seen(does, "a surrogate gradient", f"{grad} * slope", "slope")


def _mask(where: str) -> str:
    """Write a condition such as "|x| < 1" as code."""
    name, sign, limit = [*where.split(), "", "", ""][:3]
    if not name:
        return "mask"
    name = f"{name.strip('|')}.abs()" if name.startswith("|") else name
    return f"({name} {sign.replace('≤', '<=').replace('≥', '>=')} {limit})"


def bent(case: GradientCase, grad: str, pairs: list) -> Seen | None:
    """Name a backward that is not linear in the incoming gradient, or adds something to it."""
    limit = float(np.abs(case.found["large"]).max()) if case.found["large"] is not None else 0.0
    if limit and all(close(mine, given.clip(-limit, limit), _NEAR) for mine, given in pairs):
        size = short(limit)
        code = f"{grad}.clamp(-{size}, {size})"
        return Seen(f"clips it to {size}", "gradient clipping", code)
    if all(close(mine, given.clip(min=0), _NEAR) for mine, given in pairs):
        words = "lets through what is positive of it", "guided backpropagation"
        return Seen(*words, f"{grad}.clamp(min=0)")
    if all(close(mine, np.sign(given), _NEAR) for mine, given in pairs):
        return Seen("returns its sign", "a gradient of signs", f"{grad}.sign()")
    if scaled := _normalised(grad, pairs):
        return scaled
    added = case.found["zeros"]
    if added is not None and all(close(mine, given + added, _NEAR) for mine, given in pairs):
        words = "adds something to it", "the gradient of a penalty, added in backward"
        return Seen(*words, f"{grad} + penalty", "penalty")
    return None


def _normalised(grad: str, pairs: list) -> Seen | None:
    """Name a backward that brings the incoming gradient to one size, or below one."""
    sizes = [(np.linalg.norm(mine), np.linalg.norm(given)) for mine, given in pairs]
    most = max(size for size, _ in sizes)
    along = all(
        close(mine, given * (size / due if due else 0.0), _NEAR)
        for (mine, given), (size, due) in zip(pairs, sizes, strict=True)
    )
    if not along or not most:
        return None
    number = short(float(most))
    if all(abs(size - most) < _NEAR * most for size, due in sizes if due):
        front = "" if number == "1" else f"{number} * "
        code = f"{front}{grad} / {grad}.norm().clamp(min=1e-12)"
        return Seen("brings it to one length", "a normalised gradient", code)
    if all(abs(size - min(due, most)) < _NEAR * most for size, due in sizes):
        code = f"{grad} * ({number} / {grad}.norm()).clamp(max=1)"
        return Seen(f"shortens it to the length {number}", "gradient clipping by norm", code)
    return None


def auxiliary(case: GradientCase) -> Seen | None:
    """Name what reaches an input that forward does not use, whatever comes in."""
    value = float(case.found["first"][0])
    if not np.abs(case.found["first"] - value).max() < _NEAR * abs(value):
        return None
    code = f"torch.full_like({case.about}, {short(value)})"
    words = "gives it a gradient that does not depend on what comes in", "an auxiliary loss"
    return Seen(*words, code)


def surrogate(grad: str) -> Seen:
    """Return what is said of a gradient that follows no known rule; `grad` is the incoming one."""
    words = "returns a gradient all the same", "a surrogate gradient"
    return Seen(*words, f"surrogate({grad})", "surrogate")
