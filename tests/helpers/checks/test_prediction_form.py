"""What is written in place of a possible answer is known, where only one can be meant."""

import pytest

from helpers.checks.prediction_form import odd

WORDS = ["one graph", "break", "raises", "not-linear-in-grad-output", "second-order-swapped"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("brake", "break"),
        ("Graph break", "break"),
        ("there is a break", "break"),
        ("one", "one graph"),
        ("not-linear", "not-linear-in-grad-output"),
        ("swapped", "second-order-swapped"),
    ],
)
def test_a_text_near_to_one_possible_answer_is_asked_about(written, meant):
    assert odd(written, "raises", WORDS).endswith(f'Did you mean "{meant}"?')


@pytest.mark.parametrize("written", ["no break", "it raises, or a break", "", "nothing"])
def test_a_text_that_denies_an_answer_or_fits_several_is_not(written):
    assert "Did you mean" not in odd(written, "raises", WORDS)
    assert '"one graph", "break"' in odd(written, "raises", WORDS)
