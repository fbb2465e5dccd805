"""The worksheets of all weeks are kept, with the times and drafts that they tell."""

from dataclasses import replace

import pytest

from course.grading.books.roster import NO_ROSTER
from course.grading.books.worksheets import (
    keep_worksheet,
    kept_worksheets,
    moodle_times,
    of_another_week,
)
from course.grading.reading.layouts import Person
from course.grading.report_folder import ReportError
from tests.course.grading.books.class_lists import read, worksheet
from tests.course.grading.books.samples import result

LATE, LATER = "Sunday, 22 November 2026, 10:00 AM", "Monday, 23 November 2026, 10:00 AM"


def times(folder, roster=NO_ROSTER):
    return {number: one.handed_in[8:10] for number, one in moodle_times(folder, roster).items()}


def test_the_worksheet_of_another_week_adds_its_times(tmp_path):
    keep_worksheet(tmp_path, "05_square", read(tmp_path, worksheet((12, "Ada", LATE))))
    given = read(tmp_path, worksheet((77, "Ada", LATER)))
    assert times(tmp_path, given) == {"12": "22", "77": "23"}
    assert times(tmp_path, read(tmp_path, "Name,ID\nAda,1\n")) == {"12": "22"}


def test_of_one_week_the_newest_time_counts_and_no_row_is_lost(tmp_path):
    for rows in [((12, "Ada", LATE), (13, "Bo", LATE)), ((12, "Ada", LATER), (14, "Cy", "-"))]:
        keep_worksheet(tmp_path, "05_square", read(tmp_path, worksheet(*rows)))
    assert times(tmp_path) == {"12": "23", "14": "", "13": "22"}


def test_what_is_kept_is_read_as_it_was_given(tmp_path):
    text = worksheet((12, "=Ada; Bo", LATE)).replace("Submitted", "Draft (not submitted)")
    given = read(tmp_path, text)
    keep_worksheet(tmp_path, "05_square", given)
    assert kept_worksheets(tmp_path) == {"05_square": given}
    assert moodle_times(tmp_path, NO_ROSTER)["12"].is_draft


def test_a_worksheet_that_was_given_for_another_week_is_told(tmp_path):
    given = read(tmp_path, worksheet((12, "Ada", "-")))
    five, six = (
        result("Ada", exercise, person=Person("Ada", "moodle", number))
        for exercise, number in (("05_square", "12"), ("06_exp", "77"))
    )
    assert "worksheet of 05_square, by" in of_another_week(given, [five, six], ["06_exp"])[0]
    assert of_another_week(given, [five, six], ["05_square"]) == []
    remembered = replace(given, is_remembered=True)
    assert of_another_week(remembered, [five, six], ["06_exp"]) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ID,Vollständiger Name\nTeilnehmer/in12,Ada\n", "set Moodle to English"),
        ("Name\nAda\n", "is not a grading worksheet of Moodle"),
    ],
)
def test_a_kept_worksheet_that_cannot_be_used_says_what_to_do(tmp_path, text, said):
    (tmp_path / "rosters").mkdir()
    (tmp_path / "rosters" / "05_square.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ReportError, match=rf"{said}.* Or delete .*05_square\.csv"):
        moodle_times(tmp_path, NO_ROSTER)
