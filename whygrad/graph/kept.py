"""What a node of the autograd graph keeps from forward for backward."""

from collections.abc import Iterator

import torch
from torch.autograd.graph import Node as AutogradNode

from whygrad.torch_private import is_custom, saved_by

Kept = tuple[str, torch.Tensor]


def saved_tensors(fn: AutogradNode) -> tuple[list[Kept], str]:
    """Read the tensors that a node saved.

    Returns:
        Pairs of a label ("saved self", "saved [0]") and a tensor; and a note that says why they
        cannot be read, or "".
    """
    try:
        values = {"": fn.saved_tensors} if is_custom(fn) else saved_by(fn)
    except RuntimeError as error:
        return [], _reason(str(error))
    return [pair for name, value in values.items() for pair in _tensors(f"saved {name}", value)], ""


def hidden_tensors(fn: AutogradNode) -> list[Kept]:
    """List the tensors that a custom Function keeps on `ctx` as plain attributes."""
    return [
        pair
        for attribute, value in vars(fn).items()
        for pair in _tensors(f"ctx.{attribute}", value)
    ]


def _tensors(label: str, value: object) -> Iterator[Kept]:
    if isinstance(value, torch.Tensor):
        yield label, value
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _tensors(f"{label}[{index}]", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _tensors(f"{label}[{key!r}]", item)


def _reason(message: str) -> str:
    if "freed" in message:
        return "saved tensors already freed by a backward pass"
    if "inplace" in message:
        return "a saved tensor was changed in place since"
    return "saved tensors cannot be read"
