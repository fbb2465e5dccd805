"""A report holds every week, nobody gets a silent zero, and what needs a person says so."""

import json
import shutil

import pytest

from course.grading.books.course_file import CourseFile
from course.grading.books.needs import EARLIER_WORK
from course.grading.reading.submissions import PassedOver
from course.grading.report_folder import ReportError
from tests.course.grading.books.reports import WORTH, Report, work
from tests.course.grading.books.samples import result, task


@pytest.fixture
def report(tmp_path):
    """Return an empty report."""
    return Report(tmp_path / "report")


EXP, BOTH = f"{WORTH['06_exp']:g}", f"{10 + WORTH['06_exp']:g}"
SCRIPT = "is a Python script, not a notebook."


def script(student: str, exercise: str = "", file: str = "a.py") -> PassedOver:
    """Return a script that was handed in for a notebook."""
    return PassedOver(student, file, SCRIPT, exercise)


def test_nobody_but_who_handed_nothing_in_is_missing(report, capsys):
    status = report.run(work("Ada"), people="Bo", passed_over=[script("Eva", "05_square")])
    assert status == 1
    assert report.grades()["Bo", "5.1"] == ("missing", "0")
    assert [report.grades()["Eva", name] for name in ("5.1", "5.2", "5.3")] == [
        ("not-gradable", "")
    ] * 3
    assert report.pages() == ["Ada/05_square.html", "Eva/05_square.html"]
    assert f"a.py: {SCRIPT}" in (report.path / "feedback/Eva/05_square.html").read_text()
    assert f"a.py: {SCRIPT}" in report.index
    assert f"'Eva', 05_square, all tasks: a.py: {SCRIPT}" in capsys.readouterr().err


def test_who_needs_a_person_in_two_exercises_is_named_with_each(report, capsys):
    report.run(passed_over=[script("Eva", "05_square"), script("Eva", "06_exp")])
    said = f"'Eva', 05_square, all tasks; 'Eva', 06_exp, all tasks: a.py: {SCRIPT}"
    assert said in capsys.readouterr().err


def test_what_was_graded_anew_is_told_from_what_was_there(report, capsys):
    report.run(work("Ada"), work("Bo"))
    capsys.readouterr()
    report.run(work("Ada"), anew=1)
    assert capsys.readouterr().out.startswith(
        "1 graded anew, 2 submissions in all, 20 of 20 points"
    )


def test_a_class_in_which_all_is_graded_needs_nobody(report, capsys):
    assert report.run(work("Ada"), work("Bo"), people="Cy") == 0
    assert "for a person to see to" not in capsys.readouterr().err


def test_work_of_an_exercise_that_cannot_be_told_is_that_which_was_asked_for(report):
    assert report.run(work("Ada"), passed_over=[script("Eva")]) == 1
    assert report.grades()["Eva", "5.2"] == ("not-gradable", "")


def test_what_a_student_handed_in_besides_graded_work_asks_nobody(report, capsys):
    assert report.run(work("Ada"), passed_over=[script("Ada"), script("Ada", "05_square")]) == 0
    assert f"Ada: a.py: {SCRIPT}" in capsys.readouterr().err


def test_what_belongs_to_nobody_asks_a_person(report, capsys):
    assert report.run(work("Ada"), passed_over=[script("")]) == 1
    assert f"a.py: {SCRIPT}" in capsys.readouterr().err
    assert f"a.py: {SCRIPT}" in report.index


def test_what_is_of_no_exercise_asked_for_is_named_with_its_student(report, capsys):
    assert report.run(passed_over=[script("Eva")]) == 1
    assert f"'Eva': a.py: {SCRIPT}" in capsys.readouterr().err
    assert "Eva" in report.index


def test_of_an_exercise_that_is_not_asked_for_nobody_is_asked(report):
    only = {"exercises": ("05_square",), "named": True}
    assert report.run(work("Ada"), passed_over=[script("Ada", "06_exp")], **only) == 0


def test_work_that_can_be_graded_later_takes_the_place_of_what_was_passed_over(report):
    report.run(work("Ada"), passed_over=[script("Eva", "05_square")])
    assert report.run(work("Ada"), work("Eva")) == 0
    assert report.grades()["Eva", "5.1"][0] == "passed"


def test_newer_work_that_cannot_be_graded_is_a_doubt_and_older_points_stay(report):
    report.run(work("Ada"), work("Eva"))
    assert report.run(work("Ada"), passed_over=[script("Eva", "05_square")]) == 1
    assert report.grades()["Eva", "5.1"][0] == "passed"
    assert "handed in before" in report.index


def test_a_doubt_asks_a_person_until_one_has_seen_to_it(report):
    doubtful = work("Ada", doubts=("Two notebooks differ.",))
    assert report.run(doubtful) == 1
    assert "Two notebooks differ." in report.index
    report.override("Ada,5.1,2,seen")
    assert report.run(doubtful) == 1  # 5.2 and 5.3 earned points as well
    assert report.totals()["Ada"] == ("", "10")
    report.override("Ada,5.1,2,seen", "Ada,5.2,4,seen", "Ada,5.3,3,seen")
    assert report.run(doubtful) == 0


def test_what_was_not_started_needs_nobody(report):
    one = work("Ada", t5_1=task("5.1", 0, "not-started"))
    assert report.run(one) == 0


def test_weeks_add_up(report):
    assert report.run(work("Ada"), people="Bo Cy") == 0
    assert report.run(work("Ada", "06_exp"), work("Bo", "06_exp"), people="Dee") == 0
    assert report.totals() == {
        "Ada": (BOTH, BOTH),
        "Bo": (EXP, BOTH),
        "Cy": ("0", BOTH),
        "Dee": ("0", BOTH),
    }
    assert report.grades()["Cy", "6.1"] == report.grades()["Dee", "5.1"] == ("missing", "0")
    assert "Ada/05_square.html" in report.pages()


def test_part_of_a_class_can_be_graded_by_itself(report):
    everybody = [work(name) for name in ("Ada", "Bo", "Cy", "Dee")]
    report.run(*everybody[:2])
    report.run(*everybody[2:])
    assert [total for total, _ in report.totals().values()] == ["10"] * 4


def test_one_stray_file_changes_nobodys_maximum_and_is_named(report, capsys):
    status = report.run(work("Ada"), work("Bo"), work("Cy"), work("Ada", "06_exp"))
    assert status == 1
    assert set(report.totals().values()) == {("10", "10")}
    assert report.rows("summary.csv")[0]["06_exp"] == EXP
    assert report.rows("summary.csv")[1]["06_exp"] == ""
    said = "name it with --exercise 06 if all were to do it"
    assert said in capsys.readouterr().err
    assert said in report.index


def test_what_is_named_counts_for_everybody(report):
    named = {"exercises": ("05_square", "06_exp"), "named": True}
    assert report.run(work("Ada"), work("Bo"), work("Ada", "06_exp"), **named) == 0
    assert report.totals() == {"Ada": (BOTH, BOTH), "Bo": ("10", BOTH)}
    assert report.grades()["Bo", "6.1"] == ("missing", "0")


def test_the_maximum_is_what_course_toml_lists(report):
    course = CourseFile(exercises=("05_square", "07_sinh"))
    status = report.run(work("Ada"), work("Bo"), work("Ada", "06_exp"), course=course)
    assert status == 0  # what counts has been said
    most = f"{WORTH['05_square'] + WORTH['07_sinh']:g}"
    assert report.totals() == {"Ada": ("10", most), "Bo": ("10", most)}


def test_who_is_taken_out_of_the_results_is_gone_with_the_pages(report):
    report.run(work("Ada"), work("Bo"))
    shutil.rmtree(report.path / "results" / "Bo")
    report.run(work("Ada"))
    assert list(report.totals()) == ["Ada"]
    assert report.pages() == ["Ada/05_square.html"]
    assert not (report.path / "feedback" / "Bo").exists()


def test_a_damaged_result_of_an_earlier_week_is_no_silent_gap(report):
    report.run(work("Ada"), work("Bo"))
    (report.path / "results/Bo/05_square.json").write_text("{")
    assert report.run(work("Ada")) == 1
    assert "results/Bo/05_square.json is damaged" in report.index


def test_a_second_run_changes_no_byte(report):
    what = {"people": "Bo", "passed_over": [script("Eva"), script("")]}
    report.run(work("Ada"), work("Ada", "06_exp"), **what)
    report.override("Eva,5.1,2,asked", "Bo,5.1,1,at the blackboard")
    report.run(work("Ada"), work("Ada", "06_exp"), **what)
    before = report.bytes()
    report.run(work("Ada"), work("Ada", "06_exp"), **what)
    assert report.bytes() == before


def test_points_by_hand_are_for_those_too_who_handed_nothing_in(report):
    report.run(work("Ada"), people="Bo")
    report.override("Bo,5.1,1.5,at the blackboard", "Bo,05,0,not handed in")
    assert report.run(work("Ada"), people="Bo") == 0
    assert report.totals()["Bo"] == ("1.5", "10")
    row = next(row for row in report.rows("grades.csv") if row["student"] == "Bo")
    assert (row["points"], row["by_hand"], row["reason"]) == ("1.5", "yes", "at the blackboard")
    assert "Bo/05_square.html" in report.pages()


def test_points_for_a_part_of_what_is_missing_are_no_total_until_the_rest_is_said(report, capsys):
    report.run(work("Ada"), people="Bo")
    report.override("Bo,5.1,1.5,at the blackboard")
    assert report.run(work("Ada"), people="Bo") == 1
    assert report.totals()["Bo"] == ("", "10")
    assert report.rows("summary.csv")[1]["05_square"] == ""
    err = capsys.readouterr().err
    assert "tasks 5.2, 5.3: Nothing was handed in, and other tasks have points set by hand" in err
    assert "give these points too, or 0 for all that have no line" in report.index


def test_points_by_hand_hold_in_later_weeks(report):
    report.run(work("Ada"))
    report.override("Ada,5.1,1,copied")
    report.run(work("Bo", "06_exp"))
    assert report.grades()["Ada", "5.1"] == ("passed", "1")


def test_all_or_nothing_takes_the_points_of_parts_and_is_said_to_hold_for_all(report, capsys):
    half = work("Ada", t5_1=task("5.1", 1, "partly"))
    report.run(half)
    assert report.totals()["Ada"] == ("8", "10")
    assert "all or nothing" not in capsys.readouterr().err
    report.run(half, course=CourseFile(all_or_nothing=True))
    assert report.totals()["Ada"] == ("7", "10")
    assert report.grades()["Ada", "5.1"] == ("partly", "0")
    assert "all of a task&#39;s points or none" in report.index
    assert "All exercises of the report are counted all or nothing." in capsys.readouterr().err


def test_points_by_hand_for_earlier_work_wait_for_a_person(report, capsys):
    report.run(work("Ada", t5_2=task("5.2", 0, "failed", max_points=4)))
    report.override("Ada,5.2,2,shown at the blackboard")
    assert report.run(work("Ada", t5_2=task("5.2", 0, "failed", max_points=4))) == 0
    assert report.grades()["Ada", "5.2"] == ("failed", "2")
    capsys.readouterr()

    assert report.run(work("Ada", mark="second")) == 1
    assert report.grades()["Ada", "5.2"] == ("not-gradable", "")
    assert report.grades()["Ada", "5.1"] == ("passed", "3")
    said = "In overrides.csv, change the points or the reason"
    assert said in report.index
    new = "The grader gives 4 of 4 to the new work."
    assert f"'Ada', 05_square, task 5.2: {EARLIER_WORK} {new} {said}" in capsys.readouterr().err
    assert "change the points" not in (report.path / "feedback/Ada/05_square.html").read_text()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Ada,5.2,2,still so", ("passed", "2")),
        ("Ada,5.2,3.5,shown", ("passed", "3.5")),
        ("Ada,5.1,3,other", ("passed", "4")),
    ],
)
def test_a_line_that_is_changed_or_deleted_is_of_the_newer_work(report, line, expected):
    report.run(work("Ada"))
    report.override("Ada,5.2,2,shown")
    report.run(work("Ada"))
    report.run(work("Ada", mark="second"))
    report.override(line)
    assert report.run(work("Ada", mark="second")) == 0
    assert report.grades()["Ada", "5.2"] == expected


def test_points_for_a_file_that_could_not_be_read_are_not_those_of_the_next(report):
    report.run(work("Bo"), passed_over=[script("Ada", "05_square")])
    report.override("Ada,5.1,2,from the script")
    assert report.run(work("Bo"), passed_over=[script("Ada", "05_square")]) == 1
    assert report.run(work("Bo"), work("Ada")) == 1
    assert report.grades()["Ada", "5.1"] == ("not-gradable", "")


def test_points_at_the_blackboard_are_not_those_of_work_that_comes_later(report):
    report.run(work("Bo"), people="Ada")
    report.override("Ada,5.1,2,at the blackboard")
    report.run(work("Bo"), people="Ada")
    assert report.run(work("Bo"), work("Ada")) == 1


def test_the_same_work_handed_in_again_keeps_its_points_by_hand(report):
    report.run(work("Ada"))
    report.override("Ada,5.1,1,copied")
    report.run(work("Ada"))
    assert report.run(work("Ada", file="other name.ipynb")) == 0
    assert report.grades()["Ada", "5.1"] == ("passed", "1")


@pytest.mark.parametrize("exercise", ["05_square", "05", "5"])
def test_a_doubt_that_somebody_has_looked_at_asks_nobody_and_points_stay(report, exercise):
    doubtful = work("Ada", doubts=("Two notebooks differ.",))
    report.run(doubtful)
    report.override(f"Ada,{exercise},,looked at it")
    assert report.run(doubtful) == 0
    assert report.grades()["Ada", "5.1"] == ("passed", "3")
    assert all(row["by_hand"] == "" for row in report.rows("grades.csv"))


@pytest.mark.parametrize("changed", [{"mark": "second"}, {"doubts": ("Another.",)}])
@pytest.mark.parametrize("line", ["Ada,05,,seen", "Ada,5.1,3,seen"])
def test_a_new_doubt_or_newer_work_asks_again(report, changed, line):
    doubtful = {"doubts": ("Two notebooks differ.",)}
    doubtful |= {f"t5_{n}": task(f"5.{n}", 0, "failed") for n in (2, 3)}
    report.run(work("Ada", **doubtful))
    report.override(line)
    assert report.run(work("Ada", **doubtful)) == 0
    assert report.run(work("Ada", **{**doubtful, **changed})) == 1


def test_who_has_looked_at_what_cannot_be_graded_has_to_give_points(report, capsys):
    report.run(work("Bo"), passed_over=[script("Ada", "05_square")])
    report.override("Ada,05_square,,a holiday photo")
    assert report.run(work("Bo"), passed_over=[script("Ada", "05_square")]) == 1
    rows = [row for row in report.rows("grades.csv") if row["student"] == "Ada"]
    assert {(row["points"], row["by_hand"]) for row in rows} == {("", "")}
    assert report.totals() == {"Ada": ("", "10"), "Bo": ("10", "10")}
    said = "line 2: 5.1, 5.2, 5.3 of 'Ada' has no grade that could stand: give points for each task"
    assert said in capsys.readouterr().err
    report.override(*(f"Ada,5.{n},0,a holiday photo" for n in (1, 2, 3)))
    assert report.run(work("Bo"), passed_over=[script("Ada", "05_square")]) == 0


def test_wrong_lines_change_nothing_and_the_books_are_written_with_the_others(report, capsys):
    report.run(work("Ada"))
    lines = "Ada,5.2,nine,no number", "Ada,5.2,5"
    report.override("Adda,5.1,0,misspelt", "Ada,5.1,2,right", *lines)
    assert report.run(work("Ada")) == 1
    assert [report.grades()["Ada", name][1] for name in ("5.1", "5.2")] == ["2", "4"]
    err = capsys.readouterr().err
    for said in (
        "line 2: no student is called",
        "line 4: the points are",
        "line 5: 3 cells stand under 4 headings",
    ):
        assert said in report.index
        assert said in err


def test_a_fault_of_the_grader_is_not_seen_to_by_looking_at_it(report):
    fault = work("Ada", t5_1=task("5.1", 0, "grader-error"))
    report.run(fault)
    report.override("Ada,05_square,,looked at it")
    assert report.run(fault) == 1


def test_a_damaged_list_of_the_class_is_said_and_nobody_is_forgotten(report):
    report.run(work("Ada"), people="Bo")
    (report.path / "class.json").write_text("{")
    with pytest.raises(ReportError, match=r"class\.json is damaged"):
        report.run(work("Ada"))


def test_an_exercise_that_the_course_has_no_more_stops_nothing_and_is_kept(report, capsys):
    report.run(work("Ada"))
    path = report.path / "class.json"
    path.write_text(path.read_text().replace('"05_square"', '"05_square", "12_gone"'))
    gone = result("Ada", "12_gone", task("12.1", 0, "failed", diagnosis="wrong-sign"))
    assert report.run(work("Ada"), gone) == 0
    assert report.totals() == {"Ada": ("10", "10")}
    assert "12_gone is kept, and shown nowhere" in capsys.readouterr().err
    assert (report.path / "results/Ada/12_gone.json").exists()


def test_a_page_says_what_each_task_asks_for(report):
    report.run(work("Ada"))
    page = (report.path / "feedback/Ada/05_square.html").read_text()
    assert "Write <code>Square</code>, without looking at the lesson" in page
    assert page.count("<summary>The task</summary>") == 3


def test_what_to_do_about_what_was_passed_over_is_for_the_instructor_alone(report):
    report.run(work("Ada"), passed_over=[script("Eva", "05_square")])
    page = (report.path / "feedback/Eva/05_square.html").read_text()
    assert "Ask for their notebook" in report.index
    assert "Ask for" not in page
    assert "overrides.csv" not in page


def test_another_file_of_the_same_name_that_was_passed_over_is_other_work(report):
    kept = []
    for held in ("a", "b"):
        passed = PassedOver("Eva", "a.py", SCRIPT, "05_square", held)
        report.run(work("Ada"), passed_over=[passed])
        (path,) = (report.path / "results/Eva").glob("*.json")
        kept.append(json.loads(path.read_text())["work"])
    assert kept[0] != kept[1]
