"""Late work loses what course.toml says, and never because of the time of a download."""

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from course.grading.books.course_file import CourseFile, LateRules
from course.grading.books.late import (
    unknown_extensions,
    with_doubts_on_times,
    with_lateness,
    without_times,
)
from course.grading.books.roster import RosterEntry
from course.grading.reading.people import Person
from tests.course.grading.books.samples import result, task

DUE = datetime(2026, 11, 20, 23, 59)
TEN_PERCENT = LateRules(penalty_per_day=0.1)


@pytest.fixture(autouse=True)
def zone(monkeypatch):
    """Let the machine be two hours east of Greenwich."""
    monkeypatch.setenv("TZ", "XXX-2")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def course(late=TEN_PERCENT, **more):
    return CourseFile(due={"05_square": DUE}, late=late, **more)


def handed_in(when, *tasks, platform="nbgrader", **more):
    return result(
        "Ada", "05_square", *tasks, person=Person("Ada", platform), handed_in=when, **more
    )


def judged(one, rules=None):
    rules = rules or course()
    (after,) = with_lateness(with_doubts_on_times([one], rules), rules)
    return after


def moodle(number, *tasks, **more):
    return result("Ada", "05_square", *tasks, person=Person("Ada", "moodle", number), **more)


@pytest.mark.parametrize(
    ("when", "points", "said"),
    [
        ("2026-11-20T23:59:00", 3, ""),
        ("2026-11-20T23:59:01", 2.7, "1 minute late"),
        ("2026-11-21T09:00:00", 2.7, "10 hours late"),
        ("2026-11-21T23:59:00", 2.7, "24 hours late"),
        ("2026-11-22T00:00:00", 2.4, "2 days late"),
        ("2026-12-24T00:00:00", 0, "34 days late"),
    ],
)
def test_each_started_day_counts(when, points, said):
    after = judged(handed_in(when))
    assert after.tasks[0].points == points
    assert after.tasks[0].lost == pytest.approx(3 - points)
    assert said in after.lateness
    assert bool(after.lateness) == bool(said)
    assert after.doubts == ()


def test_the_student_reads_how_late_and_what_it_takes():
    assert judged(handed_in("2026-11-22T10:00:00")).lateness == (
        "Handed in 2 days late: it was due on 2026-11-20 at 23:59. "
        "20 % of the points are taken for that."
    )


def test_the_time_is_said_in_the_zone_in_which_it_was_written():
    due = datetime(2026, 11, 20, 23, 59, tzinfo=timezone(timedelta(hours=-5)))
    after = judged(handed_in("2026-11-21T07:00:00"), CourseFile(due={"05_square": due}))
    assert after.lateness == "Handed in 1 minute late: it was due on 2026-11-20 at 23:59."


@pytest.mark.parametrize("own", [task(by_hand=True), task(points=0, status="failed")])
def test_where_nothing_is_taken_nothing_is_said_of_it(own):
    after = judged(handed_in("2026-11-21T10:00:00", own))
    assert after.lateness == "Handed in 11 hours late: it was due on 2026-11-20 at 23:59."


def test_without_a_penalty_lateness_is_shown_and_takes_nothing():
    after = judged(handed_in("2026-11-22T10:00:00"), course(LateRules()))
    assert (after.tasks[0].points, after.tasks[0].lost) == (3, 0)
    assert after.lateness == "Handed in 2 days late: it was due on 2026-11-20 at 23:59."


@pytest.mark.parametrize(
    ("when", "points"),
    [("2026-11-21T00:29:00", 3), ("2026-11-21T00:30:00", 2.7), ("2026-11-22T00:29:00", 2.7)],
)
def test_days_count_from_the_end_of_the_grace(when, points):
    rules = course(LateRules(timedelta(minutes=30), 0.1))
    assert judged(handed_in(when), rules).tasks[0].points == points


def test_all_days_together_take_no_more_than_the_most():
    rules = course(LateRules(penalty_per_day=0.1, at_most=0.5))
    assert judged(handed_in("2027-01-01T00:00:00"), rules).tasks[0].points == 1.5


def test_every_task_loses_its_share_and_points_by_hand_stay():
    tasks = task("5.1", 3), task("5.2", 1.5), task("5.3", 2, by_hand=True), task("5.4", 0, "failed")
    after = judged(handed_in("2026-11-21T10:00:00", *tasks))
    assert [one.points for one in after.tasks] == [2.7, 1.35, 2, 0]
    assert [one.lost for one in after.tasks] == [0.3, 0.15, 0, 0]


def test_what_has_no_grade_yet_loses_nothing():
    after = judged(handed_in("2026-11-21T10:00:00", task("5.1", 0, "grader-error")))
    assert after.tasks[0].lost == 0


def test_nothing_handed_in_is_not_late():
    one = handed_in("", task("5.1", 0, "missing"), marked_late=True)
    assert judged(one) == one


def test_an_extension_is_the_students_own_due_date():
    until = {"05_square": datetime(2026, 11, 22, 23, 59)}
    own = course(extensions={"Ada": until})
    other = course(extensions={"Bo": until})
    assert judged(handed_in("2026-11-22T10:00:00"), own).lateness == ""
    assert judged(handed_in("2026-11-23T10:00:00"), own).tasks[0].points == 2.7
    assert judged(handed_in("2026-11-22T10:00:00"), other).tasks[0].points == 2.4


def of(name, called="", when="2026-11-22T10:00:00"):
    return result(name, person=Person(name, "nbgrader", called=called), handed_in=when)


@pytest.mark.parametrize("names", [(), ("Mallory", "Ada Lovelace")])
def test_who_takes_the_name_of_another_gets_nothing_of_theirs(names):
    rules = course(extensions={"Ada Lovelace": {"05_square": datetime(2026, 11, 30)}})
    ada, mallory = of("Ada Lovelace"), of("Mallory", "Ada Lovelace")
    found = [mallory] if names else [ada, mallory]  # Ada may have handed nothing in so far
    *_, after = with_lateness(found, rules, names=names)
    assert "2 days late" in after.lateness
    assert unknown_extensions(found, rules, names) == []
    if not names:
        assert with_lateness(found, rules)[0].lateness == ""


def test_an_extension_for_a_name_that_two_have_asks_whose_it_is():
    rules = course(extensions={"Ada": {"05_square": datetime(2026, 11, 30)}})
    found = [of("Ada (1)", "Ada"), of("Ada (2)", "Ada")]
    assert all("2 days late" in one.lateness for one in with_lateness(found, rules))
    (said,) = unknown_extensions(found, rules)
    assert "2 students are called 'Ada': write which one" in said
    (one,) = with_lateness(found[:1], rules)
    assert one.lateness == ""


def test_extensions_of_one_student_under_two_names_add_up():
    until = datetime(2026, 11, 30)
    rules = course(extensions={"Ada": {"06_exp": until}, "ada": {"05_square": until}})
    assert with_lateness([of("Ada", "ada")], rules)[0].lateness == ""


@pytest.mark.parametrize(
    ("due", "when", "is_late"),
    [
        (datetime(2026, 11, 20, 21, 59, tzinfo=UTC), "2026-11-20T23:59:00", False),
        (datetime(2026, 11, 20, 21, 59, tzinfo=UTC), "2026-11-21T00:00:00", True),
        (DUE, "2026-11-20T21:59:00+00:00", False),
        (DUE, "2026-11-20T22:00:00+00:00", True),
        (DUE.replace(tzinfo=timezone(timedelta(hours=-5))), "2026-11-21T06:59:00", False),
    ],
)
def test_a_time_without_a_zone_is_one_of_this_machine(due, when, is_late):
    after = judged(handed_in(when), CourseFile(due={"05_square": due}))
    assert bool(after.lateness) == is_late


@pytest.mark.parametrize("platform", ["", "moodle", "canvas"])
def test_the_time_of_a_file_takes_nothing(platform):
    one = handed_in("2027-01-01T00:00:00", platform=platform)
    after = judged(one)
    assert (after.tasks, after.lateness) == (one.tasks, "")
    assert bool(after.doubts) == (platform == "moodle")


def test_the_grading_worksheet_says_when_moodles_participants_handed_in():
    late, other_week = moodle("12"), moodle("7")
    times = {"12": RosterEntry("", handed_in="2026-11-22T10:00:00")}
    after, unknown = with_lateness([late, other_week], course(), times)
    assert (after.tasks[0].points, after.handed_in) == (2.4, "2026-11-22T10:00:00")
    assert unknown == other_week


def test_a_mark_without_a_time_asks_a_person_where_it_would_take_points():
    one = handed_in("", platform="canvas", marked_late=True)
    after = judged(one)
    assert after.tasks == one.tasks
    assert after.lateness == "Handed in late."
    assert len(after.doubts) == 1
    assert "does not say how late" in after.doubts[0]
    assert judged(one, course(LateRules())).doubts == ()


SHEET = {
    "1": RosterEntry("", handed_in="2026-11-20T10:00:00"),
    "2": RosterEntry(""),
}


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("2", "Moodle's grading worksheet says no time of it that can be read, so that nobody"),
        ("3", "No grading worksheet of Moodle's says when it came"),
    ],
)
def test_work_of_which_a_worksheet_says_no_time_asks_a_person_by_name(number, said):
    results = [moodle("1"), moodle(number)]
    known, asked = with_doubts_on_times(results, course(), SHEET)
    assert known.doubts == ()
    assert said in asked.doubts[0]
    assert "give a new worksheet of this exercise, downloaded in English" in asked.doubts[0]
    assert without_times(results, course()) == []


def test_where_lateness_takes_nothing_no_time_asks_nobody():
    results = [moodle("1"), moodle("2")]
    for rules in (course(LateRules()), CourseFile(late=TEN_PERCENT)):
        assert with_doubts_on_times(results, rules, SHEET) == results
    failed = [moodle("1"), moodle("2", task(points=0, status="failed"))]
    assert with_doubts_on_times(failed, course(), SHEET) == failed


def test_a_draft_asks_a_person_even_where_nothing_is_due():
    times = {"1": RosterEntry("", handed_in="2026-11-20T10:00:00", is_draft=True)}
    (after,) = with_doubts_on_times([moodle("1")], CourseFile(), times)
    assert "calls it a draft, which was not submitted" in after.doubts[0]
    absent = [moodle("1", task(status="missing"))]
    assert with_doubts_on_times(absent, CourseFile(), times) == absent


def test_a_time_goes_before_the_mark():
    one = handed_in("2026-11-20T10:00:00", platform="blackboard", marked_late=True)
    assert (judged(one).lateness, judged(one).doubts) == ("", ())


def test_a_malformed_time_is_no_time():
    one = handed_in("yesterday")
    assert judged(one) == one


def test_an_extension_for_nobody_is_named():
    rules = course(extensions={"Adda": {"05_square": DUE}, "Ada": {"05_square": DUE}})
    (said,) = unknown_extensions([handed_in("2026-11-20T10:00:00")], rules)
    assert said == (
        "course.toml has an extension for 'Adda', which nobody gets: no student is called 'Adda': "
        "copy the name from grades.csv."
    )


@pytest.mark.parametrize("called", ["Thomas Schmidt", ""])
def test_an_extension_of_namesakes_says_how_to_name_one_and_is_nobodys(called):
    names = ["Thomas Schmidt (a@x.org)", "Thomas Schmidt (b@x.org)"]
    late = [
        result(name, "05_square", person=Person(name, "nbgrader", called=called)) for name in names
    ]
    late = [replace(one, handed_in="2026-11-21T10:00:00") for one in late]
    until = {"05_square": datetime(2026, 11, 22)}
    rules = course(extensions={"Thomas Schmidt": until})
    (said,) = unknown_extensions(late, rules)
    assert said.endswith(
        f"2 students are called 'Thomas Schmidt': write which one, as {names[0]!r} or {names[1]!r}."
    )
    assert [one.tasks[0].points for one in with_lateness(late, rules)] == [2.7, 2.7]
    rules = course(extensions={names[1]: until})
    assert unknown_extensions(late, rules) == []
    assert [one.tasks[0].points for one in with_lateness(late, rules)] == [2.7, 3]


def test_work_of_which_no_time_is_known_is_counted_where_a_penalty_is_set():
    results = [
        handed_in("", platform=""),
        handed_in("", platform="moodle"),
        handed_in("2026-11-20T10:00:00"),
        handed_in("", platform="canvas", marked_late=True),
        handed_in("", platform="canvas"),
        handed_in("", task(status="missing"), platform="moodle"),
    ]
    (said,) = without_times(results, course())
    assert said.startswith("05_square: of 1 submission no time is known")
    assert without_times(results, course(LateRules())) == []
