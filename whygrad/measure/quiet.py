"""Run code without its prints and warnings, and give global settings back afterwards."""

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
    """Give back random states and settings that the code may change, after the block."""
    with default_dtype(), same_random_states(), torch.enable_grad():
        yield


@contextmanager
def default_dtype(dtype: torch.dtype | None = None) -> Iterator[None]:
    """Set the default dtype in the block, unless it is None; restore the old one afterwards."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype or before)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


@contextmanager
def same_random_states() -> Iterator[None]:
    """Give back the states of every generator that the code is likely to use, after the block."""
    state, numpy_state = random.getstate(), np.random.get_state()
    devices = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ()
    try:
        with torch.random.fork_rng(devices=devices):
            yield
    finally:
        random.setstate(state)
        np.random.set_state(numpy_state)


def reseed(seed: int) -> None:
    """Seed every generator that the code is likely to use."""
    random.seed(seed)
    np.random.seed(seed)
    # `torch.manual_seed` would queue a seed, with the whole stack, for each kind of device.
    torch.default_generator.manual_seed(seed)
