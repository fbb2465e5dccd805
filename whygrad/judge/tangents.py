"""Judge a Function's own `jvp` by finite differences of its forward, and by its backward."""

import numpy as np

from whygrad.evidence.modes import Direction, Jvp
from whygrad.judge.arrays import (
    DIFFERENCES,
    EXACT,
    Array,
    close,
    difference,
    is_complex,
    read_array,
    read_gradient,
)
from whygrad.judge.gradient_case import ratio
from whygrad.judge.inquiry import Inquiry, ended, in_numbers, not_started, see, who_says
from whygrad.raised import explained
from whygrad.rounding import short, times
from whygrad.verdict import Finding

WRONG = "wrong-jvp"
_EXACT = ("float64", "complex128")
_NARROW = "A tangent has the dtype of its output. It was cast, or meets numbers of another dtype."
_COLUMNS = (
    "`jacfwd` and `hessian` hand all tangents over at once, by a `vmap` around `jvp`. Then each "
    "tangent stands for a whole batch: NumPy cannot read it, `if` cannot ask for its numbers, and "
    "nothing can be written into it."
)
_NO_CONDITION = (
    "Write `jvp` with PyTorch's operations alone, without a condition on numbers and without "
    "writing into a tensor, and try it with `func.jacfwd`."
)
_LOW = 2e-3  # how far two sums may be apart where numbers have few digits


def jvp(inquiry: Inquiry) -> list[Finding]:
    """Find a tangent that is not the derivative of forward along its direction."""
    defined = inquiry.base.jvp
    functions = [about for about in defined if not any(map(_refuses, about.directions))]
    if "jvp" in inquiry.asked.modes and (len(functions) < len(defined) or not defined):
        return _absent(inquiry, defined)
    if not functions:
        inquiry.left_out["jvp"] = "no Function defines `jvp`"
        return []
    inquiry.examined.append("jvp")
    found = []
    for about in functions:
        wrong = [d for d in about.directions if d.raised or _disagrees(d)]
        title = "jvp" if len(functions) == 1 else f"jvp of {about.function}"
        further = [] if wrong else _further(inquiry, title, about)
        if wrong:
            found.append(_named(inquiry, title, about, wrong))
        elif further:
            found += further
        else:
            inquiry.note(title, True)
    return found


def _further(inquiry: Inquiry, title: str, about: Jvp) -> list[Finding]:
    """Find what a right tangent may still lack: float32, and a batch of tangents at once."""
    if "jvp" not in inquiry.asked.modes:
        return []
    for tangent, out in about.narrow:
        if tangent != out:
            detail = f"With float32 inputs, the tangent is {tangent}, and its output {out}."
            inquiry.note(title, False, note=detail)
            look = "Take away the cast in `jvp`, or make new numbers with the dtype of the inputs."
            return [Finding(WRONG, about.function, detail, _NARROW, look)]
    columns = about.columns
    if not columns or columns.same:
        return []
    raised = columns.raised
    if raised:
        inquiry.note_raised(title, raised)
        told = f"line {raised.number}, `{raised.line}`, raises" if raised.line else ""
        detail = f"Under `func.jacfwd`, {told or 'PyTorch raises'}: {raised.message}"
    else:
        detail = "Under `func.jacfwd` it gives other numbers than for one tangent after the other."
        inquiry.note(title, False, note=detail)
    return [Finding(WRONG, about.function, ended(detail), _COLUMNS, _NO_CONDITION)]


def _absent(inquiry: Inquiry, defined: list[Jvp]) -> list[Finding]:
    if defined:
        inquiry.note("jvp", None, said="not started")
        stubs = (one.raised for about in defined for one in about.directions)
        return [see(inquiry, next(filter(not_started, stubs)))]
    inquiry.note("jvp", False, note="no Function defines it")
    detail = "No Function that is applied defines it, and the task asks for it."
    why = "Without `jvp`, forward mode raises: PyTorch does not derive it from backward."
    look = (
        "Write a static method `jvp`. It takes `ctx` and one tangent for each input of forward, "
        "and returns the tangent of the output. Its name is spelt letter by letter."
    )
    return [Finding(WRONG, "", detail, why, look)]


def _refuses(direction: Direction) -> bool:
    """Tell whether `jvp` says that there is none."""
    return not_started(direction.raised)


def _disagrees(direction: Direction) -> bool:
    """Tell whether tangents agree neither with finite differences nor with backward.

    A backward that is meant to be another than the derivative may have a jvp of its own kind.
    """
    if _other_dtypes(direction):
        return True
    known = bool(direction.numerical) and all(
        np.isfinite(read_array(due).values).any() for due in direction.numerical
    )
    if known and _differences(direction) is None:
        return False
    return known if not direction.products else _contradicts_backward(direction)


def _contradicts_backward(direction: Direction) -> bool:
    mine, due = direction.products
    low = any(dtype not in _EXACT for dtype in direction.dtypes)
    limit = max(_LOW if low else 10 * EXACT, direction.noise) * max(abs(mine), abs(due), 1e-3)
    return not abs(mine - due) <= limit


def _pairs(direction: Direction) -> list[tuple[Array, Array]]:
    """Each tangent, zeros where there is none, with the numerical one."""
    pairs = zip(direction.out, direction.numerical, strict=False)
    return [(read_gradient(out, due), read_array(due)) for out, due in pairs]


def _differences(direction: Direction) -> str | None:
    """Say where a tangent differs from the finite differences; None where none does."""
    for mine, due in _pairs(direction):
        relative = max(DIFFERENCES, direction.noise)
        if not close(mine.values, due.values, relative):
            line = difference("", mine, due, relative, _standing(direction, due))
            return in_numbers(line).replace("it is", "the tangent is", 1)
    return None


def _standing(direction: Direction, due: Array) -> dict[str, np.ndarray]:
    """Return the inputs and their tangents, by name, where each is of the output's shape."""
    names = direction.names
    titled = [*zip(names, direction.given, strict=True)]
    titled += zip([f"{name}_t" for name in names], direction.tangents, strict=True)
    arrays = [(title, read_array(encoded)) for title, encoded in titled]
    return {
        title: array.values
        for title, array in arrays
        if array and array.shape == due.shape and not is_complex(array.dtype)
    }


def _other_dtypes(direction: Direction) -> str:
    pairs = zip(direction.out, direction.dtypes, strict=False)
    wrong = [(out.dtype, dtype) for out, dtype in pairs if out and out.dtype != dtype]
    return f"The tangent is {wrong[0][0]}, and its output {wrong[0][1]}." if wrong else ""


def _named(inquiry: Inquiry, title: str, about: Jvp, wrong: list[Direction]) -> Finding:
    raised = next((d for d in wrong if d.raised), None)
    if raised is not None:
        inquiry.note_raised(title, raised.raised)
        return _of_raised(inquiry, about, raised)
    first = wrong[0]
    detail = _other_dtypes(first) or _how(first) or _differences(first) or _against_backward(first)
    inquiry.note(title, False, note=detail)
    alone = [d for d in about.directions if len(d.of) == 1]
    bad = [about.names[d.of[0]] for d in alone if d in wrong]
    if bad and len(bad) < len(alone):
        lost = all(_is_nothing(d) for d in alone if d in wrong)
        words = "It leaves out" if lost else "What is wrong is the part of"
        detail = f"{words} the tangent of {' and '.join(bad)}. {detail}"
    return Finding(WRONG, about.function, detail.strip())


def _how(direction: Direction) -> str:
    """Say what the tangents are in terms of the right ones."""
    factors = [ratio(m.values.reshape(-1), d.values.reshape(-1)) for m, d in _pairs(direction)]
    if not factors or None in factors or len({short(factor) for factor in factors}) > 1:
        return ""
    (factor, *_) = factors
    return "" if abs(factor - 1) < 1e-3 else times(factor)


def _is_nothing(direction: Direction) -> bool:
    return all(out is None or not read_array(out).values.any() for out in direction.out)


def _against_backward(direction: Direction) -> str:
    mine, due = map(short, direction.products)
    return (
        "It contradicts backward: for one vector u, u times the tangent is "
        f"{mine}, and the direction times the gradient for u is {due}."
    )


def _of_raised(inquiry: Inquiry, about: Jvp, direction: Direction) -> Finding:
    raised = direction.raised
    if not raised.line:  # what jvp takes or returns was refused
        # PyTorch's own assertion asks to report a bug, and this is none of PyTorch's.
        inside = "INTERNAL ASSERT FAILED" in raised.message
        said = "PyTorch refuses what `jvp` returned." if inside else who_says(raised)
        return explained(Finding(WRONG, about.function, said), raised)
    return see(inquiry, raised)
