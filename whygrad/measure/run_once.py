"""Run a callable forward and backward once, and keep everything that it did."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from whygrad.evidence import Raised
from whygrad.lines.log import LineLog
from whygrad.measure.encode import encode_raised
from whygrad.measure.marks import Marks, noting_marks, places
from whygrad.measure.quiet import quiet, reseed
from whygrad.measure.reals import dense, is_number
from whygrad.measure.watch import Watch, watching
from whygrad.torch_private import gradients

Call = Callable[..., Any]


@dataclass(frozen=True)
class Holding:
    """A callable of which some arguments are constants: no gradient is asked for them, or due.

    Attributes:
        call: the callable.
        constant: the places of these arguments.
        seconds: of CPU time, after which `in_time` stops a call.
    """

    call: Call
    constant: frozenset[int] = frozenset()
    seconds: float = math.inf

    def __call__(self, *inputs: Any) -> Any:
        """Call it, as anybody would."""
        return self.call(*inputs)


def constant_places(call: Call) -> frozenset[int]:
    """Return the places of the arguments that a callable holds constant."""
    return call.constant if isinstance(call, Holding) else frozenset()


@dataclass
class Run:
    """One forward of a callable, with its graph, ready for backward.

    Attributes:
        inputs: the arguments; those to be differentiated are leaves that require a gradient.
        wanted: places of these leaves among the inputs.
        outputs: the tensors that came back, a single one as a tuple of one.
        raised: what forward or backward raised, or None.
        watch: what custom Functions did in the last pass, forward or backward.
        before: copies of the inputs, made before the call.
        odd: the type of what came back, if that is not a tensor or several; otherwise "".
        applied: the Functions that forward applied.
        made: what these returned, each with its Function.
        held: what was in a list or the like in a call of `.apply`, as in `Watch`.
        autograd: how forward and backward put autograd to work, as in `Watch`.
        incoming: the incoming gradients that it was tried with first, one for each of `floats`.
        gradients: what came of them, one for each leaf, or None if backward raised.
        constant: places of the inputs that are constants: forward may keep statistics in them.
        marks: what forward said of its tensors.
        result: what came back, as it came.
        again: makes the same run once more.
        passes: how many backward passes have gone through it.
        once: what the second of them raised, where the first went well; or None.
        log: of the lines of its Functions, or None.
    """

    inputs: tuple
    wanted: tuple[int, ...]
    outputs: tuple = ()
    raised: Raised | None = None
    watch: Watch = field(default_factory=Watch)
    before: tuple = ()
    odd: str = ""
    applied: list[type] = field(default_factory=list)
    made: list[tuple[type, Any]] = field(default_factory=list)
    held: list[tuple[int, str]] = field(default_factory=list)
    autograd: set[str] = field(default_factory=set)
    incoming: list[torch.Tensor] = field(default_factory=list)
    gradients: list[torch.Tensor | None] | None = None
    constant: frozenset[int] = frozenset()
    marks: Marks = field(default_factory=Marks)
    result: Any = None
    again: Callable[[], "Run"] | None = None
    passes: int = 0
    once: Raised | None = None
    log: LineLog | None = None

    @property
    def packed(self) -> dict[str, str]:
        """Places of the inputs that were in a list or the like in a call of `.apply`, with it."""
        places = {id(value): place for place, value in enumerate(self.inputs)}
        pairs = ((places.get(key), kind) for key, kind in self.held)
        return {str(place): kind for place, kind in pairs if place in self.wanted}

    @property
    def leaves(self) -> list[torch.Tensor]:
        """The inputs to be differentiated."""
        return [self.inputs[place] for place in self.wanted]

    @property
    def floats(self) -> list[torch.Tensor]:
        """The outputs that can have a gradient."""
        return [out for out in self.outputs if out.is_floating_point() or out.is_complex()]

    @property
    def tracked(self) -> list[torch.Tensor]:
        """Those of them that have a history."""
        return [out for out in self.floats if out.requires_grad]

    @property
    def changed(self) -> list[int]:
        """Places of the inputs whose values are not what they were."""
        pairs = zip(self.inputs, self.before, strict=True)
        changed = [place for place, (now, then) in enumerate(pairs) if differs(now, then)]
        expected = (*self.constant, *places(self.inputs, self.marks.dirty))
        return [place for place in changed if place not in expected]


def is_wanted(value: Any) -> bool:
    """Tell whether an argument is one to be differentiated."""
    return is_number(value)


def leaf(value: Any, requires_grad: bool = True) -> Any:
    """Return a fresh leaf with the values and the memory layout of a tensor; others as they are."""
    if not isinstance(value, torch.Tensor):
        return value
    plain = value.detach()
    if plain.layout != torch.strided:
        return plain.clone()
    if any(stride == 0 for stride in plain.stride()):
        fresh = plain.clone()  # its elements share memory: a copy cannot
    else:
        fresh = torch.empty_strided(
            plain.shape, plain.stride(), dtype=plain.dtype, device=plain.device
        ).copy_(plain)
    return fresh.requires_grad_(requires_grad and is_wanted(value))


def forward(
    call: Call,
    inputs: Sequence,
    *,
    seed: int = 0,
    loud: bool = False,
    only: int | None = None,
    log_lines: bool = False,
) -> Run:
    """Call once, on fresh leaves that are copies of the inputs.

    `loud` lets prints and warnings through; `only` is the one place among the inputs that requires
    a gradient, -1 for none; `log_lines` logs what each line of a Function runs, here and in each
    backward.
    """
    constant = constant_places(call)
    asked = [place not in constant and only in (None, place) for place in range(len(inputs))]
    made = tuple(leaf(value, grad) for value, grad in zip(inputs, asked, strict=True))
    wanted = tuple(
        place for place, value in enumerate(made) if is_wanted(value) and value.requires_grad
    )
    before = tuple(leaf(value, False) for value in made)
    log = LineLog(made) if log_lines else None
    run = Run(made, wanted, before=before, constant=constant, log=log)
    run.again = lambda: forward(call, before, seed=seed, only=only)
    reseed(seed)
    with watching(forward=True, log=log) as run.watch, quiet(loud), noting_marks() as marks:
        run.autograd = run.watch.autograd
        try:
            result = _called(call, made, before, marks)
        except (Exception, SystemExit) as error:
            run.raised = encode_raised(error, "forward")
            return run
    run.result, run.marks = result, marks
    run.applied = [function for function, _ in run.watch.given]
    run.made, run.held = run.watch.made, run.watch.held
    outputs = items(result)
    if not outputs or not all(isinstance(out, torch.Tensor) for out in outputs):
        run.odd = " and ".join(sorted({_kind(out) for out in outputs})) or "nothing"
        return run
    run.outputs = outputs
    return run


def _called(call: Call, made: tuple, before: tuple, marks: Marks) -> Any:
    """Call; a Function that says it writes into a leaf, as none may, gets copies of them."""
    try:
        return call(*made)
    except RuntimeError as error:
        if not marks.dirty or "leaf Variable that requires grad" not in str(error):
            raise
    with torch.no_grad():
        for value, then in zip(made, before, strict=True):
            if isinstance(value, torch.Tensor):
                value.copy_(then)
    return call(*(v.clone() if is_wanted(v) and v.requires_grad else v for v in made))


def _kind(value: Any) -> str:
    if isinstance(value, torch.autograd.Function):
        return "an instance of the Function"
    return type(value).__name__


def backward(
    run: Run,
    grad_outputs: Sequence[torch.Tensor | None],
    *,
    loud: bool = False,
    seed: int | None = None,
) -> list[torch.Tensor | None] | None:
    """Return the gradients of the leaves, or None if backward raised (then `run.raised` says what).

    A leaf that the outputs do not depend on has the gradient None. An output whose incoming
    gradient is None is left out. The graph is kept; if its backward can run once only, the others
    run through a new graph each.
    """
    if seed is not None:
        reseed(seed)
    if not run.tracked or not run.wanted:
        return [None for _ in run.wanted]
    with watching(log=run.log) as run.watch, quiet(loud):
        try:
            found = gradients(run.floats, run.leaves, grad_outputs)
            run.passes += 1
            return found
        except (Exception, SystemExit) as error:
            raised = encode_raised(error, "backward")
        finally:
            run.autograd |= run.watch.autograd
    if run.passes and run.again:
        run.once = raised
        return _through_another(run, run.again(), grad_outputs, seed)
    run.raised = raised
    return None


def _through_another(
    run: Run, other: Run, grad_outputs: Sequence[torch.Tensor | None], seed: int | None
) -> list[torch.Tensor | None] | None:
    if other.raised or len(other.floats) != len(grad_outputs):
        run.raised = run.once
        return None
    found = backward(other, grad_outputs, seed=seed)
    run.watch, run.raised = other.watch, other.raised
    return found


def items(result: Any) -> tuple:
    """Return what a tuple or a list holds, and anything else as a tuple of one.

    This is how PyTorch sees it: `__iter__` is not asked.
    """
    if isinstance(result, tuple | list):
        kind = tuple if isinstance(result, tuple) else list
        return tuple(kind.__iter__(result))
    return (result,)


def differs(now: Any, then: Any) -> bool:
    """Return whether a tensor has another shape, dtype or value than its earlier copy `then`.

    NaN equals NaN and 0. A `then` that is not a tensor never differs.
    """
    if not isinstance(then, torch.Tensor):
        return False
    if now.shape != then.shape or now.dtype != then.dtype:
        return True
    with torch.no_grad():
        now, then = dense(now.detach()), dense(then.detach())
        return not torch.equal(torch.nan_to_num(now), torch.nan_to_num(then))
