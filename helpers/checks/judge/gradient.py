"""Explain a wrong gradient: hold it against what each known mistake would have given."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np

from helpers.checks.data import Finding
from helpers.checks.judge.expectation import Expectation, flatten
from helpers.checks.judge.numbers import close, read
from helpers.numbers import short

_FEW_LEVELS = 3  # slopes of a function that is piecewise linear


@dataclass(frozen=True)
class Case:
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
        rows: the gradients for unit vectors, as a matrix like `jacobian`, or None.
        relative: how exact the right numbers are.
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

    def right(self, name: str) -> np.ndarray:
        """The right gradient for one of the incoming gradients."""
        return self.jacobian.T @ self.incoming[name]

    def fits(self, name: str, guess: np.ndarray) -> bool:
        """Tell whether a guess is what came back for one of the incoming gradients."""
        # Terms that cancel leave the rounding of each behind.
        terms = np.abs(np.nan_to_num(self.jacobian)).T @ np.abs(self.incoming[name])
        return close(self.found[name], guess, self.relative, float(terms.max(initial=0.0)))


def cases(
    trial: dict[str, Any],
    expected: Expectation,
    names: list[str],
    elsewhere: list[tuple[dict[str, Any], Expectation]],
) -> list[Case]:
    """Return a case for each differentiable input; empty if no Jacobian is known.

    Args:
        trial: what was measured closely.
        expected: what is right there.
        names: of the inputs.
        elsewhere: trials with inputs of other sizes, and what is right there.
    """
    if expected.jacobians is None:
        return []
    # Where backward raised there are no probes, but what it returned was noted.
    once = {"grad_outputs": trial["grad_outputs"], "grads": None}
    probes = trial.get("probes") or {"first": once}
    incoming = {
        name: flatten([read(g) for g in probe["grad_outputs"]]) for name, probe in probes.items()
    }
    outs = [read(out) for out in trial["outputs"] if "float" in out["dtype"]]
    made = []
    for place, where in enumerate(trial["wanted"]):
        shape = tuple(trial["inputs"][where]["shape"])
        rows = trial.get("jacobian")
        made.append(
            Case(
                about=names[where],
                place=place,
                shape=shape,
                sizes=lengths([*(out.shape for out in outs), shape]),
                elsewhere=tuple(_elsewhere(elsewhere, place)),
                out_shape=outs[0].shape if len(outs) == 1 else None,
                jacobian=expected.jacobians[place],
                incoming=incoming,
                found={name: _found(probe, place) for name, probe in probes.items()},
                rows=read(rows[place]).values if rows else None,
                relative=expected.relative,
            )
        )
    return made


def _elsewhere(
    trials: list[tuple[dict[str, Any], Expectation]], place: int
) -> Iterator[tuple[float, dict[str, int], bool]]:
    for trial, expected in trials:
        right, found = expected.grads[place], _found(trial, place)
        factor = None if right is None else ratio(found, right.values.reshape(-1))
        if factor is not None:
            outs = [tuple(out["shape"]) for out in trial["outputs"] if "float" in out["dtype"]]
            yield factor, lengths([*outs, right.shape]), trial["law"] != "fixed-size"


def _found(probe: dict[str, Any], place: int) -> np.ndarray | None:
    grad = read(probe["grads"][place]) if probe["grads"] else None
    return None if grad is None else grad.values.reshape(-1)


def is_right(case: Case) -> bool:
    """Tell whether the gradient is right for every incoming gradient that was tried."""
    return all(case.fits(name, case.right(name)) or _is_zero(case, name) for name in case.incoming)


def _is_zero(case: Case, name: str) -> bool:
    # None is a way to say zero.
    return case.found[name] is None and not np.any(np.abs(case.right(name)) > 1e-9)


def explain(case: Case, others: list[Case]) -> list[Finding]:
    """Name the mistakes that give just this wrong gradient, likeliest first."""
    for law in (_missing, _not_numbers, _ignored, _masked, _bent, _swapped, _proportional):
        found = list(law(case, others))
        if found:
            return found
    found = list(_rearranged(case))
    return found or [Finding("wrong-gradient", case.about)]


def _missing(case: Case, others: list[Case]) -> Iterator[Finding]:
    if all(found is None or not found.any() for found in case.found.values()):
        none = all(found is None for found in case.found.values())
        yield Finding(
            "missing-gradient", case.about, "It is None." if none else "It is zero everywhere."
        )


def _not_numbers(case: Case, others: list[Case]) -> Iterator[Finding]:
    tried = [case.found[name] for name in ("first", "second", "ones")]
    if any(found is not None and not np.isfinite(found).all() for found in tried):
        yield Finding("wrong-gradient", case.about, "It holds numbers that are not finite.")


def _ignored(case: Case, others: list[Case]) -> Iterator[Finding]:
    first = case.found["first"]
    same = all(close(case.found[name], first) for name in ("second", "large", "zeros"))
    if first is not None and same:
        yield Finding(
            "grad-output-ignored",
            case.about,
            "It is the same for every incoming gradient.",
        )


def _masked(case: Case, others: list[Case]) -> Iterator[Finding]:
    """Element by element, a slope of the function, but that of another piece."""
    slopes = _diagonal(case.jacobian)
    if slopes is None:
        yield from list(_masked_sum(case)) or _wrong_choice(case)
        return
    if _turned(case, slopes):
        yield Finding("wrong-mask", case.about)
        return
    levels = _levels(slopes)
    zero = np.abs(slopes) < 1e-9
    if levels is None and not (zero.any() and not zero.all()):
        return
    used = set()
    for name in ("first", "second", "negative", "ones"):
        found, incoming = case.found[name], case.incoming[name]
        if found is None:
            return
        for mine, given, slope in zip(found, incoming, slopes, strict=True):
            piece = _piece(mine, given, slope, levels, case.relative)
            if piece is None:
                return
            used.add(piece)
    if "another" in used:
        yield Finding("wrong-mask", case.about)


def _turned(case: Case, slopes: np.ndarray) -> bool:
    """Tell whether one of the slopes stands just where it should not: a condition reversed."""
    if case.rows is None or case.rows.shape != case.jacobian.shape:
        return False
    mine = _diagonal(case.rows)
    values, counts = np.unique(np.round(np.nan_to_num(slopes), 5), return_counts=True)
    if mine is None or counts.max(initial=0) < 2 or len(values) < 2:
        return False
    usual = values[counts.argmax()]
    here, there = np.abs(mine - usual) < 1e-4, np.abs(slopes - usual) < 1e-4
    return bool(np.all(here != there) and not np.allclose(mine, -slopes))


def _masked_sum(case: Case) -> Iterator[Finding]:
    """The same for an input that broadcasts: each element of the output belongs to one of it."""
    if case.rows is None or case.rows.shape != case.jacobian.shape or case.out_shape is None:
        return
    numbers = np.arange(case.jacobian.shape[1]).reshape(case.shape)
    try:
        owner = np.broadcast_to(numbers, case.out_shape).reshape(-1)
    except ValueError:
        return
    own = owner[:, None] == np.arange(case.jacobian.shape[1])
    mine, right = case.rows, np.nan_to_num(case.jacobian)
    limit = 1e-5 * max(float(np.abs(right).max(initial=0.0)), 1e-3)
    if np.abs(mine[~own]).max(initial=0.0) > limit or np.abs(right[~own]).max(initial=0.0) > limit:
        return
    mine, right = mine[own], right[own]
    shut = np.abs(right) < 1e-9
    other = np.abs(mine - right) > limit
    one_is_zero = shut | (np.abs(mine) < 1e-9)
    if shut.any() and not shut.all() and (other & shut).any() and one_is_zero[other].all():
        yield Finding("wrong-mask", case.about)


def _wrong_choice(case: Case) -> Iterator[Finding]:
    """The same for a function that chooses some of its inputs, as a maximum does."""
    if case.rows is None or case.rows.shape != case.jacobian.shape:
        return
    right, mine = np.nan_to_num(case.jacobian), case.rows
    shut = ~(np.abs(right) > 1e-9).any(axis=0)
    levels = {round(float(number), 5) for number in np.unique(right)}
    chosen = levels - {0.0}
    if not shut.any() or len(chosen) != 1 or np.allclose(right, mine, atol=1e-6):
        return
    level = chosen.pop()
    if mine.any() and np.all((np.abs(mine) < 1e-6) | (np.abs(mine - level) < 1e-5)):
        yield Finding("wrong-mask", case.about)


def _piece(
    mine: float, given: float, slope: float, levels: list[float] | None, relative: float
) -> str | None:
    if np.isnan(slope):
        return "right"  # a kink: nobody knows
    limit = max(relative * abs(given) * 10, 1e-9)
    if abs(mine - slope * given) <= limit:
        return "right"
    if levels is not None:
        others = [level for level in levels if abs(level + slope) > 1e-9]  # not just its negative
        return "another" if any(abs(mine - level * given) <= limit for level in others) else None
    let_through = abs(slope) < 1e-9 and abs(mine) > limit
    return "another" if let_through or abs(mine) <= limit else None


def _diagonal(matrix: np.ndarray) -> np.ndarray | None:
    """The slopes of a function that works element by element, or None."""
    if matrix.shape[0] != matrix.shape[1]:
        return None
    diagonal = np.diag(matrix)
    limit = 1e-6 * max(float(np.abs(diagonal).max(initial=0.0)), 1e-3)
    if np.abs(matrix - np.diag(diagonal)).max(initial=0.0) > limit:
        return None
    return diagonal


def _levels(slopes: np.ndarray) -> list[float] | None:
    """The few slopes of a function that is piecewise linear, or None."""
    levels = sorted({round(float(slope), 5) for slope in slopes if not np.isnan(slope)})
    few = 2 <= len(levels) <= max(_FEW_LEVELS, len(slopes) // 2) and len(slopes) > len(levels) + 1
    return levels if few else None


def _bent(case: Case, others: list[Case]) -> Iterator[Finding]:
    """Not linear: the laws are about what came back, whatever would be right."""
    first, second = case.found["first"], case.found["second"]
    if first is None or second is None:
        return
    held = {
        "of the sum of two incoming gradients is not the sum of their gradients": (
            "sum",
            first + second,
        ),
        "of 1000 times the incoming gradient is not 1000 times as large": ("large", 1000 * first),
        "of a thousandth of the incoming gradient is not a thousandth": ("small", first / 1000),
        "of the negative incoming gradient is not the negative": ("negative", -first),
        "of an incoming gradient of zeros is not zero": ("zeros", 0 * first),
    }
    for words, (name, guess) in held.items():
        found = case.found[name]
        scale = max(np.abs(guess).max(initial=0.0), 1e-3 * np.abs(first).max(initial=0.0), 1e-9)
        if found is None or not np.all(np.abs(found - guess) <= 1e-4 * scale):
            yield Finding("not-linear-in-grad-output", case.about, f"The gradient {words}.")
            return


def _swapped(case: Case, others: list[Case]) -> Iterator[Finding]:
    for other in others:
        if other.place == case.place or other.shape != case.shape:
            continue
        names = ("first", "second", "ones")
        if all(case.fits(n, other.right(n)) and other.fits(n, case.right(n)) for n in names):
            yield Finding("swapped-gradients", f"{case.about} and {other.about}")
            return


def _proportional(case: Case, others: list[Case]) -> Iterator[Finding]:
    right, found = case.right("first"), case.found["first"]
    factor = ratio(found, right)
    if factor is None:
        return
    for name in ("first", "second", "ones"):
        if not close(case.found[name], factor * case.right(name), case.relative * 5):
            return
    here = [other for other, _, same_size in case.elsewhere if same_size]
    if not all(abs(other - factor) < 1e-3 * abs(factor) for other in here):
        return  # not a constant: it depends on the numbers
    if abs(factor + 1) < 1e-4:
        yield Finding("wrong-sign", case.about)
        return
    means = _mean_of(case, factor)
    kind = "divided" if abs(factor) < 1 else "multiplied"
    mean = Finding("sum-or-mean", case.about, f"It is {kind} by {means}.")
    constant = Finding("wrong-factor", case.about, f"It is {short(factor)} times the right one.")
    if not means:
        yield constant
    elif all(abs(other / factor - 1) < 1e-3 for other, _, _ in case.elsewhere):
        # No other size was tried that would tell them apart. A 2 is mostly one of the formula.
        yield from (constant, mean) if means == 2 else (mean, constant)
    else:
        yield mean
    if factor < 0:
        yield Finding("wrong-sign", case.about)


def ratio(found: np.ndarray | None, right: np.ndarray) -> float | None:
    """Return the factor between a gradient and the right one, as far as there is one."""
    if found is None or found.shape != right.shape:
        return None
    known = np.isfinite(right)
    found, right = found[known], right[known]
    if not right.any():
        return None
    factor = float(found @ right / (right @ right))
    if not close(found, factor * right, 1e-4):
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


def _mean_of(case: Case, factor: float) -> int:
    """Return the number of elements that a mean was taken of, or 0 if none fits everywhere."""
    for label, size in case.sizes.items():
        if size > 1 and _is_ratio(abs(factor), size):
            others = [
                _is_ratio(abs(other), sizes[label])
                for other, sizes, same_size in case.elsewhere
                if not same_size and label in sizes
            ]
            if all(others):
                return size
    return 0


def _is_ratio(factor: float, size: int) -> bool:
    return abs(factor * size - 1) < 1e-3 or abs(factor / max(size, 1) - 1) < 1e-3


def _rearranged(case: Case) -> Iterator[Finding]:
    """The right numbers of the right shape, in other places or summed otherwise."""
    found = {name: case.found[name] for name in ("first", "second", "ones")}
    arrays = {name: f.reshape(case.shape) for name, f in found.items() if f is not None}
    if len(arrays) == len(found):
        yield from explain_shape(case, arrays)


def explain_shape(case: Case, arrays: dict[str, np.ndarray]) -> Iterator[Finding]:
    """Explain gradients of any shape, one per incoming gradient tried, by what they sum.

    The right gradient sums, for each element of the input, the contributions of all elements of
    the output; a transposed one has its axes turned, another wrong one sums over other axes.
    """
    if any(_is_turned(case, arrays, order) for order in _orders(len(case.shape))):
        yield Finding("transposed", case.about)
        return
    if case.out_shape is None or not case.jacobian.size:
        return
    right = {name: _squeezed(case.right(name).reshape(case.shape)) for name in arrays}
    if all(close(_squeezed(a), right[name], case.relative) for name, a in arrays.items()):
        yield Finding("wrong-shape", case.about)
        return
    outs = len(case.out_shape)
    due = (np.abs(case.jacobian) > 1e-9).sum(axis=0).max(initial=0) > 1
    for axes in _axes(outs + len(case.shape)):
        if not due and not any(axis < outs for axis in axes):
            continue  # every element has one contribution: none of them can be left unsummed
        for mean in (False, True):
            if all(_sums(case, name, array, axes, mean) for name, array in arrays.items()):
                kind = "sum-or-mean" if mean and _is_right_axes(case, axes) else "not-summed"
                yield Finding(kind, case.about)
                return


def _orders(count: int) -> list[tuple[int, ...]]:
    """All orders of some axes but the usual one."""
    return list(permutations(range(count)))[1:] if count <= 4 else []


def _is_turned(case: Case, arrays: dict[str, np.ndarray], order: tuple[int, ...]) -> bool:
    return all(
        array.ndim == len(order)
        and close(array.transpose(order), case.right(name).reshape(case.shape), case.relative)
        for name, array in arrays.items()
    )


def _axes(count: int) -> Iterator[tuple[int, ...]]:
    if count > 6:
        return
    for size in range(count + 1):
        yield from combinations(range(count), size)


def _is_right_axes(case: Case, axes: tuple[int, ...]) -> bool:
    return axes == tuple(range(len(case.out_shape)))


def _sums(case: Case, name: str, array: np.ndarray, axes: tuple[int, ...], mean: bool) -> bool:
    whole = case.incoming[name][:, None] * case.jacobian
    whole = whole.reshape(*case.out_shape, *case.shape)
    made = whole.sum(axis=axes) if axes else whole
    if mean:
        made = made / np.prod([whole.shape[axis] for axis in axes], initial=1.0)
    made, array = _squeezed(made), _squeezed(array)
    # A sum that was too small for its place is spread over it again.
    if made.ndim < array.ndim:
        try:
            made = np.broadcast_to(made, array.shape)
        except ValueError:
            return False
    terms = float(np.abs(whole).sum(axis=axes).max(initial=0.0)) if axes else 0.0
    return close(array, made, case.relative, terms)


def _squeezed(array: np.ndarray) -> np.ndarray:
    return array.reshape([size for size in array.shape if size != 1])


def with_detail(finding: Finding, detail: str) -> Finding:
    """Return the finding with a detail, if it has none."""
    return finding if finding.detail else replace(finding, detail=detail)
