"""One JupyterLab and one browser for all tests in this folder; both end with them."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.browser import chromium
from tests.browser.lab import Lab
from tests.browser.server import Server


@pytest.fixture(scope="session")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """Give a headless browser with an empty profile, or skip; with CI=true a skip is a failure."""
    programs = chromium.find()
    if programs is None:
        pytest.skip(chromium.MISSING)
    browser = chromium.start(*programs, tmp_path_factory.mktemp("profile"))
    try:
        yield browser
    finally:
        browser.quit()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give a running JupyterLab that shows a copy of the notebooks."""
    running = Server(tmp_path_factory.mktemp("server"))
    try:
        running.wait()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def lab(chrome: Chrome, server: Server) -> Lab:
    """Give that JupyterLab in that browser."""
    return Lab(server, chrome)


@pytest.fixture(scope="session")
def screenshots() -> Path | None:
    """Give the folder that screenshots are wanted in, if any: the variable COURSE_SCREENSHOTS."""
    folder = os.environ.get("COURSE_SCREENSHOTS")
    return Path(folder) if folder else None
