"""Try a callable on one set of inputs: a forward, a backward, and what both did."""

import math
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from traceback import walk_stack
from types import FrameType
from typing import Any

import torch

from whygrad.evidence import Trial, Value
from whygrad.measure.encode import encode_all
from whygrad.measure.marks import places
from whygrad.measure.quiet import default_dtype
from whygrad.measure.run_facts import (
    around,
    custom,
    grad_output_changed,
    held,
    kept,
    nodes,
    on_ctx,
    returned,
    shape_and_dtype,
    shares_memory,
)
from whygrad.measure.run_once import Call, Holding, Run, backward, forward
from whygrad.measure.watch import Watch
from whygrad.sample import Sample

# Laws that are tried with the numbers of the first inputs: what is right there is right here.
OF_THE_SAME = ("wrong-dtype", "needs-contiguous")
SPREAD = "non-contiguous tensors"  # the name of a trial
LEAST, TIMES = 5.0, 100  # a call is stopped after so many seconds and times those of the first
_AGAIN = 0.1  # seconds, if code of ours ran, or if the exception was swallowed


@dataclass(frozen=True)
class Probe:
    """One set of inputs to try a callable with.

    Attributes:
        name: says what is tried: "base" (measured closely), or such as "a batch of 5".
        law: the name of the mistake if only this one fails, such as "fixed-size".
        inputs: the arguments.
        default_dtype: to try it with, or None for the one that is set.
    """

    name: str
    law: str
    inputs: tuple
    default_dtype: torch.dtype | None = None


def try_once(call: Call, probe: Probe, seed: int, loud: bool = False) -> tuple[Trial, Run]:
    """Return what a callable does on one set of inputs, and the run itself."""
    with default_dtype(probe.default_dtype):
        run = forward(call, probe.inputs, loud=loud)
    trial = Trial(
        name=probe.name,
        law=probe.law,
        inputs=[about(value) for value in run.inputs],
        values=encode_all(probe.inputs),
        wanted=list(run.wanted),
        outputs=encode_all(run.outputs),
        odd=run.odd,
        applied=len(run.applied),
        packed=run.packed,
        changed_in_forward=run.changed,
        raised=run.raised,
    )
    if not (run.raised or run.odd):
        _look_at_graph(trial, run)
        _try_backward(trial, run, probe, seed, loud)
    return trial, run


def _look_at_graph(trial: Trial, run: Run) -> None:
    behind = nodes(run.outputs)
    own = custom(behind)
    trial.custom = [node.name() for node in own]
    trial.around = around(run, behind)
    trial.keeps, trial.held = kept(run, own), held(run, own)
    trial.named_on_ctx = on_ctx(own)
    trial.tensors_on_ctx = len(trial.named_on_ctx)
    trial.requires_grad = [out.requires_grad for out in run.outputs]
    trial.shares = shares_memory(run)
    trial.a_tuple_of_one = isinstance(run.result, tuple | list) and len(run.outputs) == 1
    trial.marks_constant = bool(run.marks.constant)
    trial.marks_made = any(not places(run.inputs, [one]) for one in run.marks.plain)
    trial.marks_written = places(run.inputs, run.marks.dirty)


def _try_backward(trial: Trial, run: Run, probe: Probe, seed: int, loud: bool) -> None:
    (grads,) = grad_outputs(run, seed)
    if probe.law == "needs-contiguous":
        grads = list(strided(grads))
    with default_dtype(probe.default_dtype):
        found = backward(run, [grad.clone() for grad in grads], loud=loud)
    run.incoming, run.gradients = grads, found
    trial.grad_outputs, trial.grads, trial.raised = encode_all(grads), encode_all(found), run.raised
    trial.returned = returned(run)
    trial.changed, trial.grad_output_changed = run.changed, grad_output_changed(run)
    trial.outputs_changed = encode_all(run.outputs) != trial.outputs
    trial.autograd = sorted(run.autograd)
    trial.lists = [made.__name__ for made, result in run.made if isinstance(result, list)]


class StoppedError(Exception):
    """A call took too long."""


@contextmanager
def in_time(call: Call) -> Iterator[Call]:
    """Give the same callable, which raises StoppedError if it and its backward take too long.

    Nothing is stopped without a limit, without timers, outside of the main thread, and where
    somebody else uses the timer of CPU time.
    """
    seconds = call.seconds if isinstance(call, Holding) else math.inf
    is_main = threading.current_thread() is threading.main_thread()
    has_timer = is_main and hasattr(signal, "setitimer")
    if math.isinf(seconds) or not has_timer or signal.getsignal(signal.SIGPROF) != signal.SIG_DFL:
        yield call
        return

    def begin(*inputs: Any) -> Any:
        signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
        return call(*inputs)

    def stop(_: int, frame: FrameType | None) -> None:
        inside = {begin.__code__, Watch.backward.__code__}
        if any(one.f_code in inside for one, _ in walk_stack(frame)):
            raise StoppedError(f"it took over {TIMES} times as long as the first call")

    signal.signal(signal.SIGPROF, stop)
    try:
        yield Holding(begin, call.constant)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)


def incoming(seed: int) -> Sample:
    """Return what incoming gradients are drawn from: other numbers than the inputs."""
    return Sample(seed + 1000)


def grad_outputs(run: Run, seed: int, count: int = 1) -> list[list[torch.Tensor]]:
    """Return `count` times incoming gradients for the outputs of a run."""
    sample = incoming(seed)
    return [[sample.like(out) for out in run.floats] for _ in range(count)]


def about(value: Any) -> Value:
    """Return the shape and dtype of an argument; a plain value, or its type, if it is no tensor."""
    if not isinstance(value, torch.Tensor):
        plain = value is None or isinstance(value, bool | int | float | str)
        return Value(value=repr(value)[:80]) if plain else Value(type=type(value).__name__)
    return Value(*shape_and_dtype(value))


def spread(inputs: tuple) -> Probe:
    """Return the probe of the same numbers in tensors that are not contiguous."""
    return Probe(SPREAD, "needs-contiguous", strided(inputs))


def strided(values: Iterable[Any]) -> tuple:
    """Return the tensors among `values` as non-contiguous ones, transposed or spread."""
    return tuple(_strided(v) if isinstance(v, torch.Tensor) else v for v in values)


def _strided(value: torch.Tensor) -> torch.Tensor:
    if value.dim() == 0 or value.layout != torch.strided:
        return value
    if value.dim() >= 2 and value.shape[0] > 1 and value.shape[-1] > 1:
        return value.transpose(0, -1).contiguous().transpose(0, -1)
    room = value.new_zeros(*value.shape[:-1], 2 * value.shape[-1])
    room[..., ::2] = value
    return room[..., ::2]
