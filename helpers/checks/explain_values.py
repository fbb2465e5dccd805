"""Name the mistake behind a wrong gradient that a plain function returned."""

from typing import Any

import numpy as np

from helpers.checks.values import as_array, compare
from whygrad.judge.arrays import Array, close
from whygrad.judge.gradient_case import lengths
from whygrad.rounding import times
from whygrad.verdict import Finding

_NEAR = 1e-3
_MOVED = "All numbers are right, and they stand in other places."
_COUNTED = (
    "Print your result below the one that is due. `reshape` and `view(-1)` count elements row by "
    "row: take the shape itself, with its sizes in their order, and no `.T`."
)

Elsewhere = list[tuple[Any, Any, list[Any]]]  # of other trials: a value, the right one, the inputs


def explain(
    name: str,
    mine: Any,
    due: Any,
    all_due: dict[str, Any],
    inputs: list[Any],
    elsewhere: Elsewhere,
) -> list[Finding]:
    """Return the mistakes that would give this value, likeliest first.

    Args:
        name: of the value, such as "grad_w".
        mine, due: the value, and the right one.
        all_due: all the right values, by name.
        inputs: what is known of the inputs.
        elsewhere: the same value in other trials.
    """
    yours, right = as_array(mine), as_array(due)
    gradient = name.startswith("grad")
    comparable = not gradient and yours is not None and right is not None
    if comparable and (other := _swapped(yours, all_due, name)):
        why = f"What stands in the place of {name} is the right {other}."
        look = "Read the `return` line beside the sentence of the task that says what comes first."
        return [Finding("wrong-forward", name, "", why, look)]
    if not gradient or right is None:
        same = comparable and yours.values.size > 1 and yours.shape == right.shape
        factor = _factor(yours.values, right.values) if same else 0.0
        detail = times(factor) if factor else ""
        return [Finding("wrong-gradient" if gradient else "wrong-forward", name, detail)]
    about = name.removeprefix("grad_")
    if compare(name, mine, due).where == "dtype":
        return [Finding("wrong-dtype", name)]
    if isinstance(mine, list) and isinstance(due, dict) and (yours is None or not right.shape):
        return (
            [_list(about, mine, list(right.shape))]
            if mine
            else [Finding("missing-gradient", about)]
        )
    if isinstance(mine, dict) and "type" in mine:
        return [_no_tensor(about, mine["type"])]
    if yours is None or (not yours.values.any() and right.values.any()):
        return [Finding("missing-gradient", about)]
    gradients = {one: value for one, value in all_due.items() if one.startswith("grad")}
    if other := _swapped(yours, gradients, name):
        return [Finding("swapped-gradients", f"{about} and {other.removeprefix('grad_')}")]
    if yours.values.ndim == 2 and close(yours.values.T, right.values, 1e-5):
        return [Finding("transposed", about)]
    if yours.shape != right.shape:
        if close(np.squeeze(yours.values), np.squeeze(right.values), 1e-5):
            return [_with_ones(about, yours.values.ndim > right.values.ndim)]
        for axis in range(yours.values.ndim):
            for summed in (yours.values.sum(axis=axis), yours.values.mean(axis=axis)):
                larger = yours.values.size > right.values.size
                if larger and close(np.squeeze(summed), np.squeeze(right.values), 1e-5):
                    return [Finding("not-summed", about)]
        if isinstance(mine, list) and isinstance(due, dict):
            return [_list(about, mine, list(right.shape))]
        return [_other_shape(about, yours, right)]
    if right.values.size > 2 and close(
        *(np.sort(a.values, axis=None) for a in (yours, right)), 1e-5
    ):
        return [Finding("wrong-gradient", about, why=_MOVED, look=_COUNTED)]
    found = _multiple(about, [(mine, due, inputs), *elsewhere])
    return found or [Finding("wrong-gradient", about)]


def _other_shape(about: str, yours: Array, right: Array) -> Finding:
    """Other numbers, or the right ones in a shape that no sum explains."""
    count = right.values.size
    if close(yours.values.reshape(-1), right.values.reshape(-1), 1e-5):
        why = "Its numbers are right: the elements were counted in a row, and left so."
        look = f"Give the result the shape of {about}: `reshape` does."
        return Finding("wrong-shape", about, "", why, look)
    if count > 1 and yours.shape[:1] == (count,) and yours.values.size > count:
        why = (
            f"For each of the {count} elements of {about} it has numbers of the shape "
            f"{list(yours.shape[1:])}, and one number is due for each."
        )
        look = "Look where these numbers become one: which sum does the formula of the task have?"
        return Finding("wrong-shape", about, "", why, look)
    if count > 1 and yours.shape[-1:] == (count,) and yours.values.size > count:
        why = (
            f"The last dimension counts the {count} elements of {about}; a sum over the rest is "
            "due."
        )
        look = "Multiply by grad_y along the dimensions that belong to y, and sum over them."
        return Finding("wrong-shape", about, "", why, look)
    return Finding("wrong-shape", about)


def _no_tensor(about: str, kind: str) -> Finding:
    why = f"What came back is an object of the type `{kind}`, and a tensor is due."
    look = "Hand over a plain function, by `def`, whose `return` gives the tensor."
    return Finding("wrong-gradient", about, why=why, look=look)


def _list(about: str, mine: list, shape: list[int]) -> Finding:
    if mine[-1] is None:
        why = f"{len(mine)} values came back, with None among them, and one tensor is due."
        look = (
            "Leave the None out of `return`. It belongs to the `backward` of a Function, which "
            "returns something for each input."
        )
        return Finding("wrong-shape", about, why=why, look=look)
    why = f"A list of {len(mine)} came back, and a tensor of the shape {shape} is due."
    look = (
        "Make one tensor of the list: `torch.stack` puts tensors together, `torch.tensor` plain "
        "numbers. Then `reshape` gives it the shape."
    )
    return Finding("wrong-shape", about, why=why, look=look)


def _swapped(yours: Array, all_due: dict[str, Any], name: str) -> str:
    """Return the name of the value that stands in the place of this one; "" if none does."""
    for other, value in all_due.items():
        array = as_array(value)
        if other != name and array is not None and close(yours.values, array.values, 1e-5):
            return other
    return ""


def _with_ones(about: str, left_over: bool) -> Finding:
    """The right numbers in a shape that has dimensions of length 1 too many or too few."""
    if not left_over:
        return Finding("wrong-shape", about)
    why = "Its numbers are right, and a dimension of length 1 is left over."
    look = "Print the shape of each value on the way to it, and look where this dimension comes in."
    return Finding("wrong-shape", about, "", why, look)


def _multiple(about: str, trials: Elsewhere) -> list[Finding]:
    """Explain a multiple of the right one; of a single number, only several trials tell that."""
    tried = []
    for mine, due, inputs in trials:
        yours, right = as_array(mine), as_array(due)
        if yours is None or right is None or yours.shape != right.shape:
            return []
        factor = _factor(yours.values, right.values)
        tried.append((factor, _lengths(inputs) | {*right.shape, right.values.size} - {1}))
    if not all(factor for factor, _ in tried):
        return []
    factor = tried[0][0]
    constant = all(abs(other - factor) < _NEAR * abs(factor) for other, _ in tried)
    if constant and abs(factor + 1) < 1e-4:
        return [Finding("wrong-sign", about)]
    ratio = _is_size(*tried[0]) and all(_is_size(one, {*sizes, 1}) for one, sizes in tried)
    detail = times(factor)
    if constant and (not ratio or _is_size(factor, {2})):
        return [Finding("wrong-factor", about, detail)]  # a 2 is mostly one of the formula
    return [Finding("sum-or-mean", about, detail)] if ratio else []


def _is_size(factor: float, sizes: set[int]) -> bool:
    size = abs(factor)
    return any(min(abs(size * n - 1), abs(size / n - 1)) < 1e-4 for n in sizes)


def divided_by(trials: list[tuple[Any, Any, int]]) -> float:
    """Return the number that stands where the size of the batch is due; 0 if none does.

    Args:
        trials: for each size of the batch, a gradient, the right one, and that size.
    """
    found = []
    for mine, due, size in trials:
        yours, right = as_array(mine), as_array(due)
        if yours is None or right is None or yours.shape != right.shape:
            return 0.0
        factor = _factor(yours.values, right.values)
        found.append(size / factor if factor else 0.0)
    alike = len(found) > 1 and max(found) - min(found) <= _NEAR * abs(max(found))
    several = len({size for _, _, size in trials}) > 1
    return found[0] if alike and several and abs(found[0] - 1) > _NEAR else 0.0


def _factor(yours: np.ndarray, right: np.ndarray) -> float:
    """Return by how much one array is a multiple of the other; 0 if it is none."""
    norm = float((right * right).sum())
    factor = float((yours * right).sum()) / norm if norm else 0.0
    return factor if abs(factor) > 1e-6 and close(yours, factor * right, 1e-4) else 0.0


def _lengths(inputs: list[Any]) -> set[int]:
    shapes = [about.shape for about in inputs if about.shape is not None]
    return set(lengths(shapes).values()) - {0, 1}
