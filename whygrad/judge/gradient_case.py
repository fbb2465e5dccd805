"""One gradient with all that was tried on it, ready to be held against known mistakes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from whygrad.evidence import Trial, Value
from whygrad.evidence.value import Backward
from whygrad.judge.arrays import (
    close,
    exact_in,
    has_gradient,
    is_complex,
    plain_shape,
    read_array,
)
from whygrad.judge.expectation import Expectation, flatten

LOOKED_AT = ("first", "second", "ones")  # incoming gradients to hold a guess against


@dataclass(frozen=True)
class GradientCase:
    """One gradient that is wrong, with what was tried.

    Attributes:
        about: the input's name.
        place: its place among the differentiable inputs.
        shape: its shape.
        sizes: what a mean could have divided by, as `lengths` lists it.
        elsewhere: of other trials, the factor between gradient and right gradient, `sizes`, and
            whether the inputs have the same sizes as here.
        out_shape: the shape of the output, if there is one only.
        jacobian: the right one, (elements of outputs, elements of the input).
        incoming: the incoming gradients tried, by name, each as one row.
        found: the gradients that came back, by name, each as one row; None stays None.
        rows: the gradients for unit vectors, as a matrix like `jacobian`; None if they were not
            measured, are not of its shape, or do not tell what comes back for other incoming
            gradients, as where these are bent.
        relative: how exact the right numbers are.
        due: the right gradients for these incoming ones, each as one row, where they were
            measured; the Jacobian gives the others.
        mirror: what makes the conjugate of the gradient: -1 for each imaginary part, otherwise 1.
        mirror_out: the same for the numbers of all outputs.
    """

    about: str
    place: int
    shape: tuple[int, ...]
    sizes: dict[str, int]
    elsewhere: tuple[tuple[float, dict[str, int], bool], ...]
    out_shape: tuple[int, ...] | None
    jacobian: np.ndarray
    incoming: dict[str, np.ndarray]
    found: dict[str, np.ndarray | None]
    rows: np.ndarray | None
    relative: float
    due: dict[str, np.ndarray]
    mirror: np.ndarray
    mirror_out: np.ndarray

    @property
    def linear(self) -> bool:
        """Whether the right gradient is linear in the incoming one, as far as was tried."""
        return all(close(row, self.jacobian.T @ self.incoming[n]) for n, row in self.due.items())

    @property
    def elementwise(self) -> bool:
        """Whether each element of the output depends on its own element of the input alone."""
        slopes = self.slopes
        same = self.out_shape == self.shape and slopes.shape[0] == slopes.shape[1]
        return same and not (slopes - np.diag(np.diag(slopes))).any()

    @property
    def slopes(self) -> np.ndarray:
        """The right Jacobian, with 0 for what nobody knows."""
        return np.nan_to_num(self.jacobian)

    @property
    def used(self) -> np.ndarray:
        """Which element of the output depends on which one of the input."""
        return np.abs(self.slopes) > 1e-9

    @property
    def is_summed(self) -> bool:
        """Whether an element of the input is used for several of the output."""
        return bool(self.used.sum(axis=0).max(initial=0) > 1)

    @property
    def own(self) -> np.ndarray | None:
        """For each element of the output, which one of the input broadcasts to it, if one does."""
        if self.out_shape is None:
            return None
        numbers = np.arange(self.jacobian.shape[1])
        try:
            owner = np.broadcast_to(numbers.reshape(self.shape), self.out_shape)
        except ValueError:
            return None
        return owner.reshape(-1, 1) == numbers

    @property
    def is_nothing(self) -> bool:
        """Whether all that came back is None or zeros."""
        return not any(found is not None and found.any() for found in self.found.values())

    @property
    def is_constant(self) -> bool:
        """Whether the same came back for every incoming gradient."""
        first, others = self.found["first"], ("second", "large", "small", "zeros")
        return first is not None and all(close(self.found[name], first) for name in others)

    def right(self, name: str) -> np.ndarray:
        """The right gradient for one of the incoming gradients."""
        if name in self.due:
            return self.due[name]
        return self.jacobian.T @ self.incoming[name]

    def laid(self, name: str, *, due: bool = False) -> np.ndarray | None:
        """What came back, or is due, in the input's shape; None if it has other numbers or none."""
        row = self.right(name) if due else self.found[name]
        fits = row is not None and row.size == np.prod(self.shape)
        return row.reshape(self.shape) if fits else None

    def without_conjugate(self, name: str) -> np.ndarray:
        """The gradient if the factors beside the incoming one were not conjugated."""
        return self.mirror * (self.jacobian.T @ (self.mirror_out * self.incoming[name]))

    def fits(self, name: str, guess: np.ndarray) -> bool:
        """Tell whether a guess is what came back for one of the incoming gradients."""
        if np.isnan(guess).sum() > np.isnan(self.right(name)).sum():
            return False  # what nobody knows would fit anything
        # Terms that cancel leave the rounding of each behind.
        terms = np.abs(self.slopes).T @ np.abs(self.incoming[name])
        return close(self.found[name], guess, self.relative, float(terms.max(initial=0.0)))

    def fits_all(self, guess: Callable[[str], np.ndarray]) -> bool:
        """Return whether a guess, made for a name, fits each incoming gradient to look at."""
        return all(self.fits(name, guess(name)) for name in LOOKED_AT)


def cases(
    trial: Trial,
    expected: Expectation,
    names: list[str],
    elsewhere: list[tuple[Trial, Expectation]],
) -> list[GradientCase]:
    """Return a case for each differentiable input; empty if no Jacobian is known.

    `elsewhere` holds trials with inputs of other sizes, and what is right there.
    """
    if expected.jacobians is None:
        return []
    # Where backward raised there are no probes, but what it returned was noted.
    probes = trial.probes or {"first": Backward(grad_outputs=trial.grad_outputs)}
    incoming = {
        name: flatten(map(read_array, probe.grad_outputs)) for name, probe in probes.items()
    }
    floats = [*filter(has_gradient, trial.outputs)]
    made = []
    for place, where in enumerate(trial.wanted):
        about = trial.inputs[where]
        jacobian = expected.jacobians[place]
        found = {name: _found(probe, place) for name, probe in probes.items()}
        made.append(
            GradientCase(
                about=names[where],
                place=place,
                shape=tuple(about.shape),
                sizes=_lengths(trial, place),
                elsewhere=tuple(_elsewhere(elsewhere, place)),
                out_shape=read_array(floats[0]).shape if len(floats) == 1 else None,
                jacobian=jacobian,
                incoming=incoming,
                found=found,
                rows=_rows(trial, place, jacobian.shape, incoming, found),
                relative=expected.exact(place),
                due={name: due[place].values.reshape(-1) for name, due in expected.due.items()},
                mirror=_mirror([about]),
                mirror_out=_mirror(floats),
            )
        )
    return made


def _elsewhere(
    trials: list[tuple[Trial, Expectation]], place: int
) -> Iterator[tuple[float, dict[str, int], bool]]:
    for trial, expected in trials:
        right = expected.grads[place]
        exact = expected.exact(place)
        factor = ratio(_found(trial, place), right.values.reshape(-1), exact)
        if factor is not None:
            yield factor, _lengths(trial, place), trial.law != "fixed-size"


def _lengths(trial: Trial, place: int) -> dict[str, int]:
    """List those of outputs and of an input, also where only directions were looked at."""
    every = [*filter(has_gradient, trial.outputs), trial.inputs[trial.wanted[place]]]
    return lengths(
        [tuple(plain_shape(about) if about.whole is None else about.whole) for about in every]
    )


def _mirror(parts: list[Value]) -> np.ndarray:
    signs = [
        -1.0 if place % 2 and is_complex(about.dtype) else 1.0
        for about in parts
        for place in range(int(np.prod(about.shape)))
    ]
    return np.array(signs)


def _found(probe: Backward | Trial, place: int) -> np.ndarray | None:
    grad = read_array(probe.grads[place]) if probe.grads else None
    return None if grad is None else grad.values.reshape(-1)


def _rows(
    trial: Trial,
    place: int,
    shape: tuple[int, ...],
    incoming: dict[str, np.ndarray],
    found: dict[str, np.ndarray | None],
) -> np.ndarray | None:
    rows = read_array(trial.jacobian[place]) if trial.jacobian else None
    if rows is None or rows.shape != shape:
        return None
    exact = max(1e-4, exact_in([trial.inputs[trial.wanted[place]].dtype]))
    follow = (n in found and close(found[n], rows.values.T @ incoming[n], exact) for n in LOOKED_AT)
    return rows.values if all(follow) else None


def is_right(case: GradientCase) -> bool:
    """Tell whether the gradient is right for every incoming gradient that was tried."""
    return all(case.fits(name, case.right(name)) or _is_zero(case, name) for name in case.incoming)


def _is_zero(case: GradientCase, name: str) -> bool:
    # None is a way to say zero.
    return case.found[name] is None and not np.any(np.abs(case.right(name)) > 1e-9)


def ratio(found: np.ndarray | None, right: np.ndarray, relative: float = 0.0) -> float | None:
    """Return the factor between a gradient and the right one, as far as there is one.

    `relative` is how exact the right one is.
    """
    if found is None or found.shape != right.shape:
        return None
    known = np.isfinite(right)
    found, right = found[known], right[known]
    if not right.any():
        return None
    factor = float(found @ right / (right @ right))
    if not close(found, factor * right, max(1e-4, relative)):
        return None
    return factor if np.isfinite(factor) and abs(factor) > 1e-6 else None


def lengths(shapes: list[tuple[int, ...]]) -> dict[str, int]:
    """List what a mean may have divided by: of each tensor its elements, and some of its axes."""
    found = {}
    for number, shape in enumerate(shapes):
        found[f"{number} all"] = int(np.prod(shape))
        for count in range(1, len(shape)):
            for axes in combinations(range(len(shape)), count):
                found[f"{number} {axes}"] = int(np.prod([shape[axis] for axis in axes]))
    return found
