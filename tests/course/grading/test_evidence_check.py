"""Evidence is believed only if it is what the grader's own check measures."""

import copy

import pytest

from course.grading.evidence_check import what_lacks, why_unusable
from helpers.checks.answer_check import SEED
from helpers.checks.evidence import evidence_of
from helpers.checks.references import expected
from helpers.checks.tasks import find, load, numbers
from tests.answers import ROOT, handed_over, read_answers

TASKS = [task.id for number in numbers() for task in load(number)]


def measured(task: str) -> dict:
    """Return the evidence of the right answer, as an answer's own."""
    found = copy.deepcopy(expected(task, 5))
    found.pop("slips", None)
    found.pop("form", None)
    return found


@pytest.mark.parametrize("task", TASKS)
def test_the_evidence_of_a_right_answer_is_whole(task):
    mine = measured(task)
    assert why_unusable(mine, expected(task, 5)) == ""
    assert what_lacks(mine, expected(task, 5)) == ""


@pytest.mark.parametrize("answer", read_answers(ROOT / "tests" / "right_answers"), ids=str)
def test_the_evidence_of_an_answer_that_is_right_in_its_own_way_is_whole(answer):
    task, handed = find(answer.task), handed_over(answer)
    for hidden in (False, True):
        mine = evidence_of(task, handed, seed=SEED, hidden=hidden)[0]["measured"]
        due = expected(answer.task, SEED, hidden)
        assert (why_unusable(mine, due), what_lacks(mine, due)) == ("", "")


@pytest.mark.parametrize("key", sorted({*measured("5.2")["trials"][0]} - {"hidden outputs"}))
def test_a_part_that_is_left_out_of_a_trial_is_missed(key):
    mine = measured("5.2")
    del mine["trials"][0][key]
    due = expected("5.2", 5)
    assert why_unusable(mine, due) or what_lacks(mine, due) == key


def test_hidden_outputs_are_no_part_of_every_right_answer():
    mine = measured("7.1")
    assert mine["trials"][0]["hidden outputs"]
    mine["trials"][0]["hidden outputs"] = []
    assert what_lacks(mine, expected("7.1", 5)) == ""


def test_a_trial_that_is_left_out_is_missed():
    mine = measured("5.2")
    mine["trials"].pop()
    assert what_lacks(mine, expected("5.2", 5)) == "trials"


@pytest.mark.parametrize(
    ("key", "value"),
    [("kind", "prediction"), ("order", 1), ("names", ["x"]), ("views", True)],
)
def test_evidence_of_another_task_is_refused(key, value):
    mine = {**measured("5.2"), key: value}
    assert why_unusable(mine, expected("5.2", 5)) == "it is of another task"


def test_other_inputs_and_other_incoming_gradients_are_refused():
    due, mine = expected("5.2", 5), measured("5.2")
    mine["trials"][1]["inputs"][0]["shape"] = [1, 1]
    assert why_unusable(mine, due) == "it is of other inputs"
    mine = measured("5.2")
    mine["trials"][0]["probes"]["second"] = mine["trials"][0]["probes"]["ones"]
    assert what_lacks(mine, due) == "grad_outputs"


@pytest.mark.parametrize(
    "shape", [[10**6, 10**6], [-1], ["3"], 3, [True], [9] * 10**6, [0, 10**4000]]
)
def test_shapes_that_could_fill_the_memory_are_refused(shape):
    mine = measured("5.2")
    mine["trials"][0]["grads"][0]["shape"] = shape
    assert why_unusable(mine, expected("5.2", 5)) == "its numbers have no shape"


@pytest.mark.parametrize("mine", [None, 3, [], "right", {}, {"trials": 1}, {"trials": [1]}])
def test_what_is_no_evidence_is_refused(mine):
    assert why_unusable(mine, expected("5.2", 5))


def test_evidence_of_a_task_that_demands_less_is_refused():
    mine = measured("5.2")
    assert mine["demands"] == {"by hand": True}
    for demands in ({}, None, {"by hand": False}, {"by hand": True, "around": ["mul"]}):
        mine["demands"] = demands
        assert why_unusable(mine, expected("5.2", 5)) == "it is of another task"
    del mine["demands"]
    assert why_unusable(mine, expected("5.2", 5)) == "it is of another task"


@pytest.mark.parametrize(
    ("task", "part"), [("5.1", "around"), ("5.1", "autograd"), ("8.1", "operations")]
)
def test_how_the_numbers_were_made_is_missed_if_it_is_left_out(task, part):
    mine = copy.deepcopy(expected(task, 5))
    del mine["trials"][0][part]
    assert what_lacks(mine, expected(task, 5)) == part


def test_another_number_of_functions_at_work_is_no_lack():
    mine = measured("5.2")
    mine["trials"][0]["returned"] *= 2
    assert what_lacks(mine, expected("5.2", 5)) == ""
