"""A task that did not earn all in the whole notebook has another chance by itself."""

from dataclasses import replace

import pytest

from course.grading.grade_submission import _ONLY_TOGETHER, _better, _confirmed
from course.grading.results import EarnedPart, Judged


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
UNDEFINED = Judged("error", message="answer-5-1 raised NameError: name 'g' is not defined.")
SECRET = Judged("error", raised="ValueError: a secret of another answer")


@pytest.mark.parametrize(
    ("together", "alone", "suspicious", "found"),
    [
        (partly(1), partly(3), False, partly(3)),
        (partly(3), partly(1), False, partly(3)),
        (partly(3), PASSED, False, PASSED),
        (partly(3), LATE, False, partly(3)),
        (ERROR, partly(1), False, partly(1)),
        (partly(0), ERROR, False, partly(0)),
        (Judged(""), ERROR, False, ERROR),
        (SECRET, ERROR, True, ERROR),  # it may have read something
        (SECRET, ERROR, False, SECRET),
    ],
)
def test_the_better_of_two_runs_is_the_one_with_more_points(together, alone, suspicious, found):
    for is_over in (False, True):
        runs = Runs(alone, is_over)
        assert _better(runs, together, "5.1", only_alone=suspicious) == found


@pytest.mark.parametrize(
    ("together", "alone", "is_kept"),
    [
        (PASSED, PASSED, True),
        (partly(3), partly(3), True),
        (partly(1), partly(3), True),
        (PASSED, partly(3), False),
        (partly(3), UNDEFINED, False),
        (partly(3), LATE, False),
    ],
)
def test_points_that_are_earned_only_beside_other_answers_are_for_a_person(
    together, alone, is_kept
):
    said = f"{_ONLY_TOGETHER} {alone.message}".strip()
    asked = replace(together, status="not-gradable", message=said, parts=(), raised=alone.raised)
    assert _confirmed(Runs(alone), together, "5.1") == (alone if is_kept else asked)
