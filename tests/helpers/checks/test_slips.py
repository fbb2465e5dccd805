"""Known mistakes are known again, and their reason is told."""

import pytest
import torch

from helpers.checks.answer_check import examine
from helpers.checks.references import ex02, slips, with_slips
from helpers.checks.references.slipped import with_backward
from helpers.checks.task import FunctionTask, PredictionTask
from helpers.checks.tasks import find, load, numbers

TASKS = [task for number in numbers() for task in load(number)]
SLIPS = [
    pytest.param(task, slip, id=f"{task.id}-{place}-{slip.name}")
    for task in TASKS
    if not isinstance(task, PredictionTask)
    for place, slip in enumerate(slips(task.id))
]


def handed_over(slip):
    return slip.value if isinstance(slip.value, tuple) else (slip.value,)


@pytest.mark.parametrize(("task", "slip"), SLIPS)
def test_a_slip_gets_its_reason_in_both_checks(task, slip):
    for hidden in (False, True):
        diagnosis = examine(task, handed_over(slip), hidden=hidden)
        assert diagnosis.name == slip.name
        assert diagnosis.verdict.findings[0].why == slip.why


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


def test_slips_of_functions_are_measured_on_few_inputs():
    due = with_slips("2.1", 1)
    assert isinstance(find("2.1"), FunctionTask)
    assert {len(slip["trials"]) for slip in due["slips"]} == {2}
    assert len(due["trials"]) > 5
