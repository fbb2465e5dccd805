"""A student's mistake: its error shows under the cell, and the notebook works on."""

import pytest
from selenium.webdriver.common.by import By

from tests.browser.lab import errors

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LESSON = "00_autograd"
SLIP = 'raise ValueError("a slip")'


@pytest.fixture(scope="module")
def slipped(lab):
    """Give a lesson, run, with its second cell then replaced by one that raises, and run."""
    lab.open_notebook(LESSON)
    lab.run_all()
    changed = lab.code_cells()[1]["id"]
    lab.write(changed, SLIP)
    lab.run_cell(changed)
    yield lab, changed
    lab.close_notebook()


def test_the_error_shows_under_its_cell_with_the_line_at_fault(slipped):
    lab, changed = slipped
    shown = lab.show(changed).find_element(By.CSS_SELECTOR, ".jp-OutputArea-output")
    assert "ValueError: a slip" in shown.text
    assert SLIP in shown.text
    assert errors(lab.code_cells()) == [f"{changed}: ValueError: a slip"]


def test_the_cells_after_it_still_run(slipped):
    lab, _ = slipped
    for cell in lab.code_cells()[2:4]:
        ran = lab.run_cell(cell["id"])
        assert errors([ran]) == []
        assert ran["outputs"] == cell["outputs"]
        assert ran["outputs"]
