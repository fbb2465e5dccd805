"""The inputs of the hidden checks are apart from the tasks, so that a release can be without."""

import pytest

from helpers.checks import evidence
from helpers.checks.evidence import NoHiddenInputsError, probes
from helpers.checks.hidden import SIZE, hidden_inputs
from helpers.checks.task import PredictionTask
from helpers.checks.tasks import find
from tests import ours
from whygrad.sample import Sample

MEASURED = [task for task in ours.TASKS if not isinstance(task, PredictionTask)]


@pytest.mark.parametrize("task", MEASURED, ids=lambda task: task.id)
def test_a_hidden_check_tries_all_that_the_visible_one_does_and_numbers_that_nobody_has_seen(task):
    visible, hidden = (probes(task, 3, also) for also in (False, True))
    inputs = hidden_inputs(task.id)
    assert len(hidden) == len(visible) + len(inputs)
    given = [_plain(make(Sample(3), SIZE)) for make in (task.inputs, *task.promises.values())]
    assert not any(given) or {_plain(make(Sample(3), SIZE)) for make in inputs} - {*given}


def _plain(made):
    return tuple(value for value in made if isinstance(value, int | float))


def test_if_they_are_not_here_hidden_evidence_is_refused_and_visible_evidence_is_made(monkeypatch):
    monkeypatch.setattr(evidence, "find_spec", lambda name: None)
    for task in ("5.1", "5.3"):  # whatever was passed
        with pytest.raises(NoHiddenInputsError, match="cannot be made here: its inputs are"):
            evidence.evidence_of(find(task), (None,), seed=3, hidden=True)
    assert probes(find("5.1"), 3, False)
