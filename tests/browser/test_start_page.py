"""What a student sees first: the start page, ready to run, and nothing in its way."""

import pytest
from selenium.webdriver.common.by import By

from course.checkout import START_PAGE
from tests.browser import stored
from tests.browser.look import pictures

pytestmark = [pytest.mark.browser, pytest.mark.slow]
START_NAME = START_PAGE.removeprefix("notebooks/").removesuffix(".ipynb")


@pytest.fixture(scope="module")
def start(lab):
    lab.open("/", START_PAGE)
    yield lab
    lab.close_notebook()


def test_the_root_of_the_server_opens_the_start_page_and_nothing_else(start):
    tabs = start.chrome.find_elements(By.CSS_SELECTOR, "#jp-main-dock-panel .lm-TabBar-tabLabel")
    assert [tab.text for tab in tabs] == [f"{START_NAME}.ipynb"]
    title = start.chrome.find_element(By.CSS_SELECTOR, ".jp-RenderedMarkdown h1")
    assert title.text.startswith("0. Autograd in ten minutes")


def test_its_kernel_is_the_right_one_and_ready(start):
    assert start.state() == {"ready": True, "kernel": "python3", "status": "idle"}


def test_no_dialog_no_notification_and_no_banner_is_in_the_way(start):
    assert start.alerts() == []
    bell = start.chrome.find_element(By.CSS_SELECTOR, ".jp-Notification-Status")
    assert bell.text.strip() in ("", "0")


def test_the_stored_pictures_show_before_anything_has_run(start):
    cells = [cell for cell in stored.code_cells(START_NAME) if stored.pictures(cell)]
    assert cells
    for cell in cells:
        # A notebook that JupyterLab does not trust shows the text of a picture in its place.
        for picture in pictures(start, cell["id"], len(stored.pictures(cell))):
            assert min(picture.natural) > 0
