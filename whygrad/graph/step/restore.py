"""Run a backward pass, and leave everything as it was before."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch


def run_backward(out: torch.Tensor, grad: torch.Tensor | None, create_graph: bool) -> None:
    """Run the engine from `out`; what the graph has saved stays for a later backward pass."""
    # A copy, because a function may write into what it is given.
    start = torch.ones_like(out) if grad is None else grad.clone()
    with warnings.catch_warnings(), _warnings_once_left():
        # .grad is put back, so that the cycle that this warning is about does not last.
        warnings.filterwarnings("ignore", message="Using backward.. with create_graph=True")
        torch.autograd.backward(out, start, retain_graph=True, create_graph=create_graph)


@contextmanager
def _warnings_once_left() -> Iterator[None]:
    # PyTorch gives some warnings once. One that is given here must not be lost for later.
    always = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        yield
    finally:
        torch.set_warn_always(always)


@contextmanager
def left_as_found(tensors: Iterable[torch.Tensor]) -> Iterator[None]:
    """Put the `.grad` of some tensors, and the random numbers, back at the end.

    Backward adds to what a leaf's `.grad` holds, in place; a copy of it stands in meanwhile.
    """
    # A tensor that is no leaf has a .grad if it was asked to, with retain_grad.
    holders = {id(t): t for t in tensors if t.is_leaf or t.retains_grad}.values()
    grads = [(tensor, tensor.grad) for tensor in holders]
    devices = {t.get_device() for t in holders if t.is_cuda}
    with torch.random.fork_rng(devices=sorted(devices)):
        try:
            for tensor, grad in grads:
                tensor.grad = None if grad is None else grad.detach().clone()
            yield
        finally:
            for tensor, grad in grads:
                tensor.grad = grad
