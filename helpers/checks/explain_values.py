"""Name the mistake behind a wrong gradient that a plain function returned."""

from typing import Any

import numpy as np

from helpers.checks.values import as_array, compare
from whygrad.judge.arrays import close
from whygrad.judge.gradient_case import lengths
from whygrad.rounding import short
from whygrad.verdict import Finding

_NEAR = 1e-3
_MOVED = "All numbers are right, and they stand in other places."
_COUNTED = (
    "Print your result below the one that is due. `reshape` and `view(-1)` count elements row by "
    "row: take the shape itself, with its sizes in their order, and no `.T`."
)


def explain(
    name: str, mine: Any, due: Any, all_due: dict[str, Any], inputs: list[Any]
) -> list[Finding]:
    """Return the mistakes that would give this value, likeliest first.

    Args:
        name: of the value, such as "grad_w".
        mine, due: the value, and the right one.
        all_due: all the right values, by name.
        inputs: what is known of the inputs.
    """
    yours, right = as_array(mine), as_array(due)
    gradient = name.startswith("grad")
    if not gradient or right is None:
        return [Finding("wrong-gradient" if gradient else "wrong-forward", name)]
    about = name.removeprefix("grad_")
    if compare(name, mine, due).where == "dtype":
        return [Finding("wrong-dtype", name)]
    if isinstance(mine, list) and isinstance(due, dict) and (yours is None or not right.shape):
        return (
            [_list(about, mine, list(right.shape))]
            if mine
            else [Finding("missing-gradient", about)]
        )
    if yours is None or (not yours.values.any() and right.values.any()):
        return [Finding("missing-gradient", about)]
    for other, value in all_due.items():
        array = as_array(value)
        if other != name and array is not None and close(yours.values, array.values, 1e-5):
            return [Finding("swapped-gradients", f"{about} and {other.removeprefix('grad_')}")]
    if yours.values.ndim == 2 and close(yours.values.T, right.values, 1e-5):
        return [Finding("transposed", about)]
    if yours.shape != right.shape:
        for axis in range(yours.values.ndim):
            for summed in (yours.values.sum(axis=axis), yours.values.mean(axis=axis)):
                larger = yours.values.size > right.values.size
                if larger and close(np.squeeze(summed), np.squeeze(right.values), 1e-5):
                    return [Finding("not-summed", about)]
        if isinstance(mine, list) and isinstance(due, dict):
            return [_list(about, mine, list(right.shape))]
        return [Finding("wrong-shape", about)]
    if right.values.size > 2 and close(
        *(np.sort(a.values, axis=None) for a in (yours, right)), 1e-5
    ):
        return [Finding("wrong-gradient", about, why=_MOVED, look=_COUNTED)]
    found = _multiple(about, yours.values, right.values, _lengths(inputs))
    return found or [Finding("wrong-gradient", about)]


def _list(about: str, mine: list, shape: list[int]) -> Finding:
    why = f"A list of {len(mine)} came back, and a tensor of the shape {shape} is due."
    look = (
        "Make one tensor of the list: `torch.stack` puts tensors together, `torch.tensor` plain "
        "numbers. Then `reshape` gives it the shape."
    )
    return Finding("wrong-shape", about, why=why, look=look)


def _multiple(about: str, yours: np.ndarray, right: np.ndarray, sizes: set[int]) -> list[Finding]:
    factor = _factor(yours, right)
    if not factor:
        return []
    if abs(factor + 1) < 1e-4:
        return [Finding("wrong-sign", about)]
    sizes = sizes | {*yours.shape, yours.size} - {1}
    ratio = [n for n in sizes if min(abs(abs(factor) * n - 1), abs(abs(factor) / n - 1)) < 1e-4]
    detail = f"It is {short(factor)} times the right one."
    wrong_factor = Finding("wrong-factor", about, detail)
    mean = Finding("sum-or-mean", about, detail)
    if 2 in ratio:
        return [wrong_factor, mean]  # a 2 is mostly one of the formula
    return [mean] if ratio else [wrong_factor]


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
    return factor if abs(factor) > 1e-6 and close(yours, factor * right, 1e-5) else 0.0


def _lengths(inputs: list[Any]) -> set[int]:
    shapes = [about["shape"] for about in inputs if "shape" in about]
    return set(lengths(shapes).values()) - {0, 1}
