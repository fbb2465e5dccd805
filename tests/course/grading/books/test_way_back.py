"""Grades and feedback go back in forms that platforms take, and nobody gets a quiet 0."""

import csv
import io
from dataclasses import replace
from types import MappingProxyType

import pytest

from course.grading.books.canvas_files import exercise_headings
from course.grading.books.roster import NO_ROSTER
from course.grading.books.way_back import write_way_back
from course.grading.reading.people import Person
from course.grading.report_folder import feedback_file
from tests.course.grading.books.class_lists import gradebook, read, worksheet
from tests.course.grading.books.importers import (
    canvas_feedback,
    canvas_grades,
    moodle_feedback,
    moodle_grades,
)
from tests.course.grading.books.samples import result, task
from tests.course.grading.classes import ROOT

TEN = task(max_points=10)
FOLDERS = {"moodle": "{}_{}_assignsubmission_file", "canvas": "{}_{}_900_"}
MOODLE, CANVAS = (f"{platform}/05_square.csv" for platform in FOLDERS)
MOODLE_ZIP, CANVAS_ZIP = (f"{platform}/05_square_feedback.zip" for platform in FOLDERS)


def of(platform, name, number, *tasks, exercise="05_square", **more):
    folder = FOLDERS[platform].format(name, number)
    person = Person(name, platform, str(number), folder)
    return result(name, exercise, *tasks, person=person, **more)


def moodle(*known, **more):
    return of("moodle", *known, **more)


def canvas(*known, **more):
    return of("canvas", *known, **more)


@pytest.fixture
def write(tmp_path):
    """Return a function that writes the way back of results that have pages."""

    def _write(results, roster=NO_ROSTER, course=MappingProxyType({})):
        for one in results:
            page = tmp_path / feedback_file(one.student, one.exercise)
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_bytes(f"page of {one.student}".encode(errors="replace"))
        notes = write_way_back(tmp_path, results, roster, course)
        place = tmp_path / "way_back"
        files = {p.relative_to(place).as_posix(): p.read_bytes() for p in place.rglob("*.*")}
        return files, notes

    return _write


def rows(content):
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def test_a_download_of_moodle_gets_a_worksheet_and_an_archive_for_each_exercise(write):
    ada = moodle("Ada_L.", 12, task("5.1", 2.5), task("5.2", 0, "failed"))
    files, notes = write([ada, moodle("Zoë", 13), moodle("Zoë", 77, exercise="06_exp")])
    assert moodle_grades(files[MOODLE]) == {"12": 2.5, "13": 3}
    assert moodle_grades(files["moodle/06_exp.csv"]) == {"77": 3}
    assert moodle_feedback(files[MOODLE_ZIP]) == {
        "12": ("05_square.html", b"page of Ada_L."),
        "13": ("05_square.html", "page of Zoë".encode()),
    }
    assert notes == []


def test_in_a_worksheet_of_moodles_own_grades_change_and_no_formula_is_left(write, tmp_path):
    text = worksheet((13, "=cmd()", "-"), (12, "Ada", "-")).replace("-,\n", '-,"- well done"\n')
    files, notes = write([moodle("Ada", 12, TEN)], read(tmp_path, text))
    before, after = rows(text.encode()), rows(files[MOODLE])
    before[1][1], before[2][4] = "'=cmd()", "3"
    assert (after, notes) == (before, [])


def test_the_worksheet_of_each_week_is_filled_in_by_later_runs(write, tmp_path):
    five, six = (worksheet((number, "Ada", "-")) for number in (12, 77))
    write([moodle("Ada", 12, task(max_points=10))], read(tmp_path, five))
    ada = moodle("Ada", 12, task(points=9, max_points=10))
    files, notes = write([ada, moodle("Ada", 77, TEN, exercise="06_exp")], read(tmp_path, six))
    assert [moodle_grades(files[f"moodle/{name}.csv"]) for name in ("05_square", "06_exp")] == [
        {"12": 9},
        {"77": 3},
    ]
    assert {"Email address"} == {rows(files[name])[0][2] for name in files if name.endswith(".csv")}
    assert notes == []


def test_a_worksheet_of_another_assignment_is_not_filled(write, tmp_path):
    files, notes = write([moodle("Ada", 12)], read(tmp_path, worksheet((99, "Ada", "-"))))
    assert moodle_grades(files[MOODLE]) == {"12": 3}
    assert "is of none of the exercises in this report" in notes[0]


def test_a_list_serves_folders_that_are_named_after_people(write, tmp_path):
    ada = result("lovelace ada", "05_square", TEN)
    for text in (
        worksheet((12, "Ada Lovelace", "-"), (13, "Zoë", "-")),
        gradebook((12, "Lovelace, Ada", ""), (13, "Zoë", "")),
    ):
        files, notes = write([ada], read(tmp_path, text))
        assert notes == []
    assert moodle_grades(files[MOODLE]) == {"12": 3}
    assert list(moodle_feedback(files[MOODLE_ZIP])) == ["12"]
    assert canvas_grades(files[CANVAS])[2] == {"12": "3"}


@pytest.mark.parametrize(
    ("make", "text"), [(moodle, worksheet((1, "Ada", "-"))), (canvas, gradebook((1, "Ada", "")))]
)
def test_another_maximum_than_the_platforms_is_no_grade(write, tmp_path, make, text):
    files, notes = write([make("Ada", 1)], read(tmp_path, text))
    assert not {MOODLE, CANVAS} & files.keys()
    assert "has a maximum of 10.0" in notes[0]
    assert "05_square has 3 points" in notes[0]


def test_work_from_moodle_whose_number_is_not_known_is_named(write, tmp_path):
    group = Person("Group A", "moodle", "", "Group A_assignsubmission_file")
    results = [moodle("Ada", 12, TEN), moodle("Bo", 13, TEN), result("Group A", person=group)]
    roster = read(tmp_path, worksheet((12, "Ada", "-")))
    for own, names in ((NO_ROSTER, "Group A"), (roster, "Bo, Group A")):
        files, notes = write(results, own)
        assert notes[0].startswith(f"Moodle's files on 05_square are without {names}: the")
        assert moodle_grades(files[MOODLE])["12"] == 3


def test_a_download_of_canvas_gets_a_gradebook(write):
    files, notes = write([canvas("lovelaceada", 501, task(points=2.5)), canvas("müllerzoe", 502)])
    assert canvas_grades(files[CANVAS]) == ("05_square", "3", {"501": "2.5", "502": "3"})
    assert notes == []


@pytest.mark.parametrize(
    "columns",
    [
        "Student,ID,SIS Login ID,Section",
        "Student,ID,SIS User ID,SIS Login ID,Integration ID,Root Account,Section",
        "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section",
    ],
)
def test_a_gradebook_of_canvas_keeps_its_columns_of_students(write, tmp_path, columns):
    count = columns.count(",")
    name = "Lovelace,Ada,501" if columns.startswith("Last") else '"Lovelace, Ada",501'
    rest = "," * (count - name.replace(", ", "").count(","))
    text = (
        f"{columns},Notes,Quiz (7),05 Square (777),Final Score\n"
        f"    Points Possible{',' * count},,5.0,10.0,(read only)\n"
        f"{name}{rest},,4,1,80\n"
    )
    files, _ = write([canvas("lovelaceada", 501, TEN)], read(tmp_path, text))
    assert canvas_grades(files[CANVAS]) == ("05 Square (777)", "10", {"501": "3"})


def test_a_student_who_is_excused_in_canvas_stays_so(write, tmp_path):
    roster = read(tmp_path, gradebook((501, "Ada", "EX"), (502, "Bo", "1")))
    files, _ = write([canvas("ada", 501, TEN), canvas("bo", 502, TEN)], roster)
    assert canvas_grades(files[CANVAS])[2] == {"502": "3"}


@pytest.mark.parametrize(
    ("exercise", "title"),
    [
        ("05_square", "05 Square"),
        ("05_square", "5: square"),
        ("05_square", "Exercise 05_square"),
        ("05_square", "Exercise 5"),
        ("03_function_to_module", "Exercise 3: From Function to Module"),
    ],
)
def test_an_assignment_is_known_by_name_heading_or_number(write, tmp_path, exercise, title):
    text = f"Student,ID,Section,Square root (3),{title} (777)\nAda,501,A,,\n"
    known = read(tmp_path, text), exercise_headings(ROOT)
    files, notes = write([canvas("ada", 501, exercise=exercise)], *known)
    assert canvas_grades(files[f"canvas/{exercise}.csv"])[0] == f"{title} (777)"
    assert notes == []


@pytest.mark.parametrize(
    ("exercise", "titles", "said"),
    [
        ("05_square", "Week 5 (777)", "no assignment is"),
        ("05_square", "06 Square (777)", "no assignment is"),
        ("15_capstone", "Exercise 1.5 (777)", "no assignment is"),
        ("05_square", "Exercise 5 (777),05 Square (779)", "more than one assignment is"),
    ],
)
def test_an_assignment_is_never_guessed(write, tmp_path, exercise, titles, said):
    roster = read(tmp_path, f"Student,ID,Section,{titles}\nAda,501,A\n")
    files, notes = write([canvas("ada", 501, exercise=exercise)], roster)
    assert canvas_grades(files[f"canvas/{exercise}.csv"])[0] == exercise
    assert f"{said} named after {exercise}" in notes[0]


@pytest.mark.parametrize(
    ("number", "folder", "keys"),
    [
        ("501", "lovelaceada_LATE_501_900_", ("501", "900")),
        ("anon_X1", "LATE_anon_X1_900_", ("anon", "X1")),
    ],
)
def test_feedback_for_canvas_is_a_notebook_under_the_name_of_the_work(write, number, folder, keys):
    person = Person("lovelaceada", "canvas", number, folder)
    files, _ = write([result("lovelaceada", person=person, file=f"{folder}work.ipynb")])
    found = canvas_feedback(files[CANVAS_ZIP])
    assert list(found) == [keys]
    assert b"nbformat" in found[keys]


@pytest.mark.parametrize("own", ["work.zip/05_square.ipynb", "05_square.py"])
def test_a_notebook_is_not_given_the_name_of_another_file(write, own):
    files, notes = write([canvas("lovelaceada", 501, file=f"x/lovelaceada_501_900_{own}")])
    assert CANVAS_ZIP not in files
    assert "Canvas's archive of feedback on 05_square is without lovelaceada, who" in notes[0]


def test_an_anonymous_download_of_canvas_says_what_to_do(write):
    files, notes = write([canvas("anon_X1", "anon_X1")])
    assert CANVAS not in files
    assert "Canvas hid the names in its download" in notes[0]


@pytest.mark.parametrize("make", [moodle, canvas])
def test_open_grades_and_missing_work_are_no_zero(write, make):
    statuses = ("not-gradable", "grader-error", "missing", "failed")
    given = {"points": 0, "max_points": 10}
    results = [
        *(make(f"S{n}", n, task(status=status, **given)) for n, status in enumerate(statuses)),
        replace(make("Di", 4, task(**given)), is_asked=True),
    ]
    files, notes = write(results)
    if make is moodle:
        assert moodle_grades(files[MOODLE]) == {"3": 0}
        assert list(moodle_feedback(files[MOODLE_ZIP])) == ["3"]
    else:
        assert canvas_grades(files[CANVAS])[2] == {"3": "0"}
    assert "that need your review: 3." in notes[0]
    assert "that were not handed in: 1. To give a 0," in notes[1]


def test_points_set_by_hand_go_back_even_where_nothing_was_handed_in(write, tmp_path):
    by_hand = task(points=0, status="missing", by_hand=True, max_points=10)
    absent = result("Ada", "05_square", by_hand, person=Person("Ada", "moodle"))
    files, _ = write([absent], read(tmp_path, worksheet((12, "Ada", "-"))))
    assert moodle_grades(files[MOODLE]) == {"12": 0}
    files, _ = write([canvas("Ada", 501, exercise="06_exp"), canvas("Ada", 501, by_hand)])
    assert {name for name in files if name.startswith("canvas")} == {
        "canvas/06_exp.csv",
        "canvas/06_exp_feedback.zip",
    }


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_no_sheet_calculates_a_part_of_a_name(write, delimiter):
    name = "=1;=cmd|' ~C calc'!A0;y"
    files, _ = write([moodle(name, 12), canvas(name, 5, exercise="06_exp")])
    for file in (MOODLE, "canvas/06_exp.csv"):
        table = csv.reader(io.StringIO(files[file].decode("utf-8-sig")), delimiter=delimiter)
        cells = [cell for row in table for cell in row]
        assert any("=cmd" in cell for cell in cells)
        assert not any(cell.lstrip('" ').startswith("=") for cell in cells)


@pytest.mark.parametrize("name", ["a\udc80b", "a\x1b[2Jb", "..", "../b", "=1\n2", "\u202eb"])
def test_whatever_a_name_holds_the_files_can_be_read(write, name):
    files, _ = write([moodle(name, 12), canvas(name, 5, exercise="06_exp")])
    assert moodle_grades(files[MOODLE]) == {"12": 3}
    assert list(moodle_feedback(files[MOODLE_ZIP])) == ["12"]
    assert canvas_grades(files["canvas/06_exp.csv"])[2] == {"5": "3"}
    assert list(canvas_feedback(files["canvas/06_exp_feedback.zip"])) == [("5", "900")]


def test_a_second_run_writes_the_same_bytes_and_deletes_only_what_is_its_own(write, tmp_path):
    both = [moodle("Ada", 12), canvas("bo", 5)]
    first, _ = write(both)
    assert write(both)[0] == first
    own = tmp_path / "way_back" / "canvas" / "Grades-mine.csv"
    own.write_text("mine", encoding="utf-8")
    (tmp_path / "way_back" / "by_id.csv").write_text("of an earlier version", encoding="utf-8")
    less, _ = write(both[:1])
    assert less.keys() == {MOODLE, MOODLE_ZIP, "canvas/Grades-mine.csv"}
