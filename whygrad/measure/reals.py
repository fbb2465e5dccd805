"""See tensors as rows of real numbers: complex ones as pairs, sparse ones with their zeros."""

from typing import Any

import torch


def is_number(value: Any) -> bool:
    """Tell whether a value is a dense tensor of real or complex numbers that can be moved a bit."""
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return False
    return value.is_floating_point() or value.is_complex()


def dense(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor with its zeros written out."""
    return tensor if tensor.layout == torch.strided else tensor.to_dense()


def are_equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Tell whether two tensors have one shape and the same numbers, however they are kept."""
    if one.shape != other.shape:
        return False
    if one.dtype != other.dtype:  # some pairs of dtypes cannot be compared by PyTorch
        one, other = reals(one), reals(other)
    return torch.equal(dense(one), dense(other))


def reals(tensor: torch.Tensor) -> torch.Tensor:
    """Return the numbers of a tensor as one row of float64; a complex number is two of them."""
    plain = as_pairs(dense(tensor.detach()).resolve_conj())
    return plain.to(torch.float64).reshape(-1)


def as_pairs(tensor: torch.Tensor) -> torch.Tensor:
    """Return a view of complex numbers as pairs of real ones; other tensors as they are."""
    return torch.view_as_real(tensor) if tensor.is_complex() else tensor


def shaped_like(numbers: torch.Tensor, tensor: torch.Tensor) -> torch.Tensor:
    """Return real numbers in the shape of a tensor, pairs as complex ones if it holds such."""
    numbers = numbers.reshape(shape_of(tensor))
    return torch.view_as_complex(numbers) if tensor.is_complex() else numbers


def count(tensor: torch.Tensor) -> int:
    """Return how many real numbers a tensor holds."""
    return tensor.numel() * (2 if tensor.is_complex() else 1)


def shape_of(tensor: Any) -> list[int]:
    """Return the shape of the real numbers of a tensor: pairs have a dimension of their own."""
    return [*tensor.shape, 2] if tensor.dtype.is_complex else list(tensor.shape)


def row_of(tensor: torch.Tensor) -> torch.Tensor:
    """Return a view of a contiguous tensor as one row of real numbers."""
    return as_pairs(tensor).view(-1)


def dtype_of(tensor: Any) -> str:
    """Return the name of a tensor's dtype, such as "float64"."""
    return str(tensor.dtype).removeprefix("torch.")


def memory_of(tensor: torch.Tensor) -> int:
    """Return what tensors that share their memory have in common."""
    return tensor.untyped_storage().data_ptr() if tensor.layout == torch.strided else id(tensor)
