"""A report of several weeks: late work, who is missing, and what goes back to the platform."""

from dataclasses import replace
from datetime import datetime

import pytest

from course.grading.books.course_file import CourseFile, LateRules
from course.grading.reading.people import Person
from tests.course.grading.books.class_lists import gradebook, read, worksheet
from tests.course.grading.books.importers import canvas_grades, moodle_grades
from tests.course.grading.books.reports import WORTH, Report, work

DUE = {"05_square": datetime(2026, 11, 20, 23, 59), "06_exp": datetime(2026, 11, 27, 23, 59)}
COURSE = CourseFile(due=DUE, late=LateRules(penalty_per_day=0.1))
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
    expected = {"12": 0.8 * WORTH["05_square"], "13": WORTH["05_square"]}
    assert moodle_grades(back(report, "moodle/05_square.csv")) == pytest.approx(expected)
    assert moodle_grades(back(report, "moodle/06_exp.csv")) == {"77": WORTH["06_exp"]}
    rows = report.rows("grades.csv")
    late = {row["late"] for row in rows if row["student"] == "Ada" and row["exercise"] == "06_exp"}
    assert late <= {"", "0"}


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


def test_somebody_who_may_be_missing_or_misnamed_asks_a_person(report, tmp_path):
    roster = read(tmp_path, "Name,Login\nAda Lovelace,ada\nGrace Hopper,grace\n")
    assert report.run(work("ada"), work("gh"), roster=roster, named=True) == 1
    assert "gh handed in and is not known on the list" in (report.path / "index.html").read_text()


def test_a_misspelt_extension_asks_a_person(report):
    course = CourseFile(due=DUE, late=COURSE.late, extensions={"Adda": DUE})
    assert report.run(work("Ada"), course=course) == 1
    assert "extension for" in (report.path / "index.html").read_text()


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


def test_late_work_whose_time_cannot_be_read_is_asked_for_by_name(report, tmp_path, capsys):
    week = (12, "Ada", "Samstag, 7. November 2026, 18:01"), (13, "Bo", IN_TIME)
    sheet = read(tmp_path, worksheet(*week).replace("10.00", FIVE))
    everybody = moodle("Ada", 12), moodle("Bo", 13), moodle("Cy", 14)
    assert report.run(*everybody, roster=sheet, course=COURSE) == 1
    assert "'Cy', 05_square: No grading worksheet of Moodle's says" in capsys.readouterr().err
    assert list(moodle_grades(back(report, "moodle/05_square.csv"))) == ["13"]
    assert report.totals()["Ada"][0] == ""
    report.override("Ada,05,,came in time", "Cy,05,,came in time")
    assert report.run(*everybody, roster=sheet, course=COURSE) == 0
    assert {total for total, _ in report.totals().values()} == {f"{WORTH['05_square']:g}"}


def test_a_line_for_an_earlier_doubt_hides_no_time_that_cannot_be_read(report, tmp_path):
    ada = replace(moodle("Ada", 12), doubts=("Two notebooks differ.",))
    report.override("Ada,05,,the newer one")
    sheet = read(tmp_path, worksheet((12, "Ada", IN_TIME)).replace("10.00", FIVE))
    assert report.run(ada, roster=sheet, course=COURSE) == 0
    sheet = read(tmp_path, worksheet((12, "Ada", "-")).replace("10.00", FIVE))
    assert report.run(ada, roster=sheet, course=COURSE) == 1


def test_a_draft_is_asked_for_by_name_and_may_get_0(report, tmp_path):
    text = worksheet((12, "Ada", IN_TIME)).replace("10.00", FIVE)
    sheet = read(tmp_path, text.replace("Submitted", "Draft (not submitted)"))
    assert report.run(moodle("Ada", 12), roster=sheet) == 1
    assert "calls it a draft, which was not submitted" in report.index
    assert moodle_grades(back(report, "moodle/05_square.csv")) == {}
    assert report.run(moodle("Ada", 12)) == 1  # it is known in later runs
    report.override("Ada,05,0,not submitted")
    assert report.run(moodle("Ada", 12), roster=sheet) == 0
    assert moodle_grades(back(report, "moodle/05_square.csv")) == {"12": 0}


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
