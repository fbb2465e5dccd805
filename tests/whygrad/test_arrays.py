"""Where two arrays differ: the place, what stands there, and digits that show it."""

import numpy as np
import pytest

from whygrad.judge.arrays import Array, difference


def array(*values):
    return Array(np.array(values, dtype=float), "float64")


@pytest.mark.parametrize(
    ("yours", "expected", "shown"),
    [
        (1.5, 3.0, ("1.5", "3")),
        (4.6260, 4.6263, ("4.626", "4.6263")),
        (4.62631, 4.62634, ("4.62631", "4.62634")),
        (1.0000021, 1.0, ("1.0000021", "1")),
    ],
)
def test_two_numbers_are_written_so_that_they_differ(yours, expected, shown):
    line = difference("y", array(0.0, yours), array(0.0, expected), 1e-7)
    assert (line.yours, line.expected) == shown
    assert line.where == "[1]"


def test_what_stands_at_the_place_is_named():
    given = {"x": np.array([5.0, 7.0]), "k": np.array(0.5), "W": np.zeros((3, 4))}
    line = difference("y", array(1.0, 2.0), array(1.0, 3.0), given=given)
    assert line.given == "x is 7 and k is 0.5"


def test_a_shape_is_shown_beside_the_one_that_is_due():
    line = difference("y", array(1.0, 2.0), array(1.0), given={"x": np.zeros(1)})
    assert (line.where, line.yours, line.expected, line.given) == ("shape", "[2]", "[1]", "")
