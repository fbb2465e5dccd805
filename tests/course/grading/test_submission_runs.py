"""A timeout is the student's own only if the notebook had the processors meanwhile."""

from types import SimpleNamespace

import pytest

from course.grading import submission_runs
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet, SheetCell
from course.grading.settings import Limits
from course.grading.submission_runs import Exam, SubmissionRuns, without_gaps
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


def test_a_cell_without_an_answer_is_as_given_unless_another_one_has_what_is_due_there():
    layer, function = "class Layer:\n    pass", "class Function:\n    pass"
    cells = (SheetCell("a", "answer", "3.1", function), SheetCell("b", "answer", "3.1", layer))
    sheet = Sheet("x", ("3.1",), cells)
    mine = function.replace("pass", "mine = 1")
    assert without_gaps(sheet, Answers({"a": mine})) == {"a": mine, "b": layer}
    assert without_gaps(sheet, Answers({"a": mine, "b": " \n"})) == {"a": mine, "b": layer}
    both = f"{mine}\n{layer}"
    for answers in ({"a": both}, {"a": both, "b": ""}):
        assert without_gaps(sheet, Answers(answers)) == {"a": both, "b": ""}
    assert without_gaps(sheet, Answers({"b": "1 +"})) == {"a": function, "b": "1 +"}
