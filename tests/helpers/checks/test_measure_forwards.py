"""A Function whose backward raises is tried with one input at a time requiring a gradient."""

from dataclasses import replace

import pytest
from torch.autograd import Function

from helpers.checks import evidence
from helpers.checks.answer_check import SEED
from helpers.checks.deadline import TooLongError
from helpers.checks.evidence import evidence_of
from helpers.checks.references import expected
from helpers.checks.task_evidence import FunctionEvidence
from helpers.checks.tasks import find

TASK = find("1.1")


class Affine(Function):
    """Prints in backward, and returns the gradient of V transposed."""

    @staticmethod
    def forward(ctx, x, V, c):
        ctx.save_for_backward(x, V)
        ctx.has_c = c is not None
        return x @ V if c is None else x @ V + c

    @staticmethod
    def backward(ctx, grad_y):
        print("backward")
        x, V = ctx.saved_tensors
        return grad_y @ V.T, grad_y.T @ x, grad_y.sum(0) if ctx.has_c else None


def measured() -> FunctionEvidence:
    """Return the evidence of this Function."""
    return evidence_of(TASK, (Affine,), seed=SEED)[0]


def test_the_gradients_of_the_right_shape_are_those_of_a_right_answer():
    by_input, right = measured().by_input, expected("1.1", SEED).trials
    for name, place in (("x", 0), ("c", 2)):
        first = by_input[name]["base"]
        assert first.grads[place] == right[0].grads[place], name
        assert [*by_input[name]] == [trial.name for trial in right]
    assert [*by_input["V"]] == ["base"]
    assert "invalid gradient" in by_input["V"]["base"].raised.message


@pytest.mark.parametrize("task", ["1.1", "3.3", "7.2"])
def test_a_right_answer_is_not_tried_with_one_input_alone(task):
    assert not expected(task, SEED).by_input
    assert expected(task, SEED).forwards is None


def test_what_the_answer_prints_is_printed_once(capsys):
    measured()
    assert capsys.readouterr().out == "backward\n"


def test_the_evidence_of_all_inputs_is_kept_if_the_time_is_over(monkeypatch):
    def endless(*arguments, **settings):
        raise TooLongError("it took more than 10 s")

    whole = measured()
    monkeypatch.setattr(evidence, "measure_by_input", endless)
    assert measured() == replace(whole, by_input={})
