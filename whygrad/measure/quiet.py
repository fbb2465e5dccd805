"""Run student code without its prints and warnings, and give global settings back afterwards."""

import io
import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import numpy as np
import torch


@contextmanager
def quiet(loud: bool = False) -> Iterator[None]:
    """Drop what is printed and warned in the block, unless `loud`; a warning is never an error."""
    if loud:
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            yield
        return
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


@contextmanager
def same_settings() -> Iterator[None]:
    """Give back random states and settings that student code may change, after the block."""
    states = (random.getstate(), np.random.get_state(), torch.get_rng_state())
    dtype, grad = torch.get_default_dtype(), torch.is_grad_enabled()
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
        torch.set_rng_state(states[2])
        torch.set_default_dtype(dtype)
        torch.set_grad_enabled(grad)


def reseed(seed: int) -> None:
    """Seed every generator that student code is likely to use."""
    random.seed(seed)
    np.random.seed(seed)
    # `torch.manual_seed` would queue a seed, with the whole stack, for each kind of device.
    torch.default_generator.manual_seed(seed)
