"""A Function whose backward raises is tried with one input at a time requiring a gradient."""

from dataclasses import replace

from helpers.checks import evidence
from helpers.checks.answer_check import SEED
from helpers.checks.deadline import TooLongError
from helpers.checks.evidence import evidence_of
from helpers.checks.references import expected, reference
from helpers.checks.tasks import find

RIGHT = reference("1.1")


class Affine(RIGHT):
    """Prints in backward, and returns the gradient of V transposed."""

    @staticmethod
    def backward(ctx, grad_y):
        print("backward")
        grad_x, grad_v, grad_c = RIGHT.backward(ctx, grad_y)
        return grad_x, grad_v.T, grad_c


def measured():
    """Return the evidence of this Function."""
    return evidence_of(find("1.1"), (Affine,), seed=SEED)[0]


def test_what_is_right_is_that_of_a_right_answer(capsys):
    found, right = measured(), expected("1.1", SEED)
    assert capsys.readouterr().out == "backward\n"
    assert [trial.outputs for trial in found.trials] == [trial.outputs for trial in right.trials]
    of_x, of_v, of_c = found.by_input.values()
    assert of_x["base"].grads[0] == right.base.grads[0]
    assert of_c["base"].grads[2] == right.base.grads[2]
    assert "invalid gradient" in of_v["base"].raised.message
    assert not right.by_input


def test_the_evidence_of_all_inputs_is_kept_if_the_time_is_over(monkeypatch):
    def endless(*arguments, **settings):
        raise TooLongError("it took more than 10 s")

    whole = measured()
    monkeypatch.setattr(evidence, "measure_by_input", endless)
    assert measured() == replace(whole, by_input={})
