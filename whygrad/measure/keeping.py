"""Measure what follows from the way in which a Function keeps tensors, wherever it keeps them."""

import gc
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch.autograd.graph import Node

from whygrad.evidence import Keeping
from whygrad.graph.nodes import hidden_tensors, saved_tensors
from whygrad.measure.quiet import quiet, same_settings
from whygrad.measure.reals import are_equal
from whygrad.measure.run_facts import custom, nodes
from whygrad.measure.run_once import Call, Run, forward
from whygrad.measure.trial import grad_outputs
from whygrad.torch_private import gradients


def keeping(call: Call, inputs: Sequence, seed: int) -> Keeping:
    """Return what autograd notices of what is kept; nothing if it cannot be tried."""
    with same_settings(), quiet():
        try:
            run = forward(call, inputs, seed=seed)
            due = None if run.raised or run.odd else _gradients(run, seed)
            if due is None:
                return Keeping()
            behind = custom(nodes(run.outputs))
            return Keeping(
                on_ctx=_on_ctx(behind),
                numbers=_numbers(behind, min(leaf.numel() for leaf in run.leaves)),
                rounded=_rounded(behind, run.inputs),
                cycle=_outlives(call, inputs, seed),
                again=_runs_again(run, seed),
                unnoticed=_unnoticed(call, inputs, seed, due),
            )
        except Exception:  # student's code, which has been tried out by others before
            return Keeping()


def _gradients(run: Run, seed: int, *, retain: bool = True) -> list[torch.Tensor | None] | None:
    """Return the gradients of a run; None if backward raises, or there is none."""
    if not run.tracked or not run.wanted:
        return None
    (grads,) = grad_outputs(run, seed)
    try:
        return gradients(run.floats, run.leaves, grads, retain_graph=retain)
    except Exception:
        return None


def _runs_again(run: Run, seed: int) -> bool:
    """Tell whether a backward runs after one that nobody asked to keep anything."""
    return _gradients(run, seed, retain=False) is not None and _gradients(run, seed) is not None


def _on_ctx(behind: list[Node]) -> list[str]:
    """Name the attributes of `ctx` that hold tensors; a number in one is told."""
    hidden = [pair for node in behind for pair in hidden_tensors(node)]
    return [f"{name} (one number)" if tensor.dim() == 0 else name for name, tensor in hidden]


def _numbers(behind: list[Node], least: int) -> list[str]:
    """Name the attributes of `ctx` that are arrays or lists of as many numbers as an input has."""
    pairs = [pair for node in behind for pair in vars(node).items()]
    return [f"`ctx.{name}`" for name, value in pairs if _count(value) >= max(least, 2)]


def _count(value: Any) -> int:
    """Count the numbers in an array, or in lists within lists."""
    if isinstance(value, list | tuple):
        return sum(isinstance(item, int | float) or _count(item) for item in value)
    return value.size if isinstance(value, np.ndarray) else 0


def _rounded(behind: list[Node], inputs: tuple) -> list[str]:
    """Name the saved tensors of one number that have fewer digits than every input."""
    floats = {v.dtype for v in inputs if isinstance(v, torch.Tensor) and v.is_floating_point()}
    if floats != {torch.float64}:
        return []
    saved = [pair for node in behind for pair in saved_tensors(node)[0]]
    named = [(f"`ctx.saved_tensors{name.removeprefix('saved ')}`", t) for name, t in saved]
    return [name for name, t in named if t.dim() == 0 and t.dtype == torch.float32]


def _outlives(call: Call, inputs: Sequence, seed: int) -> bool:
    """Tell whether an output is there after all that is known of its run is gone."""
    was_on, alive = gc.isenabled(), False
    gc.disable()
    try:
        run = forward(call, inputs, seed=seed)
        watched = [weakref.ref(out) for out in run.outputs]
        del run
        alive = any(one() is not None for one in watched)
    finally:
        if was_on:
            gc.enable()
        if alive:
            gc.collect()  # which takes long where much is kept
    return alive


def _unnoticed(call: Call, inputs: Sequence, seed: int, due: list) -> list[int | str]:
    found: list[int | str] = []
    for place in [*forward(call, inputs, seed=seed).wanted, "the output"]:
        run = forward(call, inputs, seed=seed)
        with torch.no_grad():
            (run.outputs[0] if place == "the output" else run.inputs[place]).mul_(2)
        after = _gradients(run, seed)
        if after is not None and not _are_equal(after, due):
            found.append(place)
    return found


def _are_equal(some: list, others: list) -> bool:
    pairs = zip(some, others, strict=True)
    return all(a is b if a is None or b is None else are_equal(a, b) for a, b in pairs)
