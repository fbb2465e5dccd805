"""What a tensor is beyond its shape, such as sorted, symmetric or one-hot."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from whygrad.measure.reals import is_number

_Law = Callable[[Tensor], bool]
_FEWEST = 3  # numbers in a row whose order is no accident


def traits(value: Tensor) -> list[str]:
    """Name what holds of the numbers of a dense tensor.

    >>> traits(torch.tensor([[2.0, 1.0], [1.0, 3.0]]))
    ['integers', 'positive', 'not negative', 'symmetric', 'positive definite']
    """
    if not value.numel() or value.dtype == torch.bool:
        return []
    return [name for name, holds in _TRAITS.items() if holds(value)]


def has(value: Tensor, names: Iterable[str]) -> bool:
    """Tell whether all of these traits hold of a tensor."""
    return not value.numel() or all(_TRAITS[name](value) for name in names)


def of_one_number(names: Iterable[str]) -> list[str]:
    """Return those of the traits that a single number in a row can have."""
    return [name for name in names if name not in _OF_SEVERAL]


def is_square(value: Tensor) -> bool:
    """Tell whether a tensor is a square matrix, or several."""
    return value.dim() >= 2 and value.shape[-1] == value.shape[-2] > 1


def _near(one: Tensor, other: Tensor) -> bool:
    exact = 1e-8 if one.dtype in (torch.float64, torch.complex128) else 1e-3
    return torch.allclose(one, other.to(one.dtype), rtol=exact, atol=exact)


def _real(law: _Law) -> _Law:
    return lambda value: not value.is_complex() and bool(law(value))


def _in(low: float, high: float) -> _Law:
    return _real(lambda value: ((value >= low) & (value <= high)).all())


def _are_distinct(value: Tensor) -> bool:
    whole = value.numel() > 1 and has(value, ["integers"])
    return whole and value.unique().numel() == value.numel()


def _counts_up(value: Tensor) -> bool:
    """A permutation of 0, 1, 2 and so on."""
    if is_number(value) or value.dim() != 1 or value.numel() < 2:
        return False
    return torch.equal(value.sort().values, torch.arange(len(value), device=value.device).to(value))


def _in_order(sign: int) -> _Law:
    def sorted_so(value: Tensor) -> bool:
        if not value.dim() or value.shape[-1] < _FEWEST:
            return False
        return (sign * value.diff(dim=-1) >= 0).all()

    return _real(sorted_so)


def _sums_to_one(axis: int, power: int) -> _Law:
    def sums(value: Tensor) -> bool:
        if not is_number(value) or value.dim() < -axis or value.shape[axis] < 2:
            return False
        total = (value.abs() ** 2 if power == 2 else value).sum(axis)
        return _near(total, torch.ones_like(total))

    return sums


def _square(law: _Law) -> _Law:
    return lambda value: is_number(value) and is_square(value) and law(value)


def _is_definite(value: Tensor) -> bool:
    wide = torch.complex128 if value.is_complex() else torch.float64
    return _near(value, value.mH) and not torch.linalg.cholesky_ex(value.to(wide)).info.any()


def _is_orthogonal(value: Tensor) -> bool:
    return _near(value @ value.mH, torch.eye(value.shape[-1], device=value.device).expand_as(value))


_TRAITS: dict[str, _Law] = {
    "integers": _real(lambda value: torch.equal(value, value.round())),
    "zeros and ones": lambda value: has(value, ["integers", "between 0 and 1"]),
    "distinct": _are_distinct,
    "a permutation": _counts_up,
    "ascending": _in_order(1),
    "descending": _in_order(-1),
    "positive": _real(lambda value: (value > 0).all()),
    "not negative": _in(0, torch.inf),
    "between 0 and 1": _in(0, 1),
    "between -1 and 1": _in(-1, 1),
    "rows that sum to 1": _sums_to_one(-1, 1),
    "columns that sum to 1": _sums_to_one(-2, 1),
    "rows of length 1": _sums_to_one(-1, 2),
    "columns of length 1": _sums_to_one(-2, 2),
    "symmetric": _square(lambda value: _near(value, value.mT)),
    "hermitian": _square(lambda value: value.is_complex() and _near(value, value.mH)),
    "antisymmetric": _square(lambda value: _near(value, -value.mT)),
    "positive definite": _square(_is_definite),
    "lower triangular": _square(lambda value: torch.equal(value, value.tril())),
    "upper triangular": _square(lambda value: torch.equal(value, value.triu())),
    "orthogonal": _square(_is_orthogonal),
}
_OF_SEVERAL = {
    *("distinct", "a permutation", "ascending", "descending", "symmetric", "hermitian"),
    *("antisymmetric", "positive definite", "lower triangular", "upper triangular", "orthogonal"),
}
