"""The rules for every test: no skip under CI, no change of progress or of installed packages."""

import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.whygrad.installed import environment, needed

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

CHANGES = """
import sysconfig
from pathlib import Path

import pytest

@pytest.mark.parametrize("name", ["small.py", "small/__init__.py"])
def test_writes_a_package(name):
    path = Path(sysconfig.get_path("purelib"), name)
    path.parent.mkdir(exist_ok=True)
    path.write_text("version = 2")
"""


def run(tests, folder, python, **more):
    """Run tests in a folder under the rules for every test."""
    shutil.copy(Path(__file__).with_name("conftest.py"), folder)
    (folder / "test_some.py").write_text(tests)
    return subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder],
        cwd=folder,
        # None of the plugins matters here, and each takes time to load.
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **more},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("ci", "status", "summary"),
    [("", 0, "1 passed, 1 skipped, 1 xfailed"), ("true", 1, "1 failed, 1 passed, 1 xfailed")],
)
def test_a_skip_is_a_failure_under_ci_only(tmp_path, ci, status, summary):
    result = run(TESTS, tmp_path, sys.executable, CI=ci)
    assert result.returncode == status, result.stdout
    assert summary in result.stdout
    assert ("skipped under CI=true" in result.stdout) is (ci == "true")
    assert ("no browser here" in result.stdout) is (ci == "true")


def test_no_test_touches_the_progress_of_whoever_runs_it():
    assert os.environ["COURSE_PROGRESS"] == "off"


@pytest.mark.slow
def test_a_run_fails_that_changes_what_is_installed(tmp_path):
    pytests = metadata.distribution("pytest")
    python = environment([pytests, *needed(pytests)], tmp_path / "made")
    result = run(CHANGES, tmp_path, python)
    assert result.returncode == 1, result.stdout
    assert "2 passed" in result.stdout
    assert "changed meanwhile: ['small', 'small.py']" in result.stderr
