"""Every notebook, run from top to bottom by JupyterLab's own Run All, and looked at."""

import pytest

from tests.browser import stored
from tests.browser.lab import errors
from tests.browser.look import card_and_page, pictures, save_pages
from tests.browser.page import DARK, LIGHT

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# Each takes fifteen seconds: one of each part is run here, and the others in `make proof`.
LESSONS = [
    pytest.param(name, marks=[] if name[:2] in ("00", "05", "10") else [pytest.mark.proof])
    for name in stored.NAMES
]


@pytest.fixture(scope="module", params=LESSONS)
def ran(lab, request):
    """Give JupyterLab with the notebook open and run."""
    lab.open_notebook(request.param)
    assert not lab.is_changed(), "nothing was done yet, and it would ask whether to save"
    lab.run_all()
    yield lab
    lab.close_notebook()


@pytest.fixture
def stored_cells(ran):
    return stored.code_cells(ran.name)


def test_every_code_cell_ran_once_and_in_order(ran):
    cells = ran.code_cells()
    assert errors(cells) == []
    assert [cell["count"] for cell in cells] == list(range(1, len(cells) + 1))


def test_no_error_and_no_dialog_is_on_the_page(ran):
    assert ran.shown_errors() == []
    assert ran.alerts() == []


def test_its_outputs_say_what_the_stored_notebook_says(ran, stored_cells):
    fresh = ran.code_cells()
    assert [cell["id"] for cell in fresh] == [cell["id"] for cell in stored_cells]
    for now, then in zip(fresh, stored_cells, strict=True):
        if not stored.is_measured(then):
            assert stored.texts(now) == stored.texts(then), f"the outputs of {then['id']} differ"


def test_every_stored_picture_is_drawn_again_and_fits_its_place(ran, stored_cells):
    cells = [cell for cell in stored_cells if stored.pictures(cell)]
    assert cells, "a lesson without a picture"
    for cell in cells:
        for picture in pictures(ran, cell["id"], len(stored.pictures(cell))):
            assert min(picture.natural) > 0, f"{cell['id']}: an empty picture"
            assert picture.right - picture.left > 100, f"{cell['id']}: too small to see"
            assert picture.right <= picture.room, f"{cell['id']}: cut off at the right"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_pictures_stand_on_a_light_card_in_either_theme(ran, stored_cells, theme, screenshots):
    ran.use_theme(theme)
    if screenshots:
        save_pages(ran, screenshots, f"{ran.name}.{theme.split()[-1].lower()}")
    for cell in stored_cells:
        count = len(stored.pictures(cell))
        for place in range(count):
            card, page = card_and_page(ran, cell["id"], count, place)
            assert card > 0.8, f"{cell['id']}: the picture has no light card"
            assert (page < 0.1) == (theme == DARK), f"the page is not in {theme}"
