"""A task that did not earn all in the whole notebook has another chance by itself."""

import pytest

from course.grading.grade_submission import _better, _confirmed
from course.grading.judge_cells import Judged
from course.grading.results import EarnedPart


def partly(earned: int) -> Judged:
    """Return what a task of four parts shows that earned some of them."""
    parts = tuple(EarnedPart(str(n), 0.5, n < earned) for n in range(4))
    return Judged("partly" if earned else "failed", "wrong-factor", parts=parts)


class Runs:
    """Shows for a task that runs alone what it was told."""

    def __init__(self, alone: Judged, is_over: bool = False) -> None:
        self.alone, self.is_over = alone, is_over

    def run(self, task: str) -> dict[str, Judged]:
        return {task: self.alone}


PASSED, ERROR, LATE = Judged("passed", "ok"), Judged("error"), Judged("timeout")


@pytest.mark.parametrize(
    ("together", "alone", "share"),
    [
        (partly(1), partly(3), 0.75),
        (partly(3), partly(1), 0.75),
        (partly(3), PASSED, 1.0),
        (partly(3), LATE, 0.75),
        (ERROR, partly(1), 0.25),
        (partly(0), ERROR, 0.0),
    ],
)
def test_the_better_of_two_runs_is_the_one_with_more_points(together, alone, share):
    for is_over in (False, True):
        assert _better(Runs(alone, is_over), together, "5.1").share == share


def test_beside_an_answer_that_may_have_read_something_only_what_is_said_alone_counts():
    message = "answer-5-2 raised ValueError: a secret of another answer."
    said = Judged("error", message=message, raised=(("ValueError", message),))
    alone = Judged("error", message="answer-5-2 raised NameError: name 'read' is not defined.")
    assert _better(Runs(alone), said, "5.2", only_alone=True) == alone


def test_a_task_that_was_not_reached_is_what_it_is_alone():
    assert _better(Runs(ERROR), Judged(""), "5.1") == ERROR


@pytest.mark.parametrize(
    ("together", "alone", "status"),
    [
        (PASSED, PASSED, "passed"),
        (PASSED, partly(3), "not-gradable"),
        (partly(3), partly(1), "not-gradable"),
        (partly(3), ERROR, "not-gradable"),
        (partly(3), partly(3), "partly"),
        (partly(1), partly(3), "partly"),
    ],
)
def test_points_that_are_earned_only_beside_other_answers_are_for_a_person(together, alone, status):
    found = _confirmed(Runs(alone), together, "5.1")
    assert found.status == status
    assert found.parts == (alone.parts if status == "partly" else ())


def test_where_no_time_is_left_the_reason_is_said():
    found = _confirmed(Runs(LATE, is_over=True), partly(3), "5.1")
    assert (found.status, found.share) == ("not-gradable", 0)
    assert "no time was left" in found.message


def test_what_an_answer_uses_of_another_one_is_named():
    alone = Judged("error", message="answer-0-3 raised NameError: name 'gradients' is not defined.")
    found = _confirmed(Runs(alone), PASSED, "0.3")
    assert found.message == ("It passes only together with other answers: it uses `gradients`.")
