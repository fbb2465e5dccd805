"""Known mistakes are known again, and their reason is told."""

import re
from dataclasses import replace

import pytest
import torch

from helpers.checks.answer_check import SEED, examine
from helpers.checks.evidence import evidence_of
from helpers.checks.judge_answer import judge
from helpers.checks.measure_slip import measure_slip
from helpers.checks.references import ex02, ex05, ex10, expected, slips, with_slips
from helpers.checks.references.slipped import with_backward
from helpers.checks.task import FunctionTask, PredictionTask, Slip
from helpers.checks.tasks import find, load, numbers

TASKS = [task for number in numbers() for task in load(number)]
# There are many: five of six of those from exercise 9 on are looked at in `make proof`.
PROOF = [pytest.mark.slow, pytest.mark.proof]
SLIPS = [
    pytest.param(
        task,
        slip,
        id=f"{task.id}-{place}-{slip.name}",
        marks=PROOF if place % 6 and float(task.id) >= 9 else [],
    )
    for task in TASKS
    if not isinstance(task, PredictionTask)
    for place, slip in enumerate(slips(task.id))
]


# In the hidden check of 15.2, n is d: what is right there, other sizes tell.
OF_SIZE = re.compile(r"\b(?:root of|by|with) n\b")


def handed_over(slip):
    return slip.value if isinstance(slip.value, tuple) else (slip.value,)


@pytest.mark.parametrize(("task", "slip"), SLIPS)
def test_a_slip_gets_its_reason_in_both_checks(task, slip):
    for hidden in (False, True):
        diagnosis = examine(task, handed_over(slip), hidden=hidden)
        if hidden and OF_SIZE.search(slip.why):
            assert diagnosis.name in ("fixed-size", slip.name)
            continue
        assert diagnosis.name == slip.name
        assert diagnosis.verdict.findings[0].why.endswith(slip.why)


def leaky(ctx, grad_y):
    (x,) = ctx.saved_tensors
    return grad_y * (x >= 0), None


def test_a_slip_is_known_by_its_numbers_not_by_its_code():
    diagnosis = examine(find("2.1"), (with_backward(ex02.LeakyReLU, leaky),))
    assert diagnosis.name == "wrong-mask"
    assert "backward of the lesson's ReLU" in repr(diagnosis)
    assert "What to do: Ask of each branch" in repr(diagnosis)
    assert "gradient of x: at" in repr(diagnosis)  # what was seen is still said


def test_another_mistake_is_not_explained_by_a_slip():
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return torch.where(x < 0, 3 * grad_y, grad_y), None

    (found, *_) = examine(find("2.1"), (with_backward(ex02.LeakyReLU, backward),)).verdict.findings
    assert found.why not in [slip.why for slip in slips("2.1")] or not found.why


def test_a_slip_that_shows_at_second_order_only_is_known_there():
    task, due = find("5.1"), expected("5.1", SEED)

    def detached(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x.detach() * grad_y

    wrong = (with_backward(ex05.Square, detached),)
    slip = Slip(wrong, "second-order-lost", "It is detached.")
    told = measure_slip(task, slip, due, seed=SEED, hidden=False)
    for answer, known in ((wrong, True), ((ex05.Square,), False)):
        measured, _ = evidence_of(task, answer, seed=SEED)
        verdict = judge(measured, replace(due, slips=[told]))
        assert verdict.ok is not known
        assert any("It is detached." in finding.why for finding in verdict.findings) is known


def test_a_slip_that_shows_on_other_inputs_only_is_measured_there():
    class Branch(ex10.ReverseBranch):
        @staticmethod
        def backward(ctx, grad_y):
            return grad_y, -abs(ctx.factor) * grad_y, None

    found = examine(find("10.2"), (Branch,))
    assert "right for a `factor` above 0" in found.verdict.findings[0].why


def test_slips_of_functions_are_measured_on_few_inputs():
    due = with_slips("2.1", 1)
    assert isinstance(find("2.1"), FunctionTask)
    assert {len(slip.trials) for slip in due.slips} == {2}
    assert len(due.trials) > 5
