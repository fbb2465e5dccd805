"""The inputs of the hidden checks lie apart from the tasks, so that a release can be without."""

import pytest

from helpers.checks import evidence
from helpers.checks.evidence import NoHiddenInputsError, probes
from helpers.checks.hidden import SIZE, hidden_inputs
from helpers.checks.task import PredictionTask
from helpers.checks.tasks import find, load, numbers
from tests import ours
from whygrad.sample import Sample

MEASURED = [task for n in numbers() for task in load(n) if not isinstance(task, PredictionTask)]


@pytest.mark.parametrize("task", MEASURED, ids=lambda task: task.id)
def test_a_hidden_check_tries_the_hidden_inputs_as_well(task):
    visible, hidden = ([probe.name for probe in probes(task, 3, also)] for also in (False, True))
    assert hidden_inputs(task.id) or task not in ours.TASKS
    assert len(hidden) == len(visible) + len(hidden_inputs(task.id))


def test_every_hidden_input_belongs_to_a_task_and_fits_its_names():
    for task in MEASURED:
        for inputs in hidden_inputs(task.id):
            assert len(inputs(Sample(3), 4)) == len(task.inputs(Sample(3), 4))


@pytest.mark.parametrize("task", MEASURED, ids=lambda task: task.id)
def test_a_hidden_check_tries_other_sizes_or_values_than_the_visible_one(task):
    visible, hidden = (
        {
            str([getattr(value, "shape", value) for value in make(Sample(3), SIZE)])
            for make in inputs
        }
        for inputs in ((task.inputs, *task.others), hidden_inputs(task.id))
    )
    assert hidden - visible or task not in ours.TASKS


def test_an_exercise_that_names_none_has_none():
    assert hidden_inputs("99.1") == ()


def test_where_they_are_not_hidden_evidence_is_refused_and_visible_evidence_is_made(monkeypatch):
    monkeypatch.setattr(evidence, "find_spec", lambda name: None)
    with pytest.raises(NoHiddenInputsError, match="cannot be made here: its inputs are"):
        probes(find("5.1"), 3, True)
    for task in ("5.1", "5.3"):  # whatever was handed over
        with pytest.raises(NoHiddenInputsError, match="cannot be made here"):
            evidence.evidence_of(find(task), (None,), seed=3, hidden=True)
    assert probes(find("5.1"), 3, False)
