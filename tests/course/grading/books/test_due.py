"""Late work loses points for each started day, and a person's word goes before recorded times."""

import time
from datetime import datetime

import pytest

from course.grading.books.course_file import CourseFile
from course.grading.books.due import lateness_unknown, with_lateness, without_times
from course.grading.reading.layouts import Person
from tests.course.grading.books.samples import result, task

DUE = {"05_square": datetime(2026, 11, 20, 23, 59)}
COURSE = CourseFile(due=DUE, points_per_day=1)
NO_DUE, NO_LOSS = CourseFile(points_per_day=1), CourseFile(due=DUE)
COURSES = {"no due": NO_DUE, "no loss": NO_LOSS, "": COURSE}
COURSES["at most"] = CourseFile(due=DUE, points_per_day=2, at_most=2.5)
LATE = "2026-11-22T10:00:00"
FAILED, ABSENT = (task(points=0, status=status) for status in ("failed", "missing"))
# When it was handed in, what course.toml and a person say, and the points that it loses of 3.
LATENESS = """\
2026-11-20T23:59:00       |         |                  | 0 |
2026-11-20T23:59:01       |         |                  | 1 | 1 minute late: it was due on 2026-11-20
2026-11-21T23:59:00       |         |                  | 1 | 24 hours late
2026-11-21T23:59:01       |         |                  | 2 | 25 hours late
2026-12-24T00:00:00       |         |                  | 3 | 793 hours late
2026-12-24T00:00:00       | no loss |                  | 0 | 793 hours late
2026-11-22T10:00:00       | at most |                  | 2.5 | 35 hours late
2026-11-20T22:00:00+00:00 |         |                  | 1 | 1 minute late
2026-11-22T01:00:00       |         | 2026-11-21T23Z   | 0 |
2026-11-22T10:00:00       |         | 2026-11-22T09:00 | 1 | 60 minutes late: it was due on
2026-11-22T10:00:00       |         | 1.5 h            | 1 | 2 hours late: it was due
2026-11-22T10:00:00       |         | 0 h              | 0 |
                          |         | 27 h             | 2 | 27 hours late: it was due on 2026-11-20
                          | no due  | 27 h             | 2 | 27 hours late. This takes 2 points.
                          |         |                  | 0 |"""


@pytest.fixture(autouse=True)
def zone(monkeypatch):
    """Let the machine be two hours east of Greenwich."""
    monkeypatch.setenv("TZ", "XXX-2")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def judged(handed_in, *tasks, course=COURSE, **decision):
    """Return the work of Ada, who has 3 points if no tasks are given."""
    return with_lateness(
        result("Ada", "05_square", *tasks, handed_in=handed_in), course, **decision
    )


@pytest.mark.parametrize("row", LATENESS.splitlines())
def test_each_started_day_takes_points(row):
    handed_in, course, said, lost, sentence = map(str.strip, row.split("|"))
    decision = {"due": datetime.fromisoformat(said)} if "-" in said else {}
    decision |= {"hours": float(said.split()[0])} if "h" in said else {}
    after = judged(handed_in, course=COURSES[course], **decision)
    assert (after.tasks[0].points, after.tasks[0].lost) == (3 - float(lost), float(lost))
    assert after.lateness.startswith(f"Handed in {sentence}") if sentence else not after.lateness


@pytest.mark.parametrize("own", [task(by_hand=True), FAILED, task(status="grader-error")])
def test_where_nothing_is_taken_only_the_lateness_is_said(own):
    after = judged(LATE, own)
    assert after.tasks == (own,)
    assert after.lateness == "Handed in 35 hours late: it was due on 2026-11-20 at 23:59."


@pytest.mark.parametrize(
    ("points", "lost"),
    [
        ((3, 4, 3), (0.6, 0.8, 0.6)),
        ((2.5, 0, 1), (1.4286, 0, 0.5714)),
        ((0.5, 1), (0.5, 1)),
    ],
)
def test_tasks_lose_in_proportion_and_together_what_is_taken(points, lost):
    by_hand = task("5.9", 2 / 3, by_hand=True)
    after = judged(LATE, *(task(points=one) for one in points), by_hand)
    assert [one.lost for one in after.tasks] == [*lost, 0]
    assert sum(lost) == pytest.approx(min(2, sum(points)))
    assert [one.points + one.lost for one in after.tasks] == pytest.approx([*points, 2 / 3])


def of(platform, *tasks, **more):
    return result("Ada", "05_square", *tasks, person=Person("Ada", platform), **more)


@pytest.mark.parametrize(
    ("one", "course", "said"),
    [
        (of("canvas", marked_late=True), COURSE, "The platform marks it"),
        (of("canvas", marked_late=True, handed_in=LATE), COURSE, ""),
        (of("canvas", marked_late=True), NO_LOSS, ""),
        (of("canvas", FAILED, marked_late=True), COURSE, ""),
        (of("canvas"), COURSE, ""),
    ],
)
def test_a_mark_without_a_time_asks_where_it_may_take_points(one, course, said):
    assert lateness_unknown(one, course)[: len(said) or None] == said


def test_work_without_a_recorded_time_is_counted_where_lateness_takes_points():
    others = [of("canvas"), of("", lateness="late"), of("", ABSENT), of("", handed_in=LATE)]
    (said,) = without_times([of(""), of("moodle"), *others], COURSE)
    assert said == "Submissions without a recorded time, which count as in time: 2."
    assert not without_times(others, COURSE)
    assert not without_times([of("")], NO_LOSS)
