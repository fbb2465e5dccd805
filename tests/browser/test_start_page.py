"""What a student sees first: the map of the course, ready to run, and nothing in its way."""

import pytest
from selenium.webdriver.common.by import By

from course.checkout import PACKAGE_ROOT, START_PAGE
from tests.browser.lab import Lab
from tests.browser.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]
START_NAME = START_PAGE.removeprefix("notebooks/").removesuffix(".ipynb")


@pytest.fixture(scope="module")
def start(lab):
    lab.open("/", START_PAGE)
    yield lab
    lab.open("/", START_PAGE)  # in front of what a test has opened
    lab.close_notebook()


def test_the_root_of_the_server_opens_the_start_page_and_nothing_else(start):
    tabs = start.chrome.find_elements(By.CSS_SELECTOR, "#jp-main-dock-panel .lm-TabBar-tabLabel")
    assert [tab.text for tab in tabs] == [f"{START_NAME}.ipynb"]
    title = start.chrome.find_element(By.CSS_SELECTOR, ".jp-RenderedMarkdown h1")
    assert title.text.startswith("Custom autograd functions in PyTorch")


def test_its_kernel_is_the_right_one_and_ready(start):
    assert start.state() == {"ready": True, "kernel": "python3", "status": "idle"}


def test_that_it_was_opened_is_no_change(start):
    assert not start.is_changed()


def test_no_dialog_no_notification_and_no_banner_is_in_the_way(start):
    assert start.alerts() == []
    bell = start.chrome.find_element(By.CSS_SELECTOR, ".jp-Notification-Status")
    assert bell.text.strip() in ("", "0")


def test_its_picture_shows_before_anything_has_run(start):
    found = "return document.querySelector('.jp-RenderedMarkdown img')?.naturalWidth;"
    assert start.wait(lambda: start.run(found), "the picture of the map does not show") > 100


def test_the_map_is_saved_without_the_progress_that_it_shows(start, server):
    saved = "return !panel.context.model.dirty;"
    panel = f"const panel = window.jupyterapp.shell.currentWidget; {saved}"
    for _ in range(2):  # saved again, it asks nothing, though the page holds more than the file
        start.run_all()
        start.choose("File", "Save Notebook")
        start.wait(lambda: start.run(panel), "the map is not saved")
        stored, here = (folder / START_PAGE for folder in (PACKAGE_ROOT, server.folder))
        assert here.read_bytes() == stored.read_bytes()
        assert start.alerts() == []
        (cell,) = start.code_cells()
        assert cell["outputs"][0]["data"]["text/plain"].startswith("Solved: ")


@pytest.fixture
def above(chrome, tmp_path_factory):
    """Give JupyterLab with the map open, started in the folder above the course."""
    running = Server(tmp_path_factory.mktemp("above"), above=True)
    try:
        running.wait()
        page = Lab(running, chrome)
        path = f"{running.above}{START_PAGE}"
        page.open(f"/lab/tree/{path}", path)
        yield page
    finally:
        running.stop()


@pytest.mark.proof
def test_from_a_folder_above_the_course_the_map_shows_the_same_and_leads_on(above):
    found = "return document.querySelector('.jp-RenderedMarkdown img')?.naturalWidth;"
    assert above.wait(lambda: above.run(found), "the picture of the map does not show") > 100
    above.run_all()
    (cell,) = above.code_cells()
    assert cell["outputs"][0]["data"]["text/plain"].startswith("Solved: ")
    above.show(cell["id"]).find_element(By.CSS_SELECTOR, "tbody td a").click()
    opened = "return [...window.jupyterapp.shell.widgets('main')].map(one => one.context?.path);"
    first = "course/exercises/00_autograd.ipynb"
    above.wait(lambda: first in above.run(opened), f"{first} does not open")


def test_run_all_shows_each_lesson_and_a_link_that_opens_its_exercise(start):
    start.run_all()
    (cell,) = start.code_cells()
    assert cell["outputs"][0]["data"]["text/plain"].startswith("Solved: ")
    rows = start.show(cell["id"]).find_elements(By.CSS_SELECTOR, "tbody tr")
    assert len(rows) == cell["outputs"][0]["data"]["text/plain"].count("\n") - 1
    rows[0].find_element(By.CSS_SELECTOR, "td a").click()
    opened = "return [...window.jupyterapp.shell.widgets('main')].map(one => one.context?.path);"
    first = "exercises/00_autograd.ipynb"
    start.wait(lambda: first in start.run(opened), f"{first} does not open")
