"""Write numbers so that two machines print the same."""

import math


def short(value: float, digits: int = 4, zero: float = 0.0) -> str:
    """Write a number with few significant digits.

    Args:
        value: the number.
        digits: how many significant digits to keep, 6 at most.
        zero: what is smaller than this is written as 0.

    >>> short(17.850000381), short(1 / 3), short(-1e-17, zero=1e-12), short(29458372.0, 3)
    ('17.85', '0.3333', '0', '2.95e+07')
    """
    if not math.isfinite(value):
        return f"{value:g}"
    if abs(value) <= zero:
        return "0"
    # Rounding twice: the first step takes the noise away, so that a tie falls the same way.
    return f"{float(f'{value:.6g}'):.{digits}g}"


def times(factor: float) -> str:
    """Say what a number is in terms of the right one, in a sentence.

    >>> times(0.5), times(0.99996)
    ('It is 0.5 times the right one.', 'It is close to the right one, and not equal.')
    """
    if short(factor) == "1":
        return "It is close to the right one, and not equal."
    if short(factor) == "-1":
        return "It is the negative of the right one."
    return f"It is {short(factor)} times the right one."


def threshold(noise: float, scale: float) -> float:
    """Find the power of ten under which a difference says nothing.

    Args:
        noise: the relative size of rounding errors, a power of ten.
        scale: the largest size of the numbers compared; taken as 1 if it is smaller.

    >>> threshold(1e-9, 9.0)
    1e-08
    """
    size = float(f"{max(scale, 1.0):.4g}")
    return float(f"{noise * 10.0 ** math.ceil(math.log10(size)):.0e}")


def difference(value: float, limit: float) -> str:
    """Write the size of a difference, or that it is below `limit`.

    >>> difference(3.1e-13, 1e-8), difference(0.0, 1e-8), difference(0.4999999, 1e-8)
    ('below 1e-8', 'below 1e-8', '0.5')
    """
    if value < limit:
        return "below " + f"{limit:g}".replace("e-0", "e-")
    return short(value, 3)
