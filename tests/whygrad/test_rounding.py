"""Numbers that two machines print the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whygrad.rounding import difference, short, threshold


@given(st.decimals("0.0001", "99999", places=5))
def test_noise_does_not_reach_the_text(decimal):
    value = float(decimal)
    texts = {short(value * (1 + noise)) for noise in (-1e-12, -1e-15, 0.0, 1e-15, 1e-12)}
    # Only a seventh digit of exactly 5 may still fall either way.
    if not f"{value:.6e}".split("e")[0].endswith("5"):
        assert len(texts) == 1


@pytest.mark.parametrize("value", [17.85, 1.0625, 0.12345, 2.675, 1e-3 + 5e-7])
def test_a_tie_in_the_last_digit_falls_the_same_way(value):
    assert short(value * (1 - 1e-14), 3) == short(value * (1 + 1e-14), 3)
    assert short(value * (1 - 1e-14), 4) == short(value * (1 + 1e-14), 4)


def test_what_is_below_zero_or_not_finite_is_written_plainly():
    assert short(-0.0) == "0"
    assert short(-1e-13, zero=1e-12) == "0"
    assert [short(float(v)) for v in ("nan", "inf", "-inf")] == ["nan", "inf", "-inf"]


@pytest.mark.parametrize(
    ("scale", "limit"),
    [(0.0, 1e-9), (1.0, 1e-9), (1.0000000001, 1e-9), (1.1, 1e-8), (10.0, 1e-8), (2e4, 1e-4)],
)
def test_the_threshold_is_a_power_of_ten_that_follows_the_scale(scale, limit):
    assert threshold(1e-9, scale) == limit


def test_a_difference_of_nothing_and_of_noise_read_alike():
    assert difference(0.0, 1e-6) == difference(9e-7, 1e-6) == "below 1e-6"
    assert difference(0.5000004, 1e-6) == "0.5"
    assert difference(1e-6, 1e-6) == "1e-06"
