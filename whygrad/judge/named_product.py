"""Say of a matrix what it is made of: one of the known tensors, or a product of two."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import numpy as np

from whygrad.judge.arrays import close
from whygrad.verdict import Finding

OUTPUT = "y"  # as the result of forward is called

_NEAR = 1e-5


def made_of(matrix: np.ndarray, known: Mapping[str, np.ndarray]) -> tuple[str, ...]:
    """Return what a matrix is: a name, or the two factors of a product; empty if nothing fits.

    >>> x = np.array([[1.0, 2.0, 4.0], [3.0, 5.0, 9.0]])
    >>> made_of(x.T @ x, {"x": x})
    ('x.T', 'x')
    """
    if matrix.ndim != 2 or min(matrix.shape) < 2:
        return ()  # a few numbers could be anything
    found = [*_matrices(known)]
    for name, numbers in found:
        if close(matrix, numbers, _NEAR):
            return (name,)
    for (one, left), (other, right) in product(found, repeat=2):
        fits = left.shape[1] == right.shape[0]
        if fits and close(matrix, left @ right, _NEAR):
            return one, other
    return ()


def _matrices(known: Mapping[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    for name, numbers in known.items():
        if numbers.ndim == 2:
            yield name, numbers
            yield f"{name}.T", numbers.T


def made_words(finding: Finding, made: tuple[str, ...], incoming: list[str]) -> Finding:
    """Return the finding on a gradient that is made of these factors, with what is wrong in them.

    >>> made_words(Finding("wrong-shape", "x"), ("W.T",), ["grad_y"]).why[:39]
    'What came back is `W.T` alone, without '
    """
    factors = {name.removesuffix(".T") for name in made}
    wanting = "" if factors & {*incoming} else f", without {' and '.join(incoming)}"
    if len(made) == 1:
        why = f"What came back is `{made[0]}` alone{wanting}."
    else:
        why = f"What came back is `{' @ '.join(made)}`{wanting}."
    look = "Write the shape of each factor below it, and beside them the shape that is due."
    if OUTPUT in factors:
        why = f"{why[:-1]}, where {OUTPUT} is what forward returns."
        look = "Which tensor does the formula of this gradient need? Compare it with what is saved."
    elif wanting:
        look = "Each gradient is a product with the incoming one: look where it is lost."
    return replace(finding, why=why, look=look)
