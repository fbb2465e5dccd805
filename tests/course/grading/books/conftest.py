"""What several tests of the books use."""

from contextlib import closing

import pytest

from course.grading.report_folder import ReportFolder
from tests.course.grading.books.reports import Report


@pytest.fixture
def report(tmp_path):
    """Return an empty report."""
    (tmp_path / "report").mkdir()
    return Report(tmp_path / "report")


@pytest.fixture
def folder(tmp_path):
    """Yield a report that nothing was graded into yet."""
    with closing(ReportFolder(tmp_path / "report")) as report:
        yield report
