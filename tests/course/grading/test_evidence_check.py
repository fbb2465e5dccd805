"""Evidence is believed only if it is what the grader's own check measures."""

import pytest

from course.grading.evidence_check import read_usable, what_lacks
from helpers.checks.references import expected
from helpers.checks.task_evidence import Measured
from helpers.checks.tasks import find, load, numbers
from tests.answers import ROOT, evidence_pairs, handed_over, read_answers
from whygrad.codec import encoded
from whygrad.evidence import EvidenceError

# What is measured by itself: without it, nothing shows a mistake there.
MEASURED = (
    *("name", "inputs", "wanted", "values", "grad_outputs", "grads", "jacobian"),
    *("outputs", "returned", "probes", "repeats", "alone", "expanded", "second"),
)
TASKS = [task.id for number in numbers() for task in load(number)]


def measured(task: str) -> dict:
    """Return the evidence of the right answer as JSON data, as an answer's own."""
    return encoded(expected(task, 5))


def complaint(data: object, due: Measured) -> str:
    """Return why evidence is refused, or what it lacks."""
    try:
        return what_lacks(read_usable(data, due), due)
    except EvidenceError as error:
        return str(error)


@pytest.mark.parametrize("task", TASKS)
def test_the_evidence_of_a_right_answer_is_whole(task):
    assert complaint(measured(task), expected(task, 5)) == ""


@pytest.mark.parametrize("answer", read_answers(ROOT / "tests" / "right_answers"), ids=str)
def test_the_evidence_of_an_answer_that_is_right_in_its_own_way_is_whole(answer):
    for mine, due in evidence_pairs(find(answer.task), handed_over(answer)):
        assert complaint(encoded(mine), due) == ""


@pytest.mark.parametrize(
    ("task", "key"),
    [
        *(("5.2", key) for key in MEASURED),
        *(("8.1", key) for key in ("operations", "operations_of_forward")),
    ],
)
def test_a_part_that_is_left_out_of_a_trial_is_missed(task, key):
    mine = measured(task)
    del mine["trials"][0][key]
    assert complaint(mine, expected(task, 5))


@pytest.mark.parametrize(
    ("key", "value"),
    [("kind", "prediction"), ("order", 1), ("names", ["x"]), ("views", True), ("demands", {})],
)
def test_evidence_of_another_task_is_refused(key, value):
    assert complaint(measured("5.2") | {key: value}, expected("5.2", 5)) == "it is of another task"


def of_shape(shape):
    """Return what gives the first gradient this shape."""
    return lambda trials: trials[0]["grads"][0].update(shape=shape)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda trials: trials.pop(), "trials"),
        (lambda trials: trials[1]["inputs"][0].update(shape=[1, 1]), "it is of other inputs"),
        (lambda trials: trials[0]["probes"].update(second={}), "grads"),
        (of_shape([10**6, 10**6]), "there are too many numbers"),
        *(
            (of_shape(shape), "its numbers have no shape")
            for shape in ([-1], ["3"], 3, [True], [9] * 10**6, [0, 10**4000])
        ),
    ],
)
def test_other_trials_and_shapes_that_could_fill_the_memory_are_refused(change, said):
    mine = measured("5.2")
    change(mine["trials"])
    assert complaint(mine, expected("5.2", 5)) == said


@pytest.mark.parametrize("mine", [None, 3, [], "right", {}, {"trials": 1}, {"trials": [1]}])
def test_what_is_no_evidence_is_refused(mine):
    assert complaint(mine, expected("5.2", 5))
