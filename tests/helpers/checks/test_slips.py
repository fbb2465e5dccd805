"""Known mistakes are known again, and their reason is told."""

import re
from dataclasses import replace

import pytest
import torch
from helpers.checks.measure_slip import measure_slip
from helpers.checks.references.slipped import with_backward

from helpers.checks.answer_check import SEED, examine
from helpers.checks.evidence import evidence_of
from helpers.checks.judge_answer import judge
from helpers.checks.references import ex02, ex05, ex10, expected, reference, slips, with_slips
from helpers.checks.task import FunctionTask, PredictionTask, Slip
from helpers.checks.tasks import find, load, numbers
from helpers.checks.values import as_list
from tests import ours

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


PREDICTED = [
    pytest.param(task, slip, id=f"{task.id}-{slip.item}-{slip.value}")
    for task in TASKS
    if isinstance(task, PredictionTask)
    for slip in slips(task.id)
]


def with_item(task, item, value):
    """Return the right prediction with one of its values replaced."""
    right = [*map(as_list, reference(task.id))]
    name, _, part = item.partition(" (")
    place = 0 if name == "…" else task.items.index(name)
    if part:
        right[place] = [*right[place]]
        right[place][task.parts.index(part.rstrip(")"))] = value
    else:
        right[place] = value
    return right


@pytest.mark.parametrize(("task", "slip"), PREDICTED)
def test_a_wrong_prediction_that_is_known_is_explained(task, slip):
    wrong = with_item(task, slip.item, slip.value) if slip.item else slip.value
    diagnosis = examine(task, (wrong,))
    assert diagnosis.name == "wrong-prediction"
    assert slip.why in diagnosis.verdict.findings[0].why
    assert len(slip.why) <= 140 or task not in ours.TASKS


@pytest.mark.parametrize(
    "task",
    [task for task in ours.TASKS if isinstance(task, PredictionTask)],
    ids=lambda task: task.id,
)
def test_each_value_of_a_prediction_has_a_name_and_known_slips(task):
    right = reference(task.id)
    assert len(task.items) == len(right)
    if task.parts:
        assert {len(task.parts)} == {len(item) for item in right}
    if task.words:
        words = [value if isinstance(value, list | tuple) else [value] for value in right]
        assert {word for group in words for word in group} <= {*task.words}
    named = [slip.item for slip in slips(task.id)]
    assert len(named) >= 3 * len(task.items)
    assert all(any(item in name or "…" in name for name in named) for item in task.items)
