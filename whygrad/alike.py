"""Make tensors like a given one: with other numbers, or of another size, that keep its traits."""

from collections.abc import Iterator

import torch
from torch import Tensor

from whygrad.measure.reals import is_number
from whygrad.sample import Sample
from whygrad.traits import has, is_square, of_one_number, traits

_LOW, _HIGH = 0.75, 0.95  # other numbers are nearer to 0 by such a factor


def other_numbers(value: Tensor) -> Tensor | None:
    """Return a tensor of the same shape, dtype and traits, or None if none was found.

    >>> other_numbers(torch.tensor([1.0, 2.0, 4.0]))
    tensor([1., 3., 4.])
    """
    if not is_number(value) or not value.numel():
        return None
    names, zeros = traits(value), value == 0
    for made in _others(value):
        kept = "integers" in names or torch.equal(made == 0, zeros)
        if kept and not torch.equal(made, value) and has(made, names):
            return made
    return None


def resized(value: Tensor, length: int, size: int, alone: int | None = None) -> Tensor | None:
    """Return a tensor with `size` in place of each `length` in its shape, or None if none fits.

    Smaller ones are cut out; what is added are other numbers of the same kind. `alone` is the one
    dimension to change, where it is not each.
    """
    axes = [axis for axis, old in enumerate(value.shape) if old == length]
    if alone is not None:
        axes = [alone]
    if not axes:
        return value
    names = of_one_number(traits(value)) if size == 1 else traits(value)
    for made in _cut(value, axes, size) if size < length else _grown(value, axes, size):
        if has(made, names):
            return made
    return None


def _factors(value: Tensor) -> Tensor:
    numbers = Sample(5000).uniform(*value.shape, low=_LOW, high=_HIGH)
    return numbers.to(value.device, value.real.dtype if value.is_complex() else value.dtype)


def _others(value: Tensor) -> Iterator[Tensor]:
    near = value * _factors(value)
    if value.dim() and not is_square(value):
        yield near.flip(0)  # a number can have reached another piece of the function
    yield near
    yield from _repaired(near)
    if is_square(value):
        scale = _factors(value.real[..., 0])
        yield scale[..., :, None] * value * scale[..., None, :]
        yield (near + near.mH) / 2
        yield (near - near.mT) / 2
        yield _turned(value)
    if not value.is_complex():
        row = value.reshape(-1).flip(0).reshape(value.shape)
        yield row
        yield value.max() + value.min() - row
    yield _HIGH * value


def _repaired(near: Tensor) -> Iterator[Tensor]:
    """Rows or columns that sum to 1 again, or have the length 1."""
    for axis in (-1, -2)[: near.dim()]:
        yield near / near.sum(axis, keepdim=True)
        yield near / (near.abs() ** 2).sum(axis, keepdim=True).sqrt()


def _turned(value: Tensor) -> Tensor:
    """An orthogonal matrix, turned a little in the plane of its first two columns."""
    turn = torch.eye(value.shape[-1], dtype=value.dtype, device=value.device)
    turn[0, 0] = turn[1, 1] = 0.96
    turn[0, 1], turn[1, 0] = -0.28, 0.28
    return value @ turn


def _cut(value: Tensor, axes: list[int], size: int) -> Iterator[Tensor]:
    for axis in axes:
        value = value.narrow(axis, 0, size)
    yield value.clone()
    if is_number(value):
        yield from _repaired(value)


def _grown(value: Tensor, axes: list[int], size: int) -> Iterator[Tensor]:
    length = value.shape[axes[0]]
    tiled, last = value, value
    for axis in axes:
        places = torch.arange(size, device=value.device)
        tiled = tiled.index_select(axis, places % length)
        last = last.index_select(axis, places.clamp(max=length - 1))
    inside = tuple(slice(length if axis in axes else None) for axis in range(value.dim()))
    if not is_number(value):
        yield tiled
        yield last
        yield torch.arange(size, device=value.device, dtype=value.dtype).expand_as(tiled)
        return
    made = tiled * _factors(tiled)
    made[inside] = value
    yield made
    yield from _repaired(made)
    zeros = torch.zeros_like(tiled)
    zeros[inside] = value
    last_two = {value.dim() - 2, value.dim() - 1}
    if is_square(value) and last_two <= set(axes):
        yield from _grown_square(made, zeros, length)
    yield tiled
    yield last
    yield zeros


def _grown_square(made: Tensor, zeros: Tensor, length: int) -> Iterator[Tensor]:
    """Square matrices around one of `length` rows that could be triangular, definite and so on."""
    yield made.tril()
    yield made.triu()
    yield (made - made.mT) / 2
    rows = torch.arange(length, made.shape[-1], device=made.device)
    for even in ((made + made.mH) / 2, zeros):
        for number in (1.0, 4.0 * len(rows) * float(made.abs().sum())):
            even[..., rows, rows] = number
            yield even.clone()
