"""A report holds every week, and nobody gets a silent zero."""

import shutil

import pytest

from course.grading.books.assign import Pending
from course.grading.books.course_file import CourseFile
from course.grading.books.roster import RosterEntry
from course.grading.reading.layouts import Person
from tests.course.grading.books.class_lists import read
from tests.course.grading.books.reports import TASKS, Report, work
from tests.course.grading.books.samples import result, task

EXP, SINH = (sum(task.points for task in TASKS[name]) for name in ("06_exp", "07_sinh"))
BOTH = f"{10 + EXP:g}"
SCRIPT = Pending("Eva", "05_square", "Eva/a.py", "It is a script.")

# Lines, then the total of somebody who handed in nothing, and the exit status.
BY_HAND = """\
Bo,5.1,1.5,at the blackboard; Bo,05,0, -> 1.5, 0
Bo,5.1,1.5,at the blackboard -> , 1
Bo,05,accept, -> 0, 0
Bo,05,0,; Adda,5.1,2,; Ada,5.1,two, -> 0, 1"""


@pytest.fixture
def roster(tmp_path):
    """Return a list of the class."""
    return read(tmp_path, "Name,Login\nAda,ada\nBo,bo\n")


def open_of(report: Report) -> set[str]:
    """Return who has no total yet."""
    return {name for name, (total, _) in report.totals().items() if not total}


def test_weeks_add_up_and_what_was_not_handed_in_is_missing_and_needs_nobody(report, capsys):
    assert report.run(work("Ada"), people="Bo Cy") == 0
    assert report.pages() == ["Ada/05_square.html"]
    assert "1 graded anew, 1 submission in all, 10 of 30 points:" in capsys.readouterr().out
    assert report.run(work("Ada", "06_exp"), work("Bo", "06_exp"), people="Cy Dee") == 0
    totals = {"Ada": BOTH, "Bo": f"{EXP:g}", "Cy": "0", "Dee": "0"}
    assert report.totals() == {name: (total, BOTH) for name, total in totals.items()}


def test_one_stray_exercise_changes_nobodys_maximum_until_it_is_named(report):
    everybody = work("Ada"), work("Bo"), work("Cy"), work("Ada", "06_exp")
    assert report.run(*everybody) == 1
    assert set(report.totals().values()) == {("10", "10")}
    assert report.run(*everybody, exercises=("06_exp",)) == 0
    assert report.totals()["Bo"] == ("10", BOTH)


def test_course_toml_says_what_counts(report):
    course = CourseFile(exercises=("05_square", "07_sinh"))
    assert report.run(work("Ada"), work("Bo"), course=course) == 0
    most = f"{10 + SINH:g}"
    assert report.totals() == {"Ada": ("10", most), "Bo": ("10", most)}


def test_anyone_whose_results_are_deleted_is_gone_with_the_pages(report):
    report.run(work("Ada"), work("Bo", doubts=("Odd.",)))
    shutil.rmtree(report.path / "results" / "Bo")
    report.run(work("Ada"))
    assert list(report.totals()) == ["Ada"]
    assert report.pages() + report.pages("questions") == ["Ada/05_square.html"]


def test_a_damaged_result_is_a_fault_and_no_zero(report, roster, capsys):
    report.run(work("Ada"), work("Bo"), roster=roster)
    (report.path / "results/Bo/05_square.json").write_text("{")
    assert report.run(work("Ada")) == 1
    assert open_of(report) == {"Bo"}
    assert "results/Bo/05_square.json is damaged" in capsys.readouterr().err


def test_a_second_run_changes_no_byte(report):
    report.override("Eva,5.1,2,asked", "Bo,5.1,1,at the blackboard")
    written = []
    for _ in range(2):
        report.run(work("Ada"), work("Ada", "06_exp"), SCRIPT, people="Bo")
        files = (path for path in report.path.rglob("*") if path.is_file())
        written.append({path: path.read_bytes() for path in files})
    assert written[0] == written[1]


@pytest.mark.parametrize("row", BY_HAND.splitlines())
def test_points_for_nothing_handed_in_are_a_total_once_all_tasks_have_some(report, row):
    lines, _, expected = row.partition(" -> ")
    report.override(*lines.split("; "))
    status = report.run(work("Ada"), people="Bo")
    assert f"{report.totals()['Bo'][0]}, {status}" == expected
    assert report.totals()["Ada"] == ("10", "10")


def test_an_exercise_that_the_course_has_no_more_stops_nothing_and_is_kept(report):
    gone = result("Ada", "12_gone", task("12.1", 0, "failed"))
    assert report.run(work("Ada"), gone, exercises=("05_square", "12_gone")) == 0
    assert report.totals() == {"Ada": ("10", "10")}
    assert (report.path / "results/Ada/12_gone.json").exists()


@pytest.mark.parametrize("found", [SCRIPT, work("Eva")])
def test_anyone_not_on_the_list_may_be_anyone_who_is_missing(report, roster, found):
    assert report.run(work("Ada"), found, roster=roster) == 1
    assert open_of(report) == {"Eva", "Bo"}
    report.override("Bo,,is Eva,")
    assert report.run(work("Ada"), work("Eva")) == 0
    assert report.totals() == {"Ada": ("10", "10"), "Bo": ("10", "10")}


def test_a_draft_on_moodle_is_asked_about(report):
    times = {"12": RosterEntry("Ada", is_draft=True)}
    person = Person("Ada", "moodle", "12")
    assert report.run(work("Ada", person=person), work("Bo"), times=times) == 1
    assert open_of(report) == {"Ada"}


def test_work_of_another_week_beside_graded_work_is_a_note(report, capsys):
    later = Pending("Ada", "06_exp", "b.ipynb", "It is not graded now.", is_gradable=True)
    script = Pending("Ada", "05_square", "b.py", "It is a script.")
    assert report.run(*map(work, ("Ada", "Bo", "Cy")), later, script) == 0
    said = capsys.readouterr().err
    assert "b.ipynb: It is not graded now." in said
    assert "b.py: It is a script." in said
