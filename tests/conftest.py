"""Rules for every test."""

import gc
import os

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Turn a skip into a failure where CI=true: there, everything a test needs must be present."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped under CI=true, where nothing may be: {reason}"
    return report


def pytest_configure():
    """Collect thousands of tests without a search for garbage, which there is none of."""
    gc.disable()


def pytest_collection_finish():
    """Search for garbage from now on, in what tests make."""
    gc.enable()
