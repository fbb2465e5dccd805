"""Curves against size: their words, their axes, and what is refused."""

import pytest

from helpers import plots

SIZES = [10, 100, 1000]


def test_each_number_is_told_by_its_size():
    figure = plots.growth(SIZES, title="Time", size="n", value="ms", a=[1, 2.5, 30], b=[3, 3, 3])
    assert figure.text.splitlines() == [
        "Time: ms, by n",
        "a: 1 at 10, 2.5 at 100, 30 at 1000.",
        "b: 3 at 10, 3 at 100, 3 at 1000.",
        "Both axes are logarithmic.",
    ]


def test_the_same_curves_give_the_same_picture():
    one, other = (plots.growth(SIZES, title="Time", a=[1, 2, 3]) for _ in range(2))
    assert one.svg == other.svg
    assert "<title>Time</title>" in one.svg


@pytest.mark.parametrize("curve", [[1, 2], [1, 2, 0], [1, 2, float("inf")], [-1, 2, 3]])
def test_a_curve_has_one_positive_number_for_each_size(curve):
    with pytest.raises(ValueError, match="a must be 3 positive numbers"):
        plots.growth(SIZES, title="Time", a=curve)


def test_no_curve_no_size_and_six_curves_are_refused():
    with pytest.raises(TypeError, match="one to five curves"):
        plots.growth(SIZES, title="Time")
    with pytest.raises(TypeError, match="got 6"):
        plots.growth(SIZES, title="Time", **{f"c{n}": SIZES for n in range(6)})
    with pytest.raises(ValueError, match="sizes must be some"):
        plots.growth([], title="Time", a=[])
