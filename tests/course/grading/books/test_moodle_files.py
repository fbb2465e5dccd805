"""The worksheets of all weeks are kept, with the times and drafts that they tell."""

from course.grading.books.moodle_files import keep_worksheet, moodle_times
from tests.course.grading.books.class_lists import read, worksheet

LATE, LATER = "Sunday, 22 November 2026, 10:00 AM", "Monday, 23 November 2026, 10:00 AM"


def test_of_each_week_the_newest_worksheet_tells_the_times(tmp_path):
    for rows in [((12, "Ada", LATE), (13, "Bo", LATE)), ((12, "Ada", LATER), (14, "Cy", "-"))]:
        keep_worksheet(tmp_path, "05_square", read(tmp_path, worksheet(*rows)))
    times = moodle_times(tmp_path, read(tmp_path, worksheet((77, "Ada", LATE))))
    days = {number: one.handed_in[8:10] for number, one in times.items()}
    assert days == {"12": "23", "14": "", "77": "22"}
    assert moodle_times(tmp_path, read(tmp_path, "Name,ID\nAda,1\n")).keys() == {"12", "14"}
