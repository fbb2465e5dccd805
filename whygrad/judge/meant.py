"""Recognise a backward that is another one on purpose: its forward is flat, or the identity."""

import numpy as np

from whygrad.judge.arrays import close, has_gradient, read_array
from whygrad.judge.expectation import flatten, rows_of
from whygrad.judge.gradient_case import GradientCase
from whygrad.judge.inquiry import Inquiry
from whygrad.judge.other_backwards import Seen, auxiliary, bent, linear, surrogate
from whygrad.verdict import Finding

NAME = "looks-intended"
_NEAR = 1e-4
_SAME = 2e-7  # of the largest number: evidence has so many digits
_FLAT = 1e-7  # of the size of the outputs: what noise in the differences may leave


def looks_intended(inquiry: Inquiry, case: GradientCase) -> Finding | None:
    """Return the finding if a gradient that is no derivative of forward can be meant to be so.

    Args:
        inquiry: which one; nobody said what is meant, and there is no reference.
        case: the gradient that is not the derivative.
    """
    found = case.found["first"]
    if found is None or not np.isfinite(found).all() or case.is_nothing:
        return None
    kind = _flat(case), _identity(inquiry, case)
    if not any(kind):
        return None
    seen = _seen(inquiry, case)
    if seen is None:
        return None
    if kind[0]:
        forward = f"Forward is flat in {case.about}: its derivative is zero wherever it is known"
        plain = f"zeros are the gradient of {case.about}"
    else:
        forward = f"Forward hands {case.about} on as it is"
        plain = "the incoming gradient, unchanged, is the right one"
    return Finding(
        NAME,
        case.about,
        f"{forward}, and backward {seen.does}.",
        f"This looks like {seen.called}.",
        f"If it is meant, say `intended={_call(inquiry, case, seen)}`"
        f"{_stands_for(inquiry, case, seen)}; "
        "`watch` takes it by the Function's name. Then all laws are checked against that. If it is "
        f"not meant, {plain}.",
    )


def _flat(case: GradientCase) -> bool:
    known = np.isfinite(case.jacobian)
    return bool(known.any()) and not np.abs(case.jacobian[known]).max() > _FLAT


def _identity(inquiry: Inquiry, case: GradientCase) -> bool:
    """Tell whether one output is the input, and no other depends on it."""
    rows = _rows(inquiry, case)
    if rows is None or rows.stop - rows.start != case.jacobian.shape[1]:
        return False
    if not _hands_on(inquiry, case, rows):
        return False
    due = np.zeros_like(case.jacobian)
    due[rows] = np.eye(case.jacobian.shape[1])
    known = np.isfinite(case.jacobian)
    return bool(known.any()) and bool(np.all(np.abs(case.jacobian - due)[known] < _NEAR))


def _hands_on(inquiry: Inquiry, case: GradientCase, rows: slice) -> bool:
    """Tell whether the numbers of this output are those of the input, up to rounding."""
    given = inquiry.values(of_output=False).get(case.about)
    outs = flatten(read_array(out) for out in inquiry.base.outputs if has_gradient(out))[rows]
    return given is None or close(outs, given.reshape(-1), _SAME)


def _rows(inquiry: Inquiry, case: GradientCase) -> slice | None:
    """Return where the incoming gradient of the one output of the input's shape stands."""
    grads = inquiry.base.grad_outputs
    rows = zip(rows_of(grads), grads, strict=True)
    found = [place for place, grad in rows if tuple(grad.shape) == case.shape]
    depends = [rows for rows in found if _is_used(case.jacobian[rows])]
    return (depends or found or [None])[0]


def _is_used(part: np.ndarray) -> bool:
    return bool(np.abs(np.nan_to_num(part)).max(initial=0.0) > _NEAR)


def _seen(inquiry: Inquiry, case: GradientCase) -> Seen | None:
    """Say what backward does; None where it is a mistake whatever was meant."""
    grad, rows = inquiry.incoming[0], _rows(inquiry, case)
    if rows is None:
        return auxiliary(case) if case.is_constant else surrogate(grad)
    if case.is_constant:
        return None
    names = [name for name in case.incoming if case.found[name] is not None]
    pairs = [(case.found[name], case.incoming[name][rows]) for name in names]
    slopes = case.found["ones"]
    if slopes is not None and all(close(mine, slopes * given, _NEAR) for mine, given in pairs):
        return linear(case.about, grad, slopes, inquiry.values())
    return bent(case, grad, pairs) or surrogate(grad)


def _call(inquiry: Inquiry, case: GradientCase, seen: Seen) -> str:
    """Write what to pass as `intended`: of incoming gradients and inputs, the gradients."""
    wanted = inquiry.base.wanted
    names = [name if name.isidentifier() else f"x{p}" for p, name in enumerate(inquiry.names)]
    grads = inquiry.incoming[: len(inquiry.base.grad_outputs)]
    code = seen.code.replace(case.about, names[inquiry.names.index(case.about)])
    if len(wanted) == len(grads) == len(names) == 1 and code == grads[0]:
        return f"lambda {names[0]}: {names[0]}"  # its own gradient says it best
    others = [f"grad_{names[place]}" for place in wanted]
    others[case.place] = code
    returned = others[0] if len(others) == 1 else f"({', '.join(others)})"
    return f"lambda {', '.join([*grads, *names])}: {returned}"


def _stands_for(inquiry: Inquiry, case: GradientCase, seen: Seen) -> str:
    """Say what the author has to put into the code."""
    others = [inquiry.names[place] for place in inquiry.base.wanted]
    others.remove(case.about)
    said = [f"`{seen.open}` stands for what backward takes"] if seen.open else []
    if others:
        said.append(f"`grad_{others[0]}` and the like stand for the right gradients of the others")
    return f", where {' and '.join(said)}" if said else ""
