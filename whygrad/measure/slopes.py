"""The slopes of a callable, with how exact they are: looked at twice where there is a doubt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from whygrad.measure.finite_differences import Look, Moving, detached, first_look, flat
from whygrad.measure.inside import Inside, look_inside, lowest, precision_of
from whygrad.measure.ladder import RUNGS, climb
from whygrad.measure.quiet import quiet
from whygrad.measure.run_once import differs
from whygrad.sample import FLOAT64

_NEAR = 0.02  # a gradient that is off by less, beside the largest one, could be off by noise alone
_AGREE = 1e-5  # a gradient that is off by less is right
_BY_LOOP = 1e-3  # how exact the slopes of an iteration are, beside the largest
_TINY = 1e-8  # a step that float32 does not see
_VARIES = "gives other numbers at each call"
_QUIET = 1e-6  # an error, beside the largest slope, that nobody asks a reason for


@dataclass(frozen=True)
class Slopes:
    """The Jacobian for each wanted input, and how exact it is.

    Attributes:
        matrices: (numbers of all outputs, numbers of the input) each, float64; NaN where nobody
            knows; None where nobody measured. Empty if nothing could be measured.
        noise: for each input, how far a slope may be off, beside the largest one.
        reason: why they are not exact, in words that go after "since", or "".
    """

    matrices: list[torch.Tensor | None]
    noise: list[float]
    reason: str = ""


def slopes(
    call: Callable,
    inputs: Sequence,
    wanted: Sequence[int],
    claims: Sequence[torch.Tensor | None] | None = None,
    weights: torch.Tensor | None = None,
    *,
    who: str = "forward",
) -> Slopes:
    """Measure the slopes, and once more where they do not agree with what they could be.

    Args:
        call: the callable.
        inputs: its arguments; those wanted are tensors.
        wanted: places of the inputs to move.
        claims: for each of them what its matrix could be, of real numbers, if that is known; or
            `weights` times this matrix.
        weights: a matrix, if the claims are not about the slopes of all outputs, one by one.
        who: computes this, for the reason.
    """
    looks = first_look(call, inputs, wanted)
    if not looks:
        return Slopes([], [])
    plain = Slopes([look.matrix for look in looks], [0.0] * len(looks))
    known = claims or [None] * len(looks)
    off = [_off(look.matrix, claim, weights) for look, claim in zip(looks, known, strict=True)]
    if not any(_in_doubt(look, far).any() for look, far in zip(looks, off, strict=True)):
        return plain
    with torch.no_grad(), quiet():
        try:
            return _look_again(call, detached(inputs), wanted, looks, off, who)
        except Exception:
            return plain


def _off(
    matrix: torch.Tensor, claim: torch.Tensor | None, weights: torch.Tensor | None
) -> torch.Tensor | None:
    """How far what is claimed of each column is from the slopes, beside the largest."""
    made, terms = matrix, matrix.nan_to_num().abs()
    if weights is not None and weights.shape[1] == len(matrix):
        made, terms = weights @ matrix, weights.abs() @ terms
    if claim is None or claim.shape != made.shape or not claim.numel():
        return None
    return (claim.cpu() - made).abs().amax(dim=0) / max(float(terms.max()), 1e-3)


def _in_doubt(look: Look, off: torch.Tensor | None) -> torch.Tensor:
    """Mark the columns that have to be looked at again."""
    unknown = look.unknown.any(dim=0)
    return unknown if off is None else unknown | (off > _AGREE)


def _look_again(
    call: Callable,
    inputs: list,
    wanted: Sequence[int],
    looks: list[Look],
    off: list[torch.Tensor | None],
    who: str,
) -> Slopes:
    inside, middle = look_inside(call, inputs), flat(call, inputs)
    matrices, noise, reasons = [], [], []
    for place, look, far in zip(wanted, looks, off, strict=True):
        own = precision_of(inputs[place])
        rough = bool(look.unknown.any())
        precision = lowest((own, inside.precision))
        if precision != own and not rough and _is_exact(call, inputs, place, look, middle):
            precision = own  # few digits are there, and the outputs do not pass through them
        again = _in_doubt(look, far)
        if rough or precision != "float64":
            again |= look.kinks.any(dim=0)  # noise can look like a kink
        if far is not None and precision == "float64" and not rough and not inside.stops_by_numbers:
            again &= ~(far > _NEAR)  # no noise was seen, and this is more than a little
        columns = torch.nonzero(again)[:, 0].tolist()
        matrix, error = look.matrix.clone(), 0.0
        if columns:
            moving = Moving(call, inputs, place)
            found, errors = climb(moving, middle, columns, RUNGS[precision])
            matrix[:, columns] = found
            largest = max(float(matrix.nan_to_num().abs().max()), 1e-3)
            error = float(errors.nan_to_num().max()) / largest
        if precision != "float64" and (own != "float64" or rough or error > _QUIET or columns):
            error = max(error, RUNGS[precision].floor)
        if inside.stops_by_numbers:
            error = max(error, _BY_LOOP)
        matrices.append(matrix)
        noise.append(error)
        if error > _QUIET or rough:
            varies = differs(flat(call, inputs), middle)
            reasons.append(f"{who} {_VARIES}" if varies else _reason(own, inside, who))
    return Slopes(matrices, noise, next(iter(reasons), ""))


def _is_exact(call: Callable, inputs: list, place: int, look: Look, middle: torch.Tensor) -> bool:
    """Tell whether a step too small for few digits moves the outputs as the slopes say."""
    value = inputs[place]
    if value.dtype != torch.float64:
        return False
    step = (
        _TINY
        * value.abs().clamp(min=1e-3)
        * torch.linspace(0.7, 1.3, value.numel(), **FLOAT64).to(value).reshape(value.shape)
    )
    found = flat(call, [*inputs[:place], value + step, *inputs[place + 1 :]]) - middle
    due = look.matrix.nan_to_num() @ step.reshape(-1).cpu()
    known = ~look.matrix.isnan().any(dim=1)
    if found.shape != due.shape or not due[known].any():
        return False
    apart = (found - due)[known].abs().max()
    return bool(apart <= 0.01 * due[known].abs().max())


def _reason(own: str, inside: Inside, who: str) -> str:
    if own != "float64":
        return f"the inputs are {own}"
    if inside.precision != "float64":
        return f"{who} computes in {inside.precision} inside"
    if inside.stops_by_numbers:
        return f"{who} is an iteration that stops by a tolerance, as it seems"
    return f"{who} jumps at small steps, as rounding makes it"
