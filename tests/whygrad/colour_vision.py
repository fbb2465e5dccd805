"""How far apart two colours are to people with any kind of colour vision."""

import numpy as np

from tests.browser.picture_text import ratio

# What is left of linear sRGB without one kind of cone. Source: G. Machado, M. Oliveira,
# L. Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency,
# IEEE TVCG 15 (6), 2009, severity 1.0.
_SEEN = {
    "all cones": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# Linear sRGB to CIE XYZ, white D65: IEC 61966-2-1.
_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def contrast(one: str, other: str) -> float:
    """Return WCAG's contrast ratio of two colours such as "#1a1a1a", from 1 to 21."""
    return ratio(255 * _rgb(one), 255 * _rgb(other))


def apart(one: str, other: str, degrees: float) -> float:
    """Return how many noticeable differences lie between two colours, for whom they are closest.

    One is what half of the people notice between two patches of that size. Source: M. Stone,
    D. Szafir, V. Setlur, An Engineering Model for Color Difference as a Function of Size, Color
    and Imaging Conference 2014; fitted to sizes from 1/3 to 6 degrees.

    Args:
        one, other: such as "#1a1a1a".
        degrees: the size of a patch, in degrees of the eye's field; a pixel of CSS is about 1/47.
    """
    noticed = np.array([5.079 + 0.751 / degrees, 5.339 + 1.541 / degrees, 5.349 + 2.871 / degrees])
    return min(
        np.linalg.norm((_lab(matrix, one) - _lab(matrix, other)) / noticed)
        for matrix in map(np.array, _SEEN.values())
    )


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255


def _lab(seen: np.ndarray, colour: str) -> np.ndarray:
    """Return CIE L*, a* and b* of a colour as it is seen."""
    rgb = _rgb(colour)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    parts = _XYZ @ np.clip(seen @ linear, 0, 1) / _XYZ.sum(axis=1)
    x, y, z = np.where(parts > 216 / 24389, np.cbrt(parts), (24389 / 27 * parts + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
