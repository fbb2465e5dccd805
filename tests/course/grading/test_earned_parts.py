"""Parts earn their share only by means that are allowed, and by evidence that is whole."""

import pytest

from course.grading.earned_parts import earned_parts
from helpers.checks.answer_check import SEED
from helpers.checks.references import expected
from helpers.checks.tasks import find
from tests.answers import evidence_pairs, wrong_answer
from whygrad.codec import encoded

TASK = find("5.1")
RIGHT = [expected("5.1", SEED, hidden) for hidden in (False, True)]


def pairs(title: str) -> tuple:
    """Return the task of a wrong answer, its evidence beside the right one, and its diagnosis."""
    task, handed, answer = wrong_answer(title)
    both = [(encoded(mine), right) for mine, right in evidence_pairs(task, handed)]
    return task, both, answer.names[0]


def earned(*about) -> list[str]:
    """Return the names of the parts that are earned."""
    return [part.name for part in earned_parts(*about) if part.earned]


def wrong_in(place: int) -> list:
    """Return evidence of 5.1 whose outputs are wrong in the visible or in the hidden check."""
    mine = [encoded(right) for right in RIGHT]
    for array in (array for trial in mine[place]["trials"] for array in trial["outputs"]):
        array["data"] = " ".join("7.25" for _ in array.get("data", "").split())
    return [*zip(mine, RIGHT, strict=True)]


@pytest.mark.parametrize("place", [0, 1])
def test_a_part_has_to_hold_in_both_checks(place):
    assert earned(TASK, wrong_in(place), "wrong-forward") == ["gradient of x", "second order"]


def test_a_part_that_another_mistake_takes_says_which():
    forward, gradient, second = earned_parts(*pairs("6.1 the lesson's Exp"))
    assert gradient.why.startswith("The gradient of x is wrong.")
    assert (forward.why, second.why) == ("", gradient.why)


def test_a_part_says_nothing_of_gradients_that_are_the_right_answer_s():
    found = earned_parts(*pairs("3.1 returns the gradient of b before that of w"))
    whys = {part.name: part.why for part in found}
    assert whys["gradient of weight"].startswith("The gradient of weight is wrong.")
    assert "right" not in whys["gradient of weight"]


@pytest.mark.parametrize("key", ["repeats", "second", "expanded", "jacobian"])
def test_evidence_that_leaves_something_out_is_for_a_person(key):
    mine = wrong_in(0)
    del mine[0][0]["trials"][0][key]
    assert earned_parts(TASK, mine, "") is None


FORGED = {
    "of another input": lambda of_x, of_c: of_c,
    "of another seed": lambda of_x, of_c: of_x | {"grad_outputs": of_c["outputs"]},
    "without what tells a linear map": lambda of_x, of_c: of_x | {"jacobian": None, "probes": {}},
    "with other numbers": lambda of_x, of_c: of_x | {"grads": of_c["grads"]},
}


def test_forged_evidence_of_one_input_alone_earns_no_gradient():
    task, both, diagnosis = pairs("1.1 grad_V the other way round")
    by_input = both[0][0]["by_input"]
    of_x, of_c = (by_input[name]["base"] for name in ("x", "c"))
    for said, forge in FORGED.items():
        by_input["x"]["base"] = forge(of_x, of_c)
        assert "gradient of x" not in earned(task, both, diagnosis), said


def test_no_evidence_earns_nothing_and_right_evidence_of_each_part_is_for_a_person():
    visible, hidden = ((encoded(right), right) for right in RIGHT)
    for one in (None, visible[0] | {"trials": hidden[0]["trials"]}):  # or of other inputs
        assert earned(TASK, [(one, RIGHT[0]), hidden], "") == []
    assert earned_parts(TASK, [visible, hidden], "") is None


def test_a_task_with_one_share_is_all_or_nothing():
    assert earned_parts(*pairs("6.2 start in the exponent")) == ()
