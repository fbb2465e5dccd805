"""Who may have been held up by others is graded again, by itself, when all others are done."""

import pytest

from course.grading.grade_class import answers_of


class Pool:
    """Gives answers as they are laid down for each job, and notes what ran together."""

    def __init__(self, **answers: list) -> None:
        self.answers, self.together = answers, []

    def run(self, jobs: list[str]):
        self.together.append(jobs)
        for job in jobs:
            yield job, self.answers[job].pop(0)


def answer(doubtful: bool = False, **more) -> dict:
    return {"doubtful": doubtful, **more}


def test_each_is_done_alone_after_the_others_and_what_comes_then_is_kept():
    pool = Pool(
        held_up=[answer(True), answer(passed=True)],
        sleeps=[answer(True), answer(True, again=True)],
        good=[answer()],
    )
    found = dict(answers_of(pool, ["held_up", "sleeps", "good"]))
    assert pool.together == [["held_up", "sleeps", "good"], ["held_up"], ["sleeps"]]
    assert found["held_up"]["passed"]
    assert found["sleeps"]["again"]
    assert list(found) == ["good", "held_up", "sleeps"]


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [(None, answer(), answer()), (None, None, None), (answer(True), None, answer(True))],
)
def test_a_job_that_ends_its_worker_has_another_chance_and_loses_no_answer(first, second, kept):
    assert dict(answers_of(Pool(job=[first, second]), ["job"])) == {"job": kept}
