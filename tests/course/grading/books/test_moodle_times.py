"""The times of Moodle's worksheets are kept, so that those of one week outlive the next."""

import pytest

from course.grading.books.moodle_times import MoodleTime, remembered_times
from course.grading.books.roster import NO_ROSTER
from course.grading.report_folder import ReportError, ReportFolder
from tests.course.grading.books.class_lists import read, worksheet

LATE, LATER = "Sunday, 22 November 2026, 10:00 AM", "Monday, 23 November 2026, 10:00 AM"


@pytest.fixture
def folder(tmp_path):
    """Return a report."""
    found = ReportFolder(tmp_path / "report")
    yield found
    found.close()


def test_the_worksheet_of_another_week_adds_its_times(folder, tmp_path):
    first = read(tmp_path, worksheet((12, "Ada", LATE), (13, "Bo", "-")))
    ada, bo = MoodleTime("2026-11-22T10:00:00", LATE), MoodleTime("", "-")
    assert remembered_times(folder, first) == {"12": ada, "13": bo}
    second = read(tmp_path, worksheet((77, "Ada", LATER)))
    both = {"12": ada, "13": bo, "77": MoodleTime("2026-11-23T10:00:00", LATER)}
    assert remembered_times(folder, second) == both
    assert remembered_times(folder, NO_ROSTER) == both


def test_a_newer_worksheet_of_the_same_week_counts(folder, tmp_path):
    remembered_times(folder, read(tmp_path, worksheet((12, "Ada", LATE), (13, "Bo", LATE))))
    newer = read(tmp_path, worksheet((12, "Ada", LATER), (13, "Bo", "-")))
    times = {"12": MoodleTime("2026-11-23T10:00:00", LATER), "13": MoodleTime("", "-")}
    assert remembered_times(folder, newer) == times
    assert remembered_times(folder, NO_ROSTER) == times


def test_the_times_of_an_older_report_are_read(folder):
    (folder.path / "moodle_times.json").write_text('{"12": "2026-11-22T10:00:00"}')
    assert remembered_times(folder, NO_ROSTER)["12"].handed_in == "2026-11-22T10:00:00"


def test_another_list_changes_nothing(folder, tmp_path):
    assert remembered_times(folder, read(tmp_path, "Name,ID\nAda,1\n")) == {}
    assert not (folder.path / "moodle_times.json").exists()


@pytest.mark.parametrize("content", ["", "[", "[]", '{"12": 5}'])
def test_times_that_cannot_be_read_are_not_taken_for_none(folder, content):
    (folder.path / "moodle_times.json").write_text(content, encoding="utf-8")
    with pytest.raises(ReportError, match="is damaged: delete it, and give the grading worksheets"):
        remembered_times(folder, NO_ROSTER)
