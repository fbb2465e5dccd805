"""Measure a Function's own `jvp`: the tangents of its outputs, and what they have to agree with.

The derivative along a direction comes from finite differences of forward. Beside it stands one
number from backward: for a vector u, the product of u with the tangent is that of the direction
with the gradient for u.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch.autograd import forward_ad

from whygrad.evidence.modes import Columns, Direction, Jvp
from whygrad.measure.applied import Application, argument_names, floats_of, has_own
from whygrad.measure.batched import has_rule
from whygrad.measure.encode import encode_all, encode_raised, rounded
from whygrad.measure.quiet import quiet, reseed
from whygrad.measure.reals import count, dtype_of, is_number, reals, shaped_like
from whygrad.measure.run_once import backward, forward, leaf
from whygrad.measure.slopes import slopes
from whygrad.sample import FLOAT64, Sample
from whygrad.torch_private import apply_of


def forward_mode(functions: Sequence[Application], seed: int) -> list[Jvp]:
    """Return what each Function's `jvp` gives, along one direction of all inputs and of each."""
    found = []
    for kind, arguments in functions:
        places = [place for place, value in enumerate(arguments) if is_number(value)]
        alone = [[place] for place in places] if len(places) > 1 else []
        tried = [_direction(kind, arguments, chosen, seed) for chosen in [places, *alone] if chosen]
        names = argument_names(kind, len(arguments))
        more = [f(kind, arguments, places, seed) for f in (_narrow, _columns) if places]
        found.append(Jvp(kind.__name__, names, tried, *more))
    return found


def _narrow(kind: type, arguments: tuple, places: list[int], seed: int) -> list[list[str]]:
    """Return the dtypes of tangents and outputs for float32 in the place of float64."""
    if any(arguments[place].dtype != torch.float64 for place in places):
        return []
    given = tuple(v.float() if p in places else v for p, v in enumerate(arguments))
    try:
        outputs, found = _pushed(kind, given, _tangents(given, places, seed))
    except (Exception, SystemExit):
        return []
    pairs = [(t, out) for t, out in zip(found, outputs, strict=True) if t is not None]
    return [[dtype_of(value) for value in pair] for pair in pairs]


def _columns(kind: type, arguments: tuple, places: list[int], seed: int) -> Columns | None:
    """Push a batch of two tangents at once, as `jacfwd` does; say whether one by one is the same.

    None where the Function has no rule, or two.
    """
    both = has_own(kind, "vmap") and kind.generate_vmap_rule  # which PyTorch refuses
    if both or not has_rule(kind):
        return None
    sample = Sample(seed + 3000)
    primals = tuple(leaf(arguments[place], False) for place in places)
    pairs = [[sample.like(value) for _ in range(2)] for value in primals]

    def at(*values: torch.Tensor) -> list[torch.Tensor]:
        inside = dict(zip(places, values, strict=True))
        return floats_of(apply_of(kind)(*(inside.get(p, v) for p, v in enumerate(arguments))))

    def pushed(*tangents: torch.Tensor) -> list[torch.Tensor]:
        return torch.func.jvp(at, primals, tangents)[1]

    with quiet():
        try:
            reseed(0)
            each = [pushed(*(pair[turn].clone() for pair in pairs)) for turn in range(2)]
            reseed(0)
            batch = torch.func.vmap(pushed)(*map(torch.stack, pairs))
        except (Exception, SystemExit) as error:
            return Columns(encode_raised(error, "jvp"))
    due = [torch.stack(outs) for outs in zip(*each, strict=True)]
    same = all(torch.allclose(m, d, equal_nan=True) for m, d in zip(batch, due, strict=True))
    return Columns(None, same)


def _direction(kind: type, arguments: tuple, places: list[int], seed: int) -> Direction:
    tangents = _tangents(arguments, places, seed)
    facts = Direction(
        of=places,
        tangents=encode_all(tangents),
        names=argument_names(kind, len(arguments)),
        given=encode_all(v if is_number(v) else None for v in arguments),
    )
    try:
        outputs, found = _pushed(kind, arguments, tangents)
    except (Exception, SystemExit) as error:
        facts.raised = encode_raised(error, "jvp")
        return facts
    claimed = [
        torch.zeros_like(out) if tangent is None else tangent
        for out, tangent in zip(outputs, found, strict=True)
    ]
    along, noise = _slopes(kind, arguments, tangents, claimed)
    facts.dtypes = [dtype_of(out) for out in outputs]
    facts.out, facts.numerical, facts.noise = encode_all(found), encode_all(along), noise
    facts.products = _products(kind, arguments, tangents, found, seed)
    return facts


def _tangents(arguments: tuple, places: list[int], seed: int) -> list[torch.Tensor | None]:
    """Draw tangents for all arguments of numbers, and return those for some places."""
    sample = Sample(seed + 3000)  # other numbers than the incoming gradients
    drawn = [sample.like(value) if is_number(value) else None for value in arguments]
    return [tangent if place in places else None for place, tangent in enumerate(drawn)]


def _pushed(
    kind: type, arguments: tuple, tangents: list[torch.Tensor | None]
) -> tuple[list[torch.Tensor], list[torch.Tensor | None]]:
    """Return the outputs, and their tangents."""
    reseed(0)
    with quiet(), forward_ad.dual_level():
        made = [
            value if tangent is None else forward_ad.make_dual(leaf(value, False), tangent.clone())
            for value, tangent in zip(arguments, tangents, strict=True)
        ]
        duals = [forward_ad.unpack_dual(out) for out in floats_of(apply_of(kind)(*made))]
        return [dual.primal.clone() for dual in duals], [
            None if dual.tangent is None else dual.tangent.clone() for dual in duals
        ]


def _slopes(
    kind: type,
    arguments: tuple,
    tangents: list[torch.Tensor | None],
    claimed: list[torch.Tensor],
) -> tuple[list[torch.Tensor], float]:
    """Return the derivatives of the outputs along a direction, and how far they may be off."""

    def at(step: torch.Tensor) -> Any:
        moved = [
            leaf(value, False) if tangent is None else value + step * tangent
            for value, tangent in zip(arguments, tangents, strict=True)
        ]
        return apply_of(kind)(*moved)

    column = torch.cat([reals(tangent) for tangent in claimed])[:, None]
    found = slopes(at, [torch.zeros((), **FLOAT64)], [0], [column])
    if not found.matrices:
        return [], 0.0
    parts = found.matrices[0][:, 0].split([count(tangent) for tangent in claimed])
    pairs = zip(parts, claimed, strict=True)
    return [shaped_like(part, tangent) for part, tangent in pairs], found.noise[0]


def _products(
    kind: type,
    arguments: tuple,
    tangents: list[torch.Tensor | None],
    found: list[torch.Tensor | None],
    seed: int,
) -> list[float]:
    """Return u times the tangents, and the direction times the gradients for u; [] if in vain."""
    run = forward(apply_of(kind), arguments)
    moved = {place for place, tangent in enumerate(tangents) if tangent is not None}
    if run.raised or not run.tracked or not moved <= {*run.wanted}:
        return []
    sample = Sample(seed + 4000)
    incoming = [sample.like(out) for out in run.floats]
    # An output without a history has no gradient to compare with.
    pairs = zip(incoming, found, run.floats, strict=True)
    mine = sum(_dot(u, t) for u, t, out in pairs if out.requires_grad)
    grads = backward(run, incoming)
    if grads is None:
        return []
    moves = [tangents[place] for place in run.wanted]
    due = sum(_dot(move, grad) for move, grad in zip(moves, grads, strict=True))
    return [rounded(mine), rounded(due)]


def _dot(one: torch.Tensor | None, other: torch.Tensor | None) -> float:
    if one is None or other is None:
        return 0.0
    return float((reals(one) * reals(other)).sum())
