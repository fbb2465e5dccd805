"""Known mistakes are rejected and named, and no edit of one leaves the course."""

import json

import pytest

from course.releasing.measured_answers import measured
from helpers.checks.answer_check import examine
from helpers.checks.references import ex05, slip_answers, slips
from helpers.checks.references.slips import Slip, edited, read_slips
from helpers.checks.tasks import load, numbers
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
