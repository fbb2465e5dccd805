"""A Function with two mistakes gets both of them named; of a layer, what is wrong with it."""

from dataclasses import replace

import pytest

from helpers.checks.answer_check import examine
from helpers.checks.references import slip_answers, slips
from helpers.checks.references.slips import Slip
from helpers.checks.tasks import find
from tests.answers import wrong_answer


def verdict_on(title: str):
    """Return the verdict on a wrong answer."""
    return examine(*wrong_answer(title)[:2]).verdict


@pytest.mark.parametrize(
    ("task", "whys"),
    [
        ("10.1", ["Inside the window the gradient is multiplied by x.", "rounds: beside a very"]),
        ("15.2", ["B is P (1 − P) here", "grad_v is made of A here"]),
    ],
)
def test_two_known_mistakes_are_both_named(task, whys):
    both = [next(slip for slip in slips(task) if why in slip.why) for why in whys]
    made = replace(both[0], edit=both[0].edit + both[1].edit)
    diagnosis = examine(find(task), slip_answers(task, made))
    named = zip(both, diagnosis.verdict.groups, strict=True)
    assert all(slip.why in group[0].why for slip, group in named)
    assert "✗ gradient of" in repr(diagnosis)  # what was seen is still said


def test_a_known_mistake_is_named_after_one_that_is_worse():
    both = Slip(why="", edit=("grad_x = s * u", "grad_x = u"))
    verdict = examine(find("15.3"), slip_answers("15.3", both)).verdict
    first, further = (group[0] for group in verdict.groups)
    assert (first.about, further.about) == ("x", "W")
    assert "grad_W is made of u" in further.why


def test_a_known_mistake_of_one_gradient_explains_no_exchange_of_two():
    assert verdict_on("10.2 reverses the gradient of x").names == ("swapped-gradients",)


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("3.1 the bias is a buffer", "A buffer is saved and moved with the layer"),
        ("3.2 every slope starts with 1", "At [0] it is 1, and should be 0.25."),
        ("3.3 a frozen bias", "is a Parameter with `requires_grad=False` then"),
        ("3.1 the backward stands in the layer", "nobody calls a method of that name"),
    ],
)
def test_what_is_wrong_with_a_layer_is_said(title, said):
    (finding,) = verdict_on(title).findings
    assert said in f"{finding.detail} {finding.why}"
