"""Describe tensors in a few words: how their author calls them, shape, dtype, first numbers."""

import re
from contextlib import suppress

import torch

from whygrad.lines.step import Seen
from whygrad.rounding import short

LONGEST = 120  # characters of code
FEW = 3  # numbers, names
_NOISE = 1e-15


def key_of(tensor: torch.Tensor) -> int:
    """Return what views of one memory share."""
    try:
        return tensor.untyped_storage().data_ptr() or id(tensor)
    except Exception:  # sparse, or a subclass without memory of its own
        return id(tensor)


def name_of(tensor: torch.Tensor, known: list, line: str) -> str:
    """Return how the author calls a tensor; of several names, the one on the line."""
    own = [name for name, one in known if one is tensor]
    own = own or [name for name, one in known if _is_same_view(one, tensor)]
    places = {n: re.search(rf"(?<![\w.]){re.escape(n)}(?!\w)", line) for n in own}
    on_line = sorted((found.start(), n) for n, found in places.items() if found)
    return cut(on_line[0][1] if on_line else own[0] if own else "")


def _is_same_view(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one.shape != other.shape or key_of(one) != key_of(other):
        return False
    return one.layout != torch.strided or one.storage_offset() == other.storage_offset()


def seen(tensor: torch.Tensor) -> Seen:
    """Return size, dtype and first numbers of a tensor, as texts."""
    few = []
    if tensor.numel() and tensor.layout == torch.strided and not tensor.is_quantized:
        few = [_number(value) for value in _first(tensor.detach()).reshape(-1).tolist()]
    numbers = ", ".join([*few, *(["…"] if tensor.numel() > FEW else [])])
    return Seen("", str([*tensor.shape][:20]), _dtype(tensor), numbers)


def _first(tensor: torch.Tensor) -> torch.Tensor:
    """Return the first numbers of a tensor, without a copy of all of it."""
    while tensor.dim() > 1:
        tensor = tensor[0] if tensor[0].numel() >= FEW else tensor[:FEW].flatten(0, 1)
    return tensor[:FEW] if tensor.dim() else tensor


def _number(value: complex) -> str:
    if isinstance(value, complex):
        return f"{_number(value.real)}{value.imag:+.4g}j"
    return short(value, zero=_NOISE) if isinstance(value, float) else str(value)


def cast(floats: list[torch.Tensor], made: torch.Tensor) -> str:
    """Say between which dtypes an operation casts, or which one a new tensor has."""
    bits = {torch.finfo(t.dtype).bits for t in floats}
    if bits == {torch.finfo(made.dtype).bits}:
        return ""
    before = " and ".join(dict.fromkeys(_dtype(t) for t in floats))
    return f"{before} to {_dtype(made)}" if floats else _dtype(made)


def _dtype(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def not_finite(floats: list[torch.Tensor], made: torch.Tensor, known: list) -> str:
    """Say where the first nan is that is made of none; or the first inf, made of finite numbers."""
    if bool(made.isfinite().all()) or any(bool(t.isnan().any()) for t in floats):
        return ""
    bad = made.isnan() if bool(made.isnan().any()) else made.isinf()
    if not bool(made.isnan().any()) and any(bool(t.isinf().any()) for t in floats):
        return ""
    place = bad.nonzero()[0].tolist()
    operands = []
    for tensor in floats[:FEW]:
        with suppress(RuntimeError):  # it does not broadcast
            value, name = tensor.expand(made.shape)[tuple(place)].item(), name_of(tensor, known, "")
            operands += [f"`{name}` is {_number(value)}"] if name else []
    number = _number(made[tuple(place)].item())
    of = f", where {' and '.join(operands)}" if operands else ""
    return f"{number} at {place}{of}" if place else f"{number}{of}"


def cut(text: str) -> str:
    """Cut a text of the author's."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 2]} …"
