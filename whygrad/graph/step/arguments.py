"""Check what `step` was asked to do, before anything runs."""

import torch


def check(out: object, grad: object, named: dict[str, object]) -> None:
    """Make sure that a backward pass can start.

    Raises:
        TypeError: something is not a tensor.
        ValueError: `out` has no history, or there is no gradient of its shape to start with.
    """
    for place, value in {"out": out, **named}.items():
        if not isinstance(value, torch.Tensor):
            raise TypeError(
                f"{place} is of type {type(value).__name__}: "
                "pass tensors, as in step(loss, w=w, x=x)"
            )
    if out.grad_fn is None:
        what = "is a leaf" if out.requires_grad else "has no history"
        raise ValueError(
            f"out {what}, so there is no function to visit: "
            "pass a tensor computed from one that requires a gradient"
        )
    if grad is None:
        if out.numel() != 1:
            raise ValueError(
                f"out has shape {tuple(out.shape)}, and backward starts from one number: "
                "pass a gradient to start with, as in step(out, grad=torch.ones_like(out))"
            )
    elif not isinstance(grad, torch.Tensor):
        raise TypeError(
            f"grad is of type {type(grad).__name__}: pass a tensor of out's shape, "
            f"{tuple(out.shape)}"
        )
    elif grad.shape != out.shape:
        raise ValueError(
            f"grad has shape {tuple(grad.shape)} and out has shape {tuple(out.shape)}: "
            "pass a gradient of out's shape"
        )


def labels(out: torch.Tensor, named: dict[str, torch.Tensor]) -> tuple[str, dict]:
    """Find a label for `out`; return it, and all tensors by label, with `out` first."""
    given = [label for label, tensor in named.items() if tensor is out]
    label = given[0] if given else next(n for n in ("out", "start", "") if n not in named)
    return label, {label: out, **named}
