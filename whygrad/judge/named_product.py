"""Say of a matrix what it is made of: one of the known tensors, or a product of two."""

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from whygrad.judge.arrays import close
from whygrad.judge.gradient_case import GradientCase
from whygrad.verdict import Finding

OUTPUT = "y"  # as the result of forward is called

_NEAR = 1e-5
_SINGLE = "the output"  # as it is called among the numbers of a trial


def made_of(matrix: np.ndarray, known: Mapping[str, np.ndarray]) -> tuple[str, ...]:
    """Return what a matrix is: a name, or the two factors of a product; empty if nothing fits.

    >>> x = np.array([[1.0, 2.0, 4.0], [3.0, 5.0, 9.0]])
    >>> made_of(x.T @ x, {"x": x})
    ('x.T', 'x')
    """
    if matrix.ndim not in (2, 3) or min(matrix.shape[-2:]) < 2:
        return ()  # a few numbers could be anything
    found = [*_matrices(known)]
    for name, numbers in found:
        if close(matrix, numbers, _NEAR):
            return (name,)
    for (one, left), (other, right) in product(found, repeat=2):
        fits = left.shape[-1] == right.shape[-2]
        if fits and close(matrix, _product(left, right), _NEAR):
            return one, other
    return ()


def _matrices(known: Mapping[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    for name, numbers in known.items():
        if numbers.ndim in (2, 3):
            yield name, numbers
            yield f"{name}.{'T' if numbers.ndim == 2 else 'mT'}", numbers.swapaxes(-1, -2)


def _product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Multiply matrices or batches of them; of other batches there is no product."""
    batches = {array.shape[0] for array in (left, right) if array.ndim == 3}
    return left @ right if len(batches) < 2 else np.zeros(0)


def plain(factor: str) -> str:
    """Return the name of a factor without its transposition."""
    return factor.removesuffix(".T").removesuffix(".mT")


def made_words(finding: Finding, made: tuple[str, ...], incoming: list[str]) -> Finding:
    """Return the finding on a gradient that is made of these factors, with what is wrong in them.

    >>> made_words(Finding("wrong-shape", "x"), ("W.T",), ["grad_y"]).why[:39]
    'What came back is `W.T` alone, without '
    """
    factors = set(map(plain, made))
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
    return finding.because(why, look)


def of_other_factors(
    finding: Finding, case: GradientCase, values: Mapping[str, np.ndarray], incoming: str
) -> Finding:
    """Return a finding of wrong numbers with the product that they are, and the one that is due.

    Square matrices let a product of the wrong factors through: its shape is right.

    Args:
        finding: a wrong gradient of which no more is known.
        case: that gradient.
        values: the numbers of inputs and output, by name.
        incoming: the name of the incoming gradient.
    """
    known = {OUTPUT if name == _SINGLE else name: numbers for name, numbers in values.items()}
    mine, right = _made(case, known, incoming, due=False), _made(case, known, incoming, due=True)
    if not mine or not right:
        return finding
    why = f"What came back is `{' @ '.join(mine)}`, and `{' @ '.join(right)}` is due."
    look = (
        "Write the shape of each factor below it, with sizes that all differ: the inner ones have "
        f"to agree, and the outer ones are those of {finding.about}. Where all are the same, "
        "PyTorch takes any order."
    )
    if sorted(map(plain, mine)) == sorted(map(plain, right)):
        why += " The factors are right, and one of them is transposed or in another place."
    return finding.because(why, look)


def _made(
    case: GradientCase, known: Mapping[str, np.ndarray], incoming: str, *, due: bool
) -> tuple[str, ...]:
    """Return the two factors that give a gradient, the same for two incoming ones; or nothing."""
    found = []
    for name in ("first", "second"):
        numbers = case.laid(name, due=due)
        if numbers is None or case.out_shape is None:
            return ()
        beside = {**known, incoming: case.incoming[name].reshape(case.out_shape)}
        found.append(made_of(np.nan_to_num(numbers), beside))
    return found[0] if found[0] == found[1] and len(found[0]) == 2 else ()
