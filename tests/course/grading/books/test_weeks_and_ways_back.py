"""A report of several weeks: late work, who is missing, and what goes back to the platform."""

from datetime import datetime

import pytest

from course.grading.books.course_file import CourseFile
from course.grading.reading.people import Person
from tests.course.grading.books.class_lists import gradebook, read, worksheet
from tests.course.grading.books.importers import canvas_grades, moodle_feedback, moodle_grades
from tests.course.grading.books.reports import WORTH, Report, work
from tests.course.grading.books.samples import task

DUE = {"05_square": datetime(2026, 11, 20, 23, 59), "06_exp": datetime(2026, 11, 27, 23, 59)}
COURSE = CourseFile(due=DUE, points_per_day=1)
IN_TIME, LATE = "Friday, 20 November 2026, 9:00 AM", "Sunday, 22 November 2026, 9:00 AM"
FIVE, SIX = (f"{WORTH[name]:g}.00" for name in ("05_square", "06_exp"))


@pytest.fixture
def report(tmp_path):
    """Return a report that nothing was published into yet."""
    path = tmp_path / "report"
    path.mkdir()
    return Report(path)


def moodle(name: str, number: int, exercise: str = "05_square"):
    folder = f"{name}_{number}_assignsubmission_file"
    return work(name, exercise, person=Person(name, "moodle", str(number), folder))


def back(report: Report, name: str) -> bytes:
    return (report.path / "way_back" / name).read_bytes()


def test_late_work_of_one_week_stays_late_when_the_next_is_graded(report, tmp_path):
    first = read(tmp_path, worksheet((12, "Ada", LATE), (13, "Bo", IN_TIME)).replace("10.00", FIVE))
    report.run(moodle("Ada", 12), moodle("Bo", 13), roster=first, course=COURSE)
    second = read(tmp_path, worksheet((77, "Ada", IN_TIME)).replace("10.00", SIX))
    report.run(moodle("Ada", 77, "06_exp"), roster=second, course=COURSE)
    expected = {"12": WORTH["05_square"] - 2, "13": WORTH["05_square"]}
    assert moodle_grades(back(report, "moodle/05_square.csv")) == pytest.approx(expected)
    assert moodle_grades(back(report, "moodle/06_exp.csv")) == {"77": WORTH["06_exp"]}
    rows = report.rows("grades.csv")
    late = {row["late"] for row in rows if row["student"] == "Ada" and row["exercise"] == "06_exp"}
    assert late <= {"", "0"}


def test_feedback_says_how_late_it_was_and_goes_back_with_the_grade(report, tmp_path):
    roster = read(tmp_path, worksheet((12, "Ada", LATE)).replace("10.00", FIVE))
    assert report.run(moodle("Ada", 12), roster=roster, course=COURSE) == 0
    ((name, page),) = moodle_feedback(back(report, "moodle/05_square_feedback.zip")).values()
    assert name == "05_square.html"
    assert "Handed in 34 hours late: it was due on 2026-11-20 at 23:59." in page.decode()


def test_who_is_on_the_list_alone_is_missing_and_gets_no_zero_back(report, tmp_path):
    roster = read(tmp_path, gradebook((501, "Lovelace, Ada", ""), (502, "Hopper, Grace", "")))
    ada = work("lovelaceada", person=Person("lovelaceada", "canvas", "501", "lovelaceada_501_9_"))
    report.run(ada, roster=roster, exercises=("05_square",), named=True)
    grades = report.grades()
    assert {status for (name, _), (status, _) in grades.items() if name == "lovelaceada"} == {
        "passed"
    }
    assert {status for (name, _), (status, _) in grades.items() if name == "Hopper, Grace"} == {
        "missing"
    }
    assert len({name for name, _ in grades}) == 2
    assert "501" not in str(report.rows("summary.csv"))


def test_a_later_hand_in_of_somebody_who_was_missing_is_theirs(report, tmp_path):
    roster = read(tmp_path, "Name,Login\nAda Lovelace,ada\nGrace Hopper,grace\n")
    named = {"roster": roster, "exercises": ("05_square",), "named": True}
    report.run(work("ada"), **named)
    assert report.totals()["Grace Hopper"][0] == "0"
    report.run(work("grace"), **named)
    assert sorted(report.totals()) == ["ada", "grace"]
    assert [row["Login"] for row in report.rows("way_back/by_id.csv")] == ["ada", "grace"]


def test_somebody_who_may_be_missing_or_misnamed_asks_a_person(report, tmp_path):
    roster = read(tmp_path, "Name,Login\nAda Lovelace,ada\nGrace Hopper,grace\n")
    assert report.run(work("ada"), work("gh"), roster=roster, named=True) == 1
    assert "gh handed in and is not known on the list" in (report.path / "index.html").read_text()


def test_a_late_mark_without_a_time_waits_for_a_person_and_then_goes_back(report):
    person = Person("ada", "canvas", "501", "ada_LATE_501_9_")
    one = work("ada", person=person, marked_late=True)
    assert report.run(one, course=COURSE) == 1
    assert not (report.path / "way_back" / "canvas" / "05_square.csv").exists()
    report.override("ada,05_square,,looked at it")
    assert report.run(one, course=COURSE) == 0
    worth = f"{WORTH['05_square']:g}"
    assert canvas_grades(back(report, "canvas/05_square.csv"))[2] == {"501": worth}


def test_a_late_mark_without_a_time_asks_until_all_that_earned_points_is_set_by_hand(report):
    person = Person("ada", "canvas", "501", "ada_LATE_501_9_")
    one = work("ada", person=person, marked_late=True)
    report.override("ada,5.1,2,seen")
    assert report.run(one, course=COURSE) == 1
    report.override("ada,5.1,2,seen", "ada,5.2,4,seen", "ada,5.3,3,seen")
    assert report.run(one, course=COURSE) == 0


def test_who_handed_nothing_in_gets_a_zero_by_one_line(report, tmp_path):
    week = (12, "Ada", IN_TIME), (13, "Omar Al-Sayed", "-")
    sheet = read(tmp_path, worksheet(*week).replace("10.00", FIVE))
    named = {"roster": sheet, "exercises": ("05_square",), "named": True}
    assert report.run(moodle("Ada", 12), **named) == 0
    assert list(moodle_grades(back(report, "moodle/05_square.csv"))) == ["12"]
    report.override("Omar Al-Sayed,05_square,0,not handed in")
    assert report.run(moodle("Ada", 12), **named) == 0
    assert moodle_grades(back(report, "moodle/05_square.csv")) == {
        "12": WORTH["05_square"],
        "13": 0,
    }
    report.override("Omar Al-Sayed,05_square,3,not handed in")
    assert report.run(moodle("Ada", 12), **named) == 1
    assert "of a whole exercise no points can be set but 0" in report.index


def test_nothing_that_a_person_has_to_look_at_goes_back(report):
    doubtful = task("5.1", 0, "not-gradable", max_points=3, message="It uses gc.")
    one = work("Ada", person=Person("Ada", "moodle", "12", ""), t5_1=doubtful)
    assert report.run(one) == 1
    assert moodle_grades(back(report, "moodle/05_square.csv")) == {}
    report.override("Ada,5.1,1.5,shown at the blackboard")
    assert report.run(one) == 0
    rest = WORTH["05_square"] - 3
    assert moodle_grades(back(report, "moodle/05_square.csv")) == {"12": 1.5 + rest}


def test_a_second_run_writes_the_same_bytes(report, tmp_path):
    roster = read(tmp_path, worksheet((12, "Ada", LATE)).replace("10.00", FIVE))
    several = []
    for _ in range(2):
        report.run(moodle("Ada", 12), roster=roster, course=COURSE)
        files = sorted(path for path in report.path.rglob("*") if path.is_file())
        several.append([(path.name, path.read_bytes()) for path in files])
    assert several[0] == several[1]


@pytest.mark.parametrize("others", [("Ada Lovelace", "Bob"), ("Bob",)])
def test_nothing_goes_back_to_a_row_that_a_folder_only_claims(report, tmp_path, others):
    text = "Name,Username\nAda Lovelace,alovelace\nBob,b18\n"
    roster = read(tmp_path, text)
    results = [work(name) for name in (*others, "alovelace")]
    assert report.run(*results, roster=roster) == 1
    rows = report.rows("way_back/by_id.csv")
    assert [row["05_square"] for row in rows if row["Username"] == "alovelace"] == [""]
    assert [row["05_square"] for row in rows if row["Username"] == "b18"] != [""]
    assert "no points of theirs go back" in report.index
    assert "it is not certain who it is: alovelace." in report.index
