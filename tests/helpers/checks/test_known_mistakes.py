"""Known mistakes are rejected and named, told by what they give; no edit leaves the course."""

import json

import pytest
import torch

from course.releasing.measured_answers import measured
from helpers.checks.answer_check import examine
from helpers.checks.references import ex02, ex05, ex10, slip_answers, slips
from helpers.checks.references.slips import Slip, edited, read_slips
from helpers.checks.tasks import find, load, numbers
from tests.answers import ROOT, read_answers

TASKS = [task for number in numbers() for task in load(number)]
# One in six is looked at in every run, and all of them in `make proof`.
EDITS = [
    pytest.param(
        task,
        slip,
        id=f"{task.id}-{place}",
        marks=[pytest.mark.slow, pytest.mark.proof] if place % 6 else [],
    )
    for task in TASKS
    for place, slip in enumerate(slips(task.id))
    if slip.edit
]


@pytest.mark.parametrize(("task", "slip"), EDITS)
def test_a_known_mistake_is_rejected_and_named_in_both_checks(task, slip):
    for hidden in (False, True):
        diagnosis = examine(task, slip_answers(task.id, slip), hidden=hidden)
        assert diagnosis.name == slip.name
        assert slip.why in diagnosis.verdict.findings[0].why


def test_each_edit_fits_its_right_answer():
    for task in TASKS:
        for slip in filter(lambda one: one.edit, slips(task.id)):
            assert slip_answers(task.id, slip)


def test_an_edit_that_does_not_fit_is_refused():
    slip = Slip(why="", edit=("not there", "this"))
    with pytest.raises(ValueError, match="'not there' stands 0 times"):
        edited([ex05.Square], slip)


def test_each_text_of_a_known_mistake_has_an_answer_that_gets_its_reason():
    said = {task.id: "" for task in TASKS}
    for answer in read_answers(ROOT / "tests" / "wrong_answers"):
        said[answer.task] += "\n".join(answer.says)
    for task in TASKS:
        for slip in filter(lambda one: one.seen, slips(task.id)):
            assert slip.why in said[task.id], f"{task.id}: {slip.seen}"


def test_a_row_with_another_key_is_refused():
    with pytest.raises(TypeError, match="edits"):
        read_slips([{"edits": ["a", "b"], "why": "It is so."}])


def test_no_edit_is_in_a_release():
    shipped = json.dumps(json.loads(measured(5)), ensure_ascii=False)
    told = [slip for task in ("5.1", "5.2") for slip in slips(task)]
    assert all(slip.why in shipped for slip in told)
    for slip in told:
        assert slip.edit
        assert not any(text in shipped for text in slip.edit)


def leaky(ctx, grad_y):
    x, a = ctx.saved_tensors
    grad_x = torch.where(x < 0, a * grad_y, grad_y)
    return grad_x, (x * grad_y).mean().reshape(1)


def answer(function, **methods):
    """Return a Function with other methods, in a student's words."""
    made = {name: staticmethod(method) for name, method in methods.items()}
    return (type(function.__name__, (function,), made),)


def test_it_is_known_by_what_it_gives_and_not_by_its_code():
    def backward(ctx, grad):
        (saved,) = ctx.saved_tensors
        return saved * saved.abs() / saved.abs() * 0 + 2 * torch.sqrt(saved**2) * grad

    diagnosis = examine(find("5.1"), answer(ex05.Square, backward=backward))
    assert "The root of x² is |x|" in repr(diagnosis)
    assert "gradient of x: at" in repr(diagnosis)  # what was seen is still said


def test_another_mistake_is_not_explained_by_it():
    (found, *_) = examine(find("2.4"), answer(ex02.PReLU, backward=leaky)).verdict.findings
    assert not any(slip.why in found.why for slip in slips("2.4"))


def test_one_that_shows_on_other_inputs_only_is_known_there():
    def backward(ctx, grad_y):
        return grad_y, -abs(ctx.factor) * grad_y, None

    found = examine(find("10.2"), answer(ex10.ReverseBranch, backward=backward))
    assert not found.ok
