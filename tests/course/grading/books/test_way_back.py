"""Grades and feedback go back in forms that learning platforms take, and nobody gets a quiet 0."""

import csv
import io
from types import MappingProxyType

import nbformat
import pytest

from course.grading.books.canvas_columns import exercise_headings
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

DASH = "-"


def moodle(name, number, *tasks, exercise="05_square", **more):
    folder = f"{name}_{number}_assignsubmission_file"
    person = Person(name, "moodle", str(number), folder)
    return result(name, exercise, *tasks, person=person, **more)


def canvas(name, number, *tasks, exercise="05_square", **more):
    person = Person(name, "canvas", str(number), f"{name}_{number}_900_")
    return result(name, exercise, *tasks, person=person, **more)


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


def test_a_download_of_moodle_gets_a_worksheet_and_an_archive(write):
    results = [
        moodle("Ada Lovelace", 12, task("5.1", 2.5), task("5.2", 0, "failed")),
        moodle("Zoë", 13, task("5.1", 3), task("5.2", 3)),
    ]
    files, notes = write(results)
    assert moodle_grades(files["moodle/05_square.csv"]) == {"12": 2.5, "13": 6}
    assert moodle_feedback(files["moodle/05_square_feedback.zip"]) == {
        "12": ("05_square.html", b"page of Ada Lovelace"),
        "13": ("05_square.html", "page of Zoë".encode()),
    }
    assert notes == []


@pytest.mark.parametrize(
    "folder",
    [
        "Ada_12_assignsubmission_file",
        "Ada_12_assignsubmission_file_",
        "Group 1-Ada_12_assignsubmission_onlinetext_",
        "",
        "../../Ada",
        "Ada_13_assignsubmission_file_",
        ".Ada_12_assignsubmission_file",
    ],
)
def test_the_archive_has_the_folders_of_the_download_or_such_as_moodle_writes(write, folder):
    one = result("Ada_L.", person=Person("Ada_L.", "moodle", "12", folder))
    files, _ = write([one])
    assert list(moodle_feedback(files["moodle/05_square_feedback.zip"])) == ["12"]


def test_each_exercise_has_files_of_its_own(write):
    files, _ = write([moodle("Ada", 12), moodle("Ada", 77, exercise="06_exp")])
    assert sorted(files) == [
        "by_id.csv",
        "moodle/05_square.csv",
        "moodle/05_square_feedback.zip",
        "moodle/06_exp.csv",
        "moodle/06_exp_feedback.zip",
    ]
    assert moodle_grades(files["moodle/06_exp.csv"]) == {"77": 3}


def test_a_worksheet_of_moodles_own_keeps_its_rows_and_columns(write, tmp_path):
    roster = read(tmp_path, worksheet((13, "Zoë", DASH), (12, "Ada", DASH), (14, "Bo", DASH)))
    before = rows((tmp_path / "list.csv").read_bytes())
    files, notes = write([moodle("Ada", 12, task(points=10, max_points=10))], roster)
    after = rows(files["moodle/05_square.csv"])
    changed = [
        (row, column)
        for row, (old, new) in enumerate(zip(before, after, strict=True))
        for column, (a, b) in enumerate(zip(old, new, strict=True))
        if a != b
    ]
    assert changed == [(2, 4)]
    assert after[2][4] == "10"
    assert moodle_grades(files["moodle/05_square.csv"]) == {"12": 10}
    assert notes == []


def test_a_worksheet_in_another_language_is_filled_too(write, tmp_path):
    text = (
        "ID,Vollständiger Name,Status,Bewertung,Bestwertung,Texteingabe,Geändert,Feedback\n"
        'Teilnehmer/in12,Ada,Abgegeben,,"10,00",=1+1,-,- gut\n'
    )
    files, _ = write([moodle("Ada", 12, task(max_points=10))], read(tmp_path, text))
    after = rows(files["moodle/05_square.csv"])
    expected = ["Teilnehmer/in12", "Ada", "Abgegeben", "3", "10,00", "'=1+1", "-", "- gut"]
    assert after[1] == expected


def test_feedback_comments_that_stand_in_moodle_stay_and_a_formula_in_a_name_is_none(
    write, tmp_path
):
    text = worksheet((12, "=cmd()", DASH)).replace("-,\n", '-,"- well done"\n')
    files, _ = write([moodle("x", 12, task(max_points=10))], read(tmp_path, text))
    row = rows(files["moodle/05_square.csv"])[1]
    assert (row[1], row[-1]) == ("'=cmd()", "- well done")


def test_a_worksheet_is_of_the_exercise_whose_numbers_it_has(write, tmp_path):
    roster = read(tmp_path, worksheet((77, "Ada", DASH)))
    ten = task(points=9, max_points=10)
    files, _ = write([moodle("Ada", 12), moodle("Ada", 77, ten, exercise="06_exp")], roster)
    assert moodle_grades(files["moodle/05_square.csv"]) == {"12": 3}
    assert rows(files["moodle/06_exp.csv"])[0][2] == "Email address"
    assert moodle_grades(files["moodle/06_exp.csv"]) == {"77": 9}


def test_a_worksheet_of_another_assignment_is_not_filled(write, tmp_path):
    roster = read(tmp_path, worksheet((99, "Ada", DASH)))
    files, notes = write([moodle("Ada", 12)], roster)
    assert moodle_grades(files["moodle/05_square.csv"]) == {"12": 3}
    assert "is of none of the exercises in this report" in notes[0]


def test_a_worksheet_serves_folders_that_are_named_after_people(write, tmp_path):
    roster = read(tmp_path, worksheet((12, "Ada Lovelace", DASH), (13, "Zoë", DASH)))
    files, _ = write([result("lovelace ada", "05_square", task(points=4, max_points=10))], roster)
    assert moodle_grades(files["moodle/05_square.csv"]) == {"12": 4}
    assert list(moodle_feedback(files["moodle/05_square_feedback.zip"])) == ["12"]


def test_another_maximum_than_moodles_is_no_grade(write, tmp_path):
    roster = read(tmp_path, worksheet((12, "Ada", DASH)))
    files, notes = write([moodle("Ada", 12)], roster)
    assert "moodle/05_square.csv" not in files
    assert "has a maximum grade of 10.00 and 05_square has 3 points" in notes[0]


def test_a_download_of_canvas_gets_a_gradebook(write):
    results = [canvas("lovelaceada", 501, task(points=2.5)), canvas("müllerzoe", 502)]
    files, notes = write(results)
    expected = "05_square", "3", {"501": "2.5", "502": "3"}
    assert canvas_grades(files["canvas/05_square.csv"]) == expected
    assert notes == []


@pytest.mark.parametrize(
    "columns",
    [
        "Student,ID,SIS Login ID,Section",
        "Student,ID,SIS User ID,SIS Login ID,Section",
        "Student,ID,SIS User ID,SIS Login ID,Integration ID,Root Account,Section",
        "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section",
    ],
)
def test_a_gradebook_of_canvas_keeps_its_columns_of_students(write, tmp_path, columns):
    count = columns.count(",")
    name = "Lovelace,Ada,501" if columns.startswith("Last") else '"Lovelace, Ada",501'
    rest = "," * (count - name.replace(", ", "").count(","))
    text = (
        f"{columns},Quiz (7),05 Square (777),Final Score\n"
        f"    Points Possible{',' * count},5.0,10.0,(read only)\n"
        f"{name}{rest},4,1,80\n"
    )
    roster = read(tmp_path, text)
    files, _ = write([canvas("lovelaceada", 501, task(points=8, max_points=10))], roster)
    expected = "05 Square (777)", "10", {"501": "8"}
    assert canvas_grades(files["canvas/05_square.csv"]) == expected


def test_a_gradebook_serves_folders_that_are_named_after_people(write, tmp_path):
    roster = read(tmp_path, gradebook((501, "Lovelace, Ada", ""), (502, "Hopper, Grace", "")))
    files, notes = write([result("Ada Lovelace", "05_square", task(max_points=10))], roster)
    assert canvas_grades(files["canvas/05_square.csv"])[2] == {"501": "3"}
    assert notes == []


@pytest.mark.parametrize(
    ("number", "folder", "keys"),
    [
        ("501", "lovelaceada_501_900_", ("501", "900")),
        ("501", "lovelaceada_LATE_501_900_", ("501", "900")),
        ("anon_X1", "anon_X1_900_", ("anon", "X1")),
        ("anon_X1", "LATE_anon_X1_900_", ("anon", "X1")),
    ],
)
def test_feedback_for_canvas_is_a_notebook_under_the_name_of_the_work(write, number, folder, keys):
    person = Person("lovelaceada", "canvas", number, folder)
    files, _ = write([result("lovelaceada", person=person, file=f"{folder}work.ipynb")])
    found = canvas_feedback(files["canvas/05_square_feedback.zip"])
    assert list(found) == [keys]
    assert nbformat.reads(found[keys].decode(), as_version=4).cells


@pytest.mark.parametrize("file", ["lovelaceada_501_900_work.zip/05_square.ipynb", "05_square.py"])
def test_a_notebook_is_not_given_the_name_of_an_archive(write, file):
    files, notes = write([canvas("lovelaceada", 501, file=file)])
    assert "canvas/05_square_feedback.zip" not in files
    assert "Canvas's archive of feedback on 05_square is without lovelaceada, who" in notes[0]


def test_who_came_from_moodle_without_a_number_is_named(write):
    group = Person("Group A", "moodle", "", "Group A_assignsubmission_file")
    files, notes = write([moodle("Ada", 12), result("Group A", person=group)])
    assert moodle_grades(files["moodle/05_square.csv"]) == {"12": 3}
    assert notes[0].startswith("05_square of Group A came from Moodle without a number")


def test_who_is_excused_in_canvas_stays_so(write, tmp_path):
    roster = read(tmp_path, gradebook((501, "Ada", "EX"), (502, "Bo", "1")))
    ten = task(max_points=10)
    files, _ = write([canvas("ada", 501, ten), canvas("bo", 502, ten)], roster)
    assert canvas_grades(files["canvas/05_square.csv"])[2] == {"502": "3"}


def test_another_maximum_than_canvass_is_no_grade(write, tmp_path):
    roster = read(tmp_path, gradebook((501, "Ada", "")))
    files, notes = write([canvas("ada", 501)], roster)
    assert "canvas/05_square.csv" not in files
    assert "has 10.0 possible points and 05_square has 3" in notes[0]


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("Week five (777)", "no assignment is"),
        ("05 Square redone (777)", "no assignment is"),
        ("Week 5 (777)", "no assignment is"),
        ("5 (777)", "no assignment is"),
        ("Exercise 5 and 6 (777)", "no assignment is"),
        ("Exercise 5.1 (777)", "no assignment is"),
        ("Homework (777)", "no assignment is"),
        ("Exercise 5 (777),05 Square (779)", "more than one assignment is"),
        ("06 Square (777)", "no assignment is"),
        ("05 Square (777),Square (779)", "more than one assignment is"),
    ],
)
def test_an_assignment_is_never_guessed(write, tmp_path, heading, said):
    top = f"Student,ID,Section,{heading}\n"
    roster = read(tmp_path, f"{top}Ada,501,A{',' * heading.count('(')}\n")
    files, notes = write([canvas("ada", 501)], roster)
    assert canvas_grades(files["canvas/05_square.csv"])[0] == "05_square"
    assert f"{said} named after 05_square" in notes[0]
    assert "known by “5 square”, in any order" in notes[0]


@pytest.mark.parametrize(
    "title",
    ["Exercise 5 Square", "Exercise 05: square", "Square", "Square (ex. 5)", "Week 3 - 05_square"],
)
def test_an_assignment_is_known_by_the_words_of_the_exercise(write, tmp_path, title):
    text = f"Student,ID,Section,Square root (3),{title} (777)\nAda,501,A,,\n"
    files, notes = write([canvas("ada", 501)], read(tmp_path, text))
    assert canvas_grades(files["canvas/05_square.csv"])[0] == f"{title} (777)"
    assert notes == []


@pytest.mark.parametrize("exercise", ["00_autograd", "03_function_to_module"])
@pytest.mark.parametrize(
    "title",
    [
        *("Exercise {number} {title}", "Exercise {number}. {title}", "{title}", "{title} ({nn})"),
        *("Exercise {number}", "Ex. {nn}", "{nn}", "Homework #{number}", "Übung {nn}"),
        *("Week 7: {title}", "Week 7 - exercise {number}"),
    ],
)
def test_an_assignment_is_known_by_title_and_by_number(write, tmp_path, exercise, title):
    course = exercise_headings(ROOT)
    number = int(exercise[:2])
    words = course[exercise].split(". ", 1)[1]
    title = title.format(number=number, nn=exercise[:2], title=words)
    others = "Exercise 5 (1),08 (2),gradcheck (3)"
    text = f"Student,ID,Section,{others},{title} (777)\nAda,501,A,,,,\n"
    files, notes = write([canvas("ada", 501, exercise=exercise)], read(tmp_path, text), course)
    assert canvas_grades(files[f"canvas/{exercise}.csv"])[0] == f"{title} (777)"
    assert notes == []


def test_an_assignment_that_could_be_two_exercises_asks(write, tmp_path):
    text = "Student,ID,Section,Square (777)\nAda,501,A,\n"
    course = {"05_square": "Exercise 5. Square", "09_mine": "Exercise 9. Square"}
    files, notes = write([canvas("ada", 501)], read(tmp_path, text), course)
    assert canvas_grades(files["canvas/05_square.csv"])[0] == "05_square"
    assert "“Square” could be 05_square or 09_mine: Canvas asks" in notes[0]


def test_an_anonymous_download_of_canvas_says_what_to_do(write):
    one = result("anon_X1", person=Person("anon_X1", "canvas", "anon_X1", "anon_X1_900_"))
    files, notes = write([one])
    assert "canvas/05_square.csv" not in files
    assert "Canvas hid the names in its download" in notes[0]


@pytest.mark.parametrize("make", [moodle, canvas])
def test_grades_that_wait_for_a_person_and_missing_work_are_no_zero(write, make):
    results = [
        make("Ada", 1, task(points=0, status="not-gradable", message="It uses gc.")),
        make("Bo", 2, task(points=0, status="grader-error")),
        make("Cy", 3, task(points=0, status="missing")),
        make("Di", 4, task(points=0, status="failed")),
    ]
    files, notes = write(results)
    if make is moodle:
        assert moodle_grades(files["moodle/05_square.csv"]) == {"4": 0}
        assert list(moodle_feedback(files["moodle/05_square_feedback.zip"])) == ["4"]
    else:
        assert canvas_grades(files["canvas/05_square.csv"])[2] == {"4": "0"}
    assert [row[1] for row in rows(files["by_id.csv"])[1:]] == ["", "", "", "0"]
    assert notes == [
        "way_back has no grade yet where a person has to look: 2 exercises of students.",
        "way_back has no grade where nothing was handed in: 1 exercise of a student. To give a 0, "
        "write a line into overrides.csv with the exercise as the task and 0 points.",
    ]


def test_points_set_by_hand_go_back_even_where_nothing_was_handed_in(write, tmp_path):
    roster = read(tmp_path, worksheet((12, "Ada", DASH)))
    by_hand = task(points=0, status="missing", by_hand=True, max_points=10)
    absent = result("Ada", "05_square", by_hand, person=Person("Ada", "moodle", "12"))
    files, _ = write([absent], roster)
    assert moodle_grades(files["moodle/05_square.csv"]) == {"12": 0}


@pytest.mark.parametrize("set_by_hand", [0, 1, 2])
def test_some_points_by_hand_are_no_zero_for_the_rest_of_what_is_missing(write, set_by_hand):
    tasks = [
        task(f"5.{index}", 0, "missing", by_hand=index < set_by_hand, max_points=5)
        for index in range(2)
    ]
    files, _ = write([moodle("Kim", 12, *tasks)])
    is_settled = set_by_hand == 2
    assert moodle_grades(files["moodle/05_square.csv"]) == ({"12": 0} if is_settled else {})
    assert rows(files["by_id.csv"])[1] == ["Kim", "0" if is_settled else ""]


def test_any_list_gives_a_table_by_its_ids(write, tmp_path):
    roster = read(tmp_path, "Name,Email,ID\nAda Lovelace,ada@x.org,7\nZoë,z@x.org,8\n")
    results = [result("Ada Lovelace"), result("zoe", "06_exp", task(points=1.5))]
    files, notes = write(results, roster)
    assert rows(files["by_id.csv"]) == [
        ["student", "Email", "ID", "05_square", "06_exp"],
        ["Ada Lovelace", "ada@x.org", "7", "3", ""],
        ["zoe", "z@x.org", "8", "", "1.5"],
    ]
    assert notes == []


def test_who_is_not_on_the_list_is_named_and_has_a_row(write, tmp_path):
    roster = read(tmp_path, "Name,ID\nAda,1\n")
    files, notes = write([result("Ada"), result("Guest")], roster)
    assert rows(files["by_id.csv"])[1:] == [["Ada", "1", "3"], ["Guest", "", "3"]]
    assert notes[0].startswith("Guest handed in and is not known on the list")


def test_what_a_name_holds_is_never_calculated(write):
    files, _ = write([result("=cmd()"), moodle("+1", 12), canvas("@x", 5)])
    assert rows(files["by_id.csv"])[1][0] == "'=cmd()"
    assert rows(files["moodle/05_square.csv"])[1][1] == "'+1"
    assert rows(files["canvas/05_square.csv"])[2][0] == "'@x"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_no_sheet_calculates_a_part_of_a_name(write, delimiter):
    name = "x;=cmd|' ~C calc'!A0;y"
    files, _ = write([result(name), moodle(name, 12), canvas(name, 5)])
    for file, content in files.items():
        if file.endswith(".csv"):
            table = csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=delimiter)
            cells = [cell for row in table for cell in row]
            assert any("=cmd" in cell for cell in cells)
            assert not any(cell.lstrip('" ').startswith("=") for cell in cells)


@pytest.mark.parametrize("name", ["a\udc80b", "a\x1b[2Jb", "..", "a" * 250, "=1\n2", "\u202eb"])
def test_whatever_a_name_holds_the_files_can_be_read(write, name):
    moodles = Person(name, "moodle", "12", f"{name}_12_assignsubmission_file")
    canvases = Person(name, "canvas", "5", f"{name}_5_900_")
    for one in (result(name, person=moodles), result(name, person=canvases)):
        files, _ = write([one])
        if one.person is moodles:
            assert moodle_grades(files["moodle/05_square.csv"]) == {"12": 3}
            assert list(moodle_feedback(files["moodle/05_square_feedback.zip"])) == ["12"]
        else:
            assert canvas_grades(files["canvas/05_square.csv"])[2] == {"5": "3"}
            assert list(canvas_feedback(files["canvas/05_square_feedback.zip"])) == [("5", "900")]


def test_a_second_run_writes_the_same_bytes_and_deletes_only_what_is_its_own(write, tmp_path):
    first, _ = write([moodle("Ada", 12), canvas("bo", 5)])
    again, _ = write([moodle("Ada", 12), canvas("bo", 5)])
    assert again == first
    own = tmp_path / "way_back" / "canvas" / "Grades-mine.csv"
    own.write_text("mine", encoding="utf-8")
    less, _ = write([moodle("Ada", 12)])
    assert "canvas/05_square.csv" not in less
    assert less["canvas/Grades-mine.csv"] == b"mine"


def test_an_exercise_that_did_not_come_from_canvas_has_no_files_for_it(write):
    absent = task(status="missing", points=0, by_hand=True)
    files, _ = write(
        [canvas("Ada", "501", task("6.1"), exercise="06_exp"), canvas("Ada", "501", absent)]
    )
    assert [name for name in files if name.startswith("canvas/05")] == []
    assert "canvas/06_exp.csv" in files
