"""Late work loses points for each started day, and a person's word goes before recorded times."""

import time
from dataclasses import replace
from datetime import datetime

import pytest

from course.grading.books.course_file import CourseFile
from course.grading.books.due import lateness_unknown, with_lateness, without_times
from course.grading.reading.layouts import Person
from tests.course.grading.books.samples import result, task

DUE = {"05_square": datetime(2026, 11, 20, 23, 59)}
COURSE = CourseFile(due=DUE, points_per_day=1)
NO_LOSS = CourseFile(due=DUE)
COURSES = {"": COURSE, "no loss": NO_LOSS, "no due": CourseFile(points_per_day=1)}
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


def late(*tasks, handed_in=LATE, **more):
    """Return the work of Ada, who has 3 points if no tasks are given."""
    return result("Ada", "05_square", *tasks, handed_in=handed_in, **more)


@pytest.mark.parametrize("row", LATENESS.splitlines())
def test_each_started_day_takes_points(row):
    handed_in, course, said, lost, sentence = map(str.strip, row.split("|"))
    hours = float(said.removesuffix(" h")) if "h" in said else None
    due = datetime.fromisoformat(said) if "-" in said else None
    after = with_lateness(late(handed_in=handed_in), COURSES[course], hours, due)
    assert (after.tasks[0].points, after.tasks[0].lost) == (3 - float(lost), float(lost))
    assert ("This takes" in after.lateness) == (lost != "0")
    assert after.lateness.startswith(f"Handed in {sentence}") if sentence else not after.lateness


SHARES = """\
3 4 3 -> 0.6 0.8 0.6
2.5 0 1 -> 1.4286 0 0.5714
0.5 1 -> 0.5 1
0 ->  0"""


@pytest.mark.parametrize("row", SHARES.splitlines())
def test_tasks_lose_in_proportion_and_together_what_is_taken_and_points_by_hand_stay(row):
    points, lost = ([float(one) for one in part.split()] for part in row.split("->"))
    left = task("5.9", 2, by_hand=True), task(status="grader-error")
    tasks = with_lateness(late(*(task(points=one) for one in points), *left), COURSE).tasks
    assert [one.lost for one in tasks] == [*lost, 0, 0]
    assert [one.points + one.lost for one in tasks[:-2]] == pytest.approx(points)
    assert tasks[-2:] == left


def test_a_mark_without_a_time_asks_where_it_may_take_points():
    marked = late(handed_in="", marked_late=True)
    assert lateness_unknown(marked, COURSE).startswith("The platform marks it")
    settled = [marked, replace(marked, tasks=(FAILED,)), late(marked_late=True), late(handed_in="")]
    courses = NO_LOSS, COURSE, COURSE, COURSE
    assert not any(map(lateness_unknown, settled, courses))


def test_work_without_a_recorded_time_is_counted_where_lateness_takes_points():
    blind = late(handed_in="")
    others = [replace(blind, person=Person("Ada", "canvas")), replace(blind, lateness="late")]
    others += [replace(blind, tasks=(ABSENT,)), late()]
    (said,) = without_times([blind, blind, *others], COURSE)
    assert said == "Submissions without a recorded time, which count as in time: 2."
    assert not without_times(others, COURSE)
    assert not without_times([blind], NO_LOSS)
