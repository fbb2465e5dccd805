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


def run(monkeypatch, total_seconds: float, *outcome) -> tuple[SubmissionRuns, str]:
    """Run a submission whose only cell ends in this way; return its runs, and what is said."""

    def run_cells(cells, _kernel, _seconds, on_cell, **_more):
        on_cell(Outcome(cells[0], [], *outcome))

    monkeypatch.setattr(submission_runs, "run_cells", run_cells)
    settings = SimpleNamespace(limits=Limits(total_seconds=total_seconds), seed=1)
    kernel = SimpleNamespace(kill=lambda: None, status=lambda: None)
    runs = SubmissionRuns(Exam(SHEET, {"5.1": ({}, {})}, settings, lambda: kernel), Answers({}))
    return runs, runs.run()["5.1"].message


@pytest.mark.parametrize(
    ("outcome", "doubtful"),
    [
        (("slow", 30.0, 29.0), False),
        (("slow", 30.0, 14.0), True),
        (("stuck", 30.0, 0.1), True),
        (("slow", 30.0), False),  # not known
        (("died", 30.0, 0.1), False),
        (("", 30.0, 0.1), False),
    ],
)
def test_what_had_little_of_the_processors_may_have_been_held_up(monkeypatch, outcome, doubtful):
    runs, _ = run(monkeypatch, 100.0, *outcome)
    assert runs.is_doubtful == doubtful


def test_when_the_time_is_over_nothing_is_run_any_more(monkeypatch):
    runs, said = run(monkeypatch, 0.0, "stuck", 30.0, 0.1)
    assert "longer than 0 s" in said
    assert not runs.is_doubtful


A, B, MINE = "class A: pass", "class B: pass", "class A: mine = 1"
GAPS = Sheet(
    "x", ("3.1",), tuple(SheetCell(n, "answer", "3.1", s) for n, s in [("a", A), ("b", B)])
)


@pytest.mark.parametrize(
    ("given", "run"),
    [
        ({"a": MINE}, {"a": MINE, "b": B}),
        ({"a": MINE, "b": " \n"}, {"a": MINE, "b": B}),
        ({"a": f"{MINE}\n{B}"}, {"a": f"{MINE}\n{B}", "b": ""}),
        ({"b": "1 +"}, {"a": A, "b": "1 +"}),
    ],
)
def test_a_cell_without_an_answer_is_as_given_unless_another_one_defines_the_same(given, run):
    assert without_gaps(GAPS, Answers(given)) == run
