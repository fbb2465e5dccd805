"""A timeout is the student's own only if the notebook had the processors meanwhile."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from course.grading import submission_runs
from course.grading.inside import TOO_MUCH_MEMORY, TOO_MUCH_TIME
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet, SheetCell
from course.grading.settings import Limits
from course.grading.submission_runs import Exam, SubmissionRuns, without_gaps
from course.notebooks.nbval_run import Outcome

SHEET = Sheet("x", ("5.1",), (SheetCell("answer-5-1", "answer", "5.1", ""),))


@pytest.fixture
def run(monkeypatch):
    """Return a function that gives the runs of a notebook whose first cell ends like this."""

    def made(outcome, ended=None, **limits):
        def run_cells(cells, _kernel, _seconds, on_cell, **_more):
            on_cell(Outcome(cells[0], [], *outcome))

        monkeypatch.setattr(submission_runs, "run_cells", run_cells)
        settings = SimpleNamespace(limits=Limits(**limits), seed=1)
        kernel = nullcontext(SimpleNamespace(status=lambda: ended))
        return SubmissionRuns(Exam(SHEET, {"5.1": ({}, {})}, settings, lambda: kernel), Answers({}))

    return made


@pytest.mark.parametrize(
    ("outcome", "total_seconds", "doubtful"),
    [
        (("slow", 30.0, 29.0), 100.0, False),
        (("slow", 30.0, 14.0), 100.0, True),
        (("stuck", 30.0, 0.1), 100.0, True),
        (("slow", 30.0), 100.0, False),  # not known
        (("died", 30.0, 0.1), 100.0, False),
        (("", 30.0, 0.1), 100.0, False),
        (("stuck", 30.0, 0.1), 0.0, False),  # nothing is run any more
    ],
)
def test_what_had_little_of_the_processors_may_have_been_held_up(
    run, outcome, total_seconds, doubtful
):
    runs = run(outcome, total_seconds=total_seconds)
    said = runs.run()["5.1"].message
    assert runs.is_doubtful == doubtful
    assert ("longer than 0 s" in said) == (not total_seconds)


@pytest.mark.parametrize(
    ("ended", "status", "said"),
    [
        (TOO_MUCH_MEMORY, "died", "It used more memory than 2048 MB."),
        (TOO_MUCH_TIME, "timeout", "It used more than 120 s of processor time."),
        (None, "died", "The cell answer-5-1 ended Python."),
    ],
)
def test_what_took_too_much_is_told_so(run, ended, status, said):
    found = run(("died", 1.0, 1.0), ended).run()["5.1"]
    assert (found.status, found.message) == (status, said)


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
