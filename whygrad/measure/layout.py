"""Lay tensors out in memory in another way than usual, with the same values."""

from collections.abc import Iterable
from typing import Any

import torch


def strided(values: Iterable[Any]) -> tuple:
    """Return the tensors among `values` as non-contiguous ones, transposed or spread."""
    return tuple(_strided(v) if isinstance(v, torch.Tensor) else v for v in values)


def _strided(value: torch.Tensor) -> torch.Tensor:
    if value.dim() == 0:
        return value
    if value.dim() >= 2 and value.shape[0] > 1 and value.shape[-1] > 1:
        return value.transpose(0, -1).contiguous().transpose(0, -1)
    room = torch.zeros(*value.shape[:-1], 2 * value.shape[-1], dtype=value.dtype)
    room[..., ::2] = value
    return room[..., ::2]
