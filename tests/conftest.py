"""Rules for every test."""

import gc
import os
import sysconfig

import pytest


def installed():
    """Return what changes whenever an installed package does: size and time of its first files."""
    found = set()
    for top in os.scandir(sysconfig.get_path("purelib")):
        for file in os.scandir(top) if top.is_dir() else [top]:
            if file.is_file() and top.name != "__pycache__":
                about = file.stat()
                found.add((top.name, file.name, about.st_size, about.st_mtime_ns))
    return found


AT_THE_START = installed()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session):
    """Fail a run that changed the environment it ran in: its other results are not worth much."""
    result = yield
    changed = sorted({name for name, *_ in AT_THE_START ^ installed()})
    if changed and not hasattr(session.config, "workerinput"):
        pytest.exit(f"The packages of this environment changed meanwhile: {changed}", returncode=1)
    return result


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
