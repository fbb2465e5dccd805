"""Grades and feedback go back in forms that platforms take, and nobody gets a quiet 0."""

import csv
import io
from dataclasses import replace
from functools import partial
from itertools import chain, product

import pytest

from course.grading.books.moodle_files import keep_worksheet, moodle_times
from course.grading.books.roster import NO_ROSTER
from course.grading.books.way_back import write_way_back
from course.grading.reading.layouts import Person
from course.grading.report_folder import feedback_file
from course.notebooks.write import write_whole
from tests.course.grading.books.class_lists import gradebook, read, worksheet
from tests.course.grading.books.importers import (
    canvas_feedback,
    canvas_grades,
    moodle_feedback,
    moodle_grades,
)
from tests.course.grading.books.samples import result, task

TEN = task(max_points=10)
ZERO = task(points=0, status="missing", by_hand=True, max_points=10)
MOODLE, MOODLE_ZIP = "moodle/05_square.csv", "moodle/05_square_feedback.zip"
CANVAS, CANVAS_ZIP = "canvas/05_square.csv", "canvas/05_square_feedback.zip"
LATE, LATER = "Sunday, 22 November 2026, 10:00 AM", "Monday, 23 November 2026, 10:00 AM"
# Titles in a gradebook of Canvas, and the one under which the grades of an exercise go back.
ASSIGNMENTS = """\
05_square   | 05 Square (777)                  | 05 Square (777)
05_square   | Exercise 5: Square (777)         | Exercise 5: Square (777)
15_capstone | Exercise 1.5 (777)               | 15_capstone
05_square   | Exercise 5 (777),05 Square (779) | 05_square"""

# Numbers and files of Canvas, and by what Canvas knows whose the feedback is, if there is any.
FILES = """\
501     | ada_LATE_501_900_work.ipynb            | 501 900
anon_X1 | anon_X1_900_work.ipynb                 | anon X1
501     | x/ada_501_900_work.zip/05_square.ipynb |"""


def of(platform, name, number, *tasks, exercise="05_square", **more):
    person = Person(name, platform, str(number), f"{name}_{number}_900_")
    return result(name, exercise, *tasks, person=person, **more)


MAKE = {platform: partial(of, platform) for platform in ("moodle", "canvas")}
moodle, canvas = MAKE.values()


@pytest.fixture
def write(tmp_path):
    """Return a function that writes the way back of results that have pages."""

    def _write(results, text=""):
        for one in results:
            page = f"page of {one.student}".encode(errors="replace")
            write_whole(tmp_path / feedback_file(one.student, one.exercise), page)
        notes = write_way_back(tmp_path, results, read(tmp_path, text) if text else NO_ROSTER)
        place = tmp_path / "way_back"
        files = {p.relative_to(place).as_posix(): p.read_bytes() for p in place.rglob("*.*")}
        return files, notes

    return _write


def rows(content, **form):
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig")), **form))


def test_a_download_gets_a_table_and_an_archive_without_what_is_open_or_missing(write):
    odd, missing = (task(points=0, status=status) for status in ("not-gradable", "missing"))
    zero = replace(missing, by_hand=True)
    several = [task(points=2.5), task(points=0, status="failed"), odd, missing, zero]
    came = [(name, make, n) for name, make in MAKE.items() for n in range(5)]
    files, notes = write([make(f"{name} {n}", n, several[n]) for name, make, n in came])
    assert moodle_grades(files[MOODLE]) == {"0": 2.5, "1": 0, "4": 0}
    assert moodle_feedback(files[MOODLE_ZIP])["0"] == ("05_square.html", b"page of moodle 0")
    assert canvas_grades(files[CANVAS]) == ("05_square", "3", {"0": "2.5", "1": "0", "4": "0"})
    assert canvas_feedback(files[CANVAS_ZIP]) == {("0", "900"), ("1", "900")}
    assert "2 that need your review, 2 that were not handed in." in notes[-1]


def test_the_worksheet_of_each_week_is_filled_in_but_for_formulas_as_it_was_given(write):
    text = worksheet((13, "=cmd()", "-"), (12, "Ada", "-")).replace("-,\n", '-,"- well done"\n')
    ada = moodle("Ada", 12, TEN)
    write([ada], text)
    next_week = moodle("Ada", 77, TEN, exercise="06_exp")
    files, notes = write([ada, next_week], worksheet((77, "Ada", "-")))
    before, after = rows(text.encode()), rows(files[MOODLE])
    before[1][1], before[2][4] = "'=cmd()", "3"
    assert (after, notes) == (before, [])
    assert moodle_grades(files["moodle/06_exp.csv"]) == {"77": 3}


def test_of_each_week_the_newest_worksheet_tells_the_times(tmp_path):
    for time in (LATE, LATER):
        keep_worksheet(tmp_path, "05_square", read(tmp_path, worksheet((12, "Ada", time))))
    times = moodle_times(tmp_path, read(tmp_path, worksheet((77, "Ada", LATE))))
    days = {number: one.handed_in[8:10] for number, one in times.items()}
    assert days == {"12": "23", "77": "22"}
    assert moodle_times(tmp_path, read(tmp_path, "Name,ID\nAda,1\n")).keys() == {"12"}


def test_a_worksheet_of_another_assignment_is_not_filled(write):
    files, notes = write([moodle("Ada", 12)], worksheet((99, "Ada", "-")))
    assert moodle_grades(files[MOODLE]) == {"12": 3}
    assert "is of none of the exercises in this report" in notes[0]


def test_a_list_serves_folders_that_are_named_after_people_and_points_by_hand(write):
    results = [result("lovelace_ada", "05_square", TEN), result("Zoë", "05_square", ZERO)]
    files, notes = write(results, worksheet((12, "Ada Lovelace", "-"), (13, "Zoë", "-")))
    assert moodle_grades(files[MOODLE]) == {"12": 3, "13": 0}
    assert moodle_feedback(files[MOODLE_ZIP]).keys() == {"12", "13"}
    assert notes == []


@pytest.mark.parametrize(
    ("make", "text"), [(moodle, worksheet((1, "Ada", "-"))), (canvas, gradebook((1, "Ada", "")))]
)
def test_another_maximum_than_the_platforms_is_no_grade(write, make, text):
    files, notes = write([make("Ada", 1)], text)
    assert not {MOODLE, CANVAS} & files.keys()
    assert "for 05_square, which has 3 points" in notes[0]


@pytest.mark.parametrize(("text", "names"), [("", "Cy"), (worksheet((12, "A", "-")), "Bo, Cy")])
def test_anyone_whose_number_is_not_known_is_named(write, text, names):
    group = result("Cy", "05_square", TEN, person=Person("Cy", "moodle", "", "Cy_assign"))
    files, notes = write([moodle("Ada", 12, TEN), moodle("Bo", 13, TEN), group], text)
    for note, what in zip(notes, ("table of grades", "archive of feedback"), strict=True):
        assert note.startswith(f"Moodle's {what} for 05_square is without {names}, ")
    assert moodle_grades(files[MOODLE])["12"] == 3


def test_a_gradebook_of_canvas_keeps_its_students_and_whoever_is_excused(write):
    text = (
        "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Notes,Quiz (7),05 Square (777)\n"
        "    Points Possible,,,,,,,5.0,10.0\n"
        "Love,Ada,501,,,,,4,1\nLove,Bo,502,,,,,4,EX\n"
    )
    files, _ = write([canvas("ada", 501, TEN), canvas("bo", 502, TEN)], text)
    assert canvas_grades(files[CANVAS]) == ("05 Square (777)", "10", {"501": "3"})


@pytest.mark.parametrize("row", ASSIGNMENTS.splitlines())
def test_an_assignment_is_known_by_name_or_number(write, row):
    exercise, titles, expected = map(str.strip, row.split("|"))
    one = canvas("ada", 501, exercise=exercise)
    files, _ = write([one], f"Student,ID,Section,{titles}\nAda,501,A\n")
    assert canvas_grades(files[f"canvas/{exercise}.csv"])[0] == expected


@pytest.mark.parametrize("row", FILES.splitlines())
def test_feedback_for_canvas_is_a_notebook_under_the_name_of_a_notebook(write, row):
    number, file, key = map(str.strip, row.split("|"))
    folder = file.removeprefix("x/").partition("900_")[0] + "900_"
    person = Person("ada", "canvas", number, folder)
    files, notes = write([result("ada", person=person, file=file)])
    assert (CANVAS_ZIP in files) == ("archive of feedback" not in "".join(notes)) == bool(key)
    if key:
        assert canvas_feedback(files[CANVAS_ZIP]) == {tuple(key.split())}


@pytest.mark.parametrize(
    "name", ["a\udc80b", "a\x1b[2Jb", "../b", "\u202eb", "=1\n2", "=1;=cmd|' ~C calc'!A0;y"]
)
def test_whatever_a_name_holds_files_can_be_read_and_no_sheet_calculates(write, name):
    files, _ = write([moodle(name, 12), canvas(name, 5, exercise="06_exp")])
    assert list(moodle_feedback(files[MOODLE_ZIP])) == ["12"]
    assert canvas_feedback(files["canvas/06_exp_feedback.zip"]) == {("5", "900")}
    assert moodle_grades(files[MOODLE]) == {"12": 3}
    assert canvas_grades(files["canvas/06_exp.csv"])[2] == {"5": "3"}
    for file, delimiter in product((MOODLE, "canvas/06_exp.csv"), ",;\t"):
        cells = chain.from_iterable(rows(files[file], delimiter=delimiter))
        assert not any(cell.lstrip('" ').startswith("=") for cell in cells)


def test_a_second_run_writes_the_same_bytes_and_deletes_only_what_is_its_own(write, tmp_path):
    both = [moodle("Ada", 12), canvas("bo", 5)]
    assert write(both)[0] == write(both)[0]
    (tmp_path / "way_back/canvas/mine.csv").write_text("x", encoding="utf-8")
    assert write(both[:1])[0].keys() == {MOODLE, MOODLE_ZIP, "canvas/mine.csv"}
