"""What several tests of the books use."""

from contextlib import closing

import pytest

from course.grading.report_folder import ReportFolder


@pytest.fixture
def folder(tmp_path):
    """Yield a report that nothing was graded into yet."""
    with closing(ReportFolder(tmp_path / "report")) as report:
        yield report
