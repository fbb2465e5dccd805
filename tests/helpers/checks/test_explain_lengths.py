"""Sizes of incoming gradients are told for which a gradient is right, and wrong."""

from dataclasses import replace

from helpers.checks.explain_lengths import of_lengths
from helpers.checks.task_evidence import FunctionEvidence
from whygrad.evidence import Trial, Value
from whygrad.evidence.value import Backward


def _array(*numbers):
    return Value([len(numbers)], "float64", " ".join(map(str, numbers)))


def _evidence(*found):
    sizes = {"first": 3.0, "large": 3000.0, "small": 0.003, "zeros": 0.0}
    probes = {
        name: Backward([_array(one)], grad_outputs=[_array(size)])
        for (name, size), one in zip(sizes.items(), found, strict=True)
    }
    return FunctionEvidence(1, [Trial("base", "", [], probes=probes)])


def test_one_that_is_always_shortened_is_wrong_for_a_short_one():
    said = of_lengths(_evidence(1.0, 1.0, 1.0, 0.0), _evidence(1.0, 1.0, 0.003, 0.0))
    assert said == (
        "An incoming gradient of the length 0.003 comes back with the length 1, and 0.003 is due. "
        "For one of the length 3 or 3000 or 0 it is right."
    )


def _beside(evidence, most, incoming, found):
    trial = Trial("other inputs", "", [Value([1]), Value(value=most)])
    trial.grad_outputs, trial.grads = [_array(incoming)], [_array(found)]
    return replace(evidence, names=["x", "most"], trials=[evidence.base, trial])


def test_a_length_that_only_other_inputs_come_close_to_is_told_beside_their_limit():
    right = _evidence(1.0, 1.0, 0.003, 0.0)
    said = of_lengths(_beside(right, "2.0", 1.7, 2.0), _beside(right, "2.0", 1.7, 1.7))
    assert said.startswith(
        "An incoming gradient of the length 1.7 comes back with the length 2, and 1.7 is due where "
        "`most` is 2. For other lengths it is right"
    )


def test_another_direction_of_the_right_length_is_told():
    said = of_lengths(_evidence(-1.0, -1.0, -1.0, 0.0), _evidence(1.0, 1.0, 1.0, 0.0))
    assert "in a wrong direction" in said


def test_nothing_is_said_where_nothing_was_tried_or_all_is_right():
    right = _evidence(1.0, 1.0, 0.003, 0.0)
    assert of_lengths(right, right) == ""
    assert of_lengths(FunctionEvidence(1, [Trial("base", "", [])]), right) == ""
