"""What a right answer gives on one set of inputs: by a reference, finite differences, or intent."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from whygrad.evidence import Trial, Value, Values
from whygrad.evidence.second_order import Second, SecondRun
from whygrad.judge.arrays import DIFFERENCES, EXACT, Array, exact_in, read_array, read_gradient


@dataclass(frozen=True)
class Expectation:
    """The right outputs and gradients of one trial.

    Attributes:
        outputs: the right outputs, or None if nobody knows them.
        grads: the right gradient of each differentiable input for the trial's incoming gradients.
        jacobians: per differentiable input (elements of outputs, elements of input), or None.
        second: per gradient, the derivatives for each input and each incoming gradient, or None.
        second_other: the same for other incoming gradients, or None.
        due: by name, the right gradients for each incoming gradient that was tried, where these
            were measured: a backward that is meant to be another may not be linear.
        relative: how exact these numbers are.
        views: whether the right output is a view of an input; None if nobody knows.
        dtypes: of the right outputs, or None.
        noise: how exact each gradient and its Jacobian are, where that is less.
        second_noise: the same for the second derivatives.
        reason: why they are not exact, in words after "since", or "".
    """

    outputs: list[Array] | None
    grads: list[Array]
    jacobians: list[np.ndarray] | None
    second: list[list[Array | None]] | None
    relative: float
    views: bool | None = None
    dtypes: list[str] | None = None
    second_other: list[list[Array | None]] | None = None
    due: dict[str, list[Array]] = field(default_factory=dict)
    noise: tuple[float, ...] = ()
    second_noise: float = 0.0
    reason: str = ""

    def exact(self, place: int) -> float:
        """How exact the right gradient of a differentiable input is."""
        return max(self.relative, self.noise[place] if place < len(self.noise) else 0.0)


def from_reference(trial: Trial | None) -> Expectation | None:
    """Read what a reference gave; None if it did not run, so that nothing is to be expected."""
    if trial is None or trial.raised or trial.grads is None:
        return None
    jacobians = trial.jacobian
    wanted = [trial.inputs[place] for place in trial.wanted]
    return Expectation(
        outputs=[read_array(out) for out in trial.outputs],
        grads=[read_gradient(grad, about) for grad, about in zip(trial.grads, wanted, strict=True)],
        jacobians=[read_array(j).values for j in jacobians] if jacobians else None,
        second=blocks(trial.tracked),
        relative=_relative(trial, EXACT),
        views=bool(trial.shares),
        dtypes=[out.dtype for out in trial.outputs],
        second_other=blocks(trial.second and trial.second.other_incoming),
    )


def from_intent(trial: Trial | None, forward: Expectation | None) -> Expectation | None:
    """Read what the backward is meant to return; the outputs are those of `forward`, if given."""
    backward = from_reference(trial)
    if backward is None:
        return None
    wanted = [trial.inputs[place] for place in trial.wanted]
    due = {
        name: [read_gradient(*pair) for pair in zip(probe.grads, wanted, strict=True)]
        for name, probe in trial.probes.items()
        if probe.grads is not None
    }
    return replace(
        backward,
        outputs=forward and forward.outputs,
        views=forward and forward.views,
        dtypes=forward and forward.dtypes,
        due=due,
    )


def from_differences(trial: Trial, instead: Trial | None = None) -> Expectation | None:
    """Make the right gradients from the finite differences of an answer's own forward.

    A gradient that agrees with them was not measured number by number, and is taken as it is.
    `instead` is the trial whose Jacobians are taken in place of the trial's own.
    """
    slopes = instead or trial
    if trial.grad_outputs is None:
        return None
    numerical = [read_array(j) for j in slopes.numerical or []]
    wanted = [trial.inputs[place] for place in trial.wanted]
    if len(numerical) != len(wanted):
        return None
    flat = flatten(map(read_array, trial.grad_outputs))
    grads = [
        Array((matrix.values.T @ flat).reshape(about.shape), about.dtype)
        if matrix
        else read_gradient(trial.grads[place], about)
        for place, (matrix, about) in enumerate(zip(numerical, wanted, strict=True))
    ]
    second = trial.second or Second()
    return Expectation(
        outputs=None,
        grads=grads,
        jacobians=[matrix.values for matrix in numerical] if all(numerical) else None,
        second=_rows(second.numerical),
        relative=_relative(trial, DIFFERENCES),
        second_other=_rows(second.numerical_other_incoming),
        noise=tuple(slopes.noise),
        second_noise=second.noise,
        reason=slopes.noise_from or second.noise_from,
    )


def _rows(rows: list[Values] | None) -> list[list[Array | None]] | None:
    return [[read_array(item) for item in row] for row in rows] if rows else None


def blocks(run: SecondRun | None) -> list[list[Array | None]] | None:
    """Return, per gradient, its derivatives for all inputs and then all incoming gradients."""
    if run is None or run.for_inputs is None:
        return None
    return [
        [read_array(item) for item in [*inputs, *grads]]
        for inputs, grads in zip(run.for_inputs, run.for_grad_output, strict=True)
    ]


def flatten(arrays: Iterable[Array | None]) -> np.ndarray:
    """Return the numbers of several arrays as one row."""
    parts = (array.values.reshape(-1) for array in arrays if array is not None)
    return np.concatenate([np.zeros(0), *parts])


def rows_of(tensors: Iterable[Value]) -> list[slice]:
    """Return where in such a row the numbers of each tensor stand."""
    ends = np.cumsum([0, *(int(np.prod(about.shape)) for about in tensors)])
    return [slice(*ends_of) for ends_of in pairwise(ends)]


def _relative(trial: Trial, relative: float) -> float:
    return exact_in((about.dtype for about in trial.inputs), relative)
