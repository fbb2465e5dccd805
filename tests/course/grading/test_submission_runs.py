"""A timeout is the student's own only if the notebook had the processors meanwhile."""

from types import SimpleNamespace

import pytest

from course.grading import submission_runs
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet, SheetCell
from course.grading.settings import Limits
from course.grading.submission_runs import Exam, SubmissionRuns
from course.notebooks.nbval_run import Outcome

SHEET = Sheet("x", ("5.1",), (SheetCell("answer-5-1", "answer", "5.1", ""),))


def runs(monkeypatch, total_seconds: float = 100.0, **outcome) -> SubmissionRuns:
    """Return the runs of a submission whose only cell always ends in this way."""

    def run_cells(cells, _kernel, _seconds, on_cell, **_more):
        on_cell(Outcome(cells[0], **outcome))

    monkeypatch.setattr(submission_runs, "run_cells", run_cells)
    limits = Limits(total_seconds=total_seconds)
    settings = SimpleNamespace(limits=limits, seed=1)
    kernel = SimpleNamespace(kill=lambda: None, status=lambda: None)
    return SubmissionRuns(Exam(SHEET, {"5.1": ({}, {})}, settings, lambda: kernel), Answers({}))


@pytest.mark.parametrize(
    ("outcome", "doubtful"),
    [
        ({"trouble": "slow", "seconds": 30.0, "cpu_seconds": 29.0}, False),
        ({"trouble": "slow", "seconds": 30.0, "cpu_seconds": 14.0}, True),
        ({"trouble": "stuck", "seconds": 30.0, "cpu_seconds": 0.1}, True),
        ({"trouble": "slow", "seconds": 30.0}, False),  # not known
        ({"trouble": "died", "seconds": 30.0, "cpu_seconds": 0.1}, False),
        ({"trouble": "", "seconds": 30.0, "cpu_seconds": 0.1}, False),
    ],
)
def test_who_had_little_of_the_processors_may_have_been_held_up(monkeypatch, outcome, doubtful):
    mine = runs(monkeypatch, **outcome)
    mine.run()
    assert mine.is_doubtful == doubtful


def test_when_the_time_is_over_nothing_is_run_any_more(monkeypatch):
    mine = runs(monkeypatch, total_seconds=0.0, trouble="died")
    found = mine.run()["5.1"]
    assert found.status == "timeout"
    assert "longer than 0 s" in found.message
    assert not mine.is_doubtful
