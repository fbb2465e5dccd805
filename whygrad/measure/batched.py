"""Measure a Function under `torch.vmap`, beside a loop over the batch."""

from collections.abc import Sequence
from typing import Any

import torch

from whygrad.evidence.modes import Batch, Vmap
from whygrad.measure.applied import argument_names, floats_of, has_own
from whygrad.measure.encode import encode_all, encode_raised
from whygrad.measure.quiet import quiet, reseed
from whygrad.measure.run_facts import custom, nodes
from whygrad.measure.run_once import differs, is_wanted, leaf
from whygrad.sample import Sample
from whygrad.torch_private import apply_of, gradients


def has_rule(kind: type) -> bool:
    """Tell whether a Function says how `torch.vmap` is to run it."""
    return has_own(kind, "vmap") or bool(kind.generate_vmap_rule)


def batched(functions: Sequence[tuple[type, list[tuple]]], seed: int) -> list[Vmap]:
    """Return what `torch.vmap` gives, and what a loop gives.

    Args:
        functions: each Function with the arguments of its applications, which are the items of the
            batch; only those of one shape go together.
        seed: for the incoming gradients.
    """
    found = []
    for kind, given in functions:
        groups = _groups(given)
        ways = [(items, way) for items in groups for way in _ways(items[0]) if way]
        tried = [_way(kind, *each, 2 + turn % 2, seed) for turn, each in enumerate(ways)]
        found.append(Vmap(kind.__name__, argument_names(kind, len(given[0])), tried))
    return found


def _groups(given: list[tuple]) -> list[list[tuple]]:
    """Put arguments of one kind together: those like the first, and those of other dimensions."""
    firsts: dict[tuple, tuple] = {}
    for one in given:
        firsts.setdefault(tuple(_dims(one)), one)
    return [[one for one in given if _looks(one) == _looks(first)] for first in firsts.values()]


def _ways(first: tuple) -> list[dict[int, int]]:
    """Say of each way to batch where the batch of an argument is, by the argument's place."""
    places = [place for place, value in enumerate(first) if isinstance(value, torch.Tensor)]
    last = {place: first[place].dim() for place in places}
    ways = [dict.fromkeys(places, 0)]
    if len(places) > 1:
        ways += [{place: 0} for place in places if is_wanted(first[place])]
    if any(last.values()):
        ways.append(last)
        if len(places) > 1:  # each in a dimension of its own
            ways.append({place: dim * (turn % 2) for turn, (place, dim) in enumerate(last.items())})
            ways += [{place: last[place]} for place in places if is_wanted(first[place])]
    return ways


def _looks(given: tuple) -> list[Any]:
    return [(v.shape, v.dtype) if isinstance(v, torch.Tensor) else type(v) for v in given]


def _dims(given: tuple) -> list[int | None]:
    return [v.dim() if isinstance(v, torch.Tensor) else None for v in given]


def _way(kind: type, items: list[tuple], dims: dict[int, int], least: int, seed: int) -> Batch:
    """Batch `least` or more of some arguments along these dimensions; leave the others alone."""
    in_dims = [dims.get(place) for place in range(len(items[0]))]
    lengths = {size for v in items[0] if isinstance(v, torch.Tensor) for size in v.shape}
    # A batch as long as another dimension could be mixed up with it, and nobody would see.
    size = next(size for size in range(least, 99) if size not in lengths)
    picked = [items[place % len(items)] for place in range(size)]
    given = [
        leaf(value if dim is None else torch.stack([item[place] for item in picked], dim))
        for place, (value, dim) in enumerate(zip(items[0], in_dims, strict=True))
    ]
    wanted = [place for place, value in enumerate(given) if is_wanted(value)]
    leaves = [given[place] for place in wanted]
    facts = Batch(in_dims, wanted, not has_own(kind, "vmap"))
    try:
        due, again = (_looped(kind, given, in_dims, size) for _ in range(2))
        if any(map(differs, due, again)):
            facts.refused = "a loop gives other numbers each time"
            return facts
        incoming = [*map(Sample(seed + 5000).like, due)]
        due_grads = gradients(due, leaves, incoming)
    except Exception as error:
        facts.refused = f"a loop raised {type(error).__name__}"
        return facts
    phase = "vmap"
    try:
        with quiet():
            reseed(0)
            result = torch.vmap(apply_of(kind), in_dims=tuple(in_dims))(*given)
            mine = floats_of(result)
            facts.in_graph = bool(custom(nodes(mine)))
            facts.out, facts.due = encode_all(mine), encode_all(due)
            if [out.shape for out in mine] != [out.shape for out in due]:
                return facts
            phase = "backward of vmap"
            grads = gradients(mine, leaves, incoming)
    except (Exception, SystemExit) as error:
        facts.raised = encode_raised(error, phase)
        return facts
    facts.grads, facts.due_grads = encode_all(grads), encode_all(due_grads)
    return facts


def _looped(kind: type, given: list, in_dims: list[int | None], size: int) -> list[torch.Tensor]:
    each = []
    with quiet():
        for place in range(size):
            reseed(0)
            one = [
                value if dim is None else value.select(dim, place)
                for value, dim in zip(given, in_dims, strict=True)
            ]
            each.append(floats_of(apply_of(kind)(*one)))
    return [torch.stack(outs) for outs in zip(*each, strict=True)]
