"""The rules for every test: nothing is skipped under CI, and nobody's progress is touched."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

def test_skips():
    pytest.skip("no browser here")

@pytest.mark.xfail(strict=True)
def test_expected_to_fail():
    assert False

def test_passes():
    pass
"""


@pytest.mark.parametrize(
    ("ci", "status", "summary"),
    [("", 0, "1 passed, 1 skipped, 1 xfailed"), ("true", 1, "1 failed, 1 passed, 1 xfailed")],
)
def test_a_skip_is_a_failure_under_ci_only(tmp_path, ci, status, summary):
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    (tmp_path / "test_three.py").write_text(TESTS)
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        # None of the plugins matters here, and each takes time to load.
        env={**os.environ, "CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )
    assert result.returncode == status, result.stdout
    assert summary in result.stdout
    assert ("skipped under CI=true" in result.stdout) is (ci == "true")
    assert ("no browser here" in result.stdout) is (ci == "true")


def test_no_test_touches_the_progress_of_whoever_runs_it():
    assert os.environ["COURSE_PROGRESS"] == "off"
