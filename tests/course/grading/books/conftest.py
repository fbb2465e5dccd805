"""What tests of the books share."""

import pytest

from tests.course.grading.books.reports import Report


@pytest.fixture
def report(tmp_path):
    """Return an empty report."""
    (tmp_path / "report").mkdir()
    return Report(tmp_path / "report")
