"""A student's way through an exercise: a wrong answer, its diagnosis, the mended one, progress."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser.look import save_pages
from tests.browser.page import DARK, LIGHT

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NAME = "05_square"
WRONG = """class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x.detach() * grad_y
"""
RIGHT = WRONG.replace(".detach()", "")


@pytest.fixture(scope="module")
def exercise(lab):
    """Give the exercise, opened and run from top to bottom as it was handed out."""
    lab.open_notebook(NAME, "exercises")
    lab.run_all()
    yield lab
    lab.close_notebook()


def answer(lab, code):
    lab.paste("answer-5-1", code)
    lab.run_cell("answer-5-1")
    lab.run_cell("check-5-1")
    return shown(lab, "check-5-1")


def shown(lab, cell_id):
    return lab.show(cell_id).find_element(By.CSS_SELECTOR, ".jp-OutputArea").text


@pytest.fixture(scope="module")
def before(exercise):
    return shown(exercise, "check-5-1")


@pytest.fixture(scope="module")
def wrong(exercise, before):
    return answer(exercise, WRONG)


@pytest.fixture(scope="module")
def right(exercise, wrong):
    return answer(exercise, RIGHT)


def test_run_all_reaches_the_last_cell_of_the_stub(exercise, before):
    counts = [cell["count"] for cell in exercise.code_cells()]
    assert counts[: len(counts)] == list(range(1, len(counts) + 1))
    assert "not started" in before


def test_a_wrong_answer_is_named_and_shows_both_graphs(exercise, wrong, screenshots):
    if screenshots:
        for theme in (DARK, LIGHT):
            exercise.use_theme(theme)
            save_pages(exercise, screenshots, f"exercise.{theme.split()[-1].lower()}")
    assert "✗ second" in wrong or "✗" in wrong
    assert "second-order-lost" in wrong or "cannot be differentiated" in wrong
    pictures = exercise.show("check-5-1").find_elements(By.CSS_SELECTOR, ".jp-OutputArea img")
    assert len(pictures) == 1
    assert "AccumulateGrad" in pictures[0].get_attribute("alt")


def test_the_mended_answer_passes(right):
    assert "✗" not in right
    assert right.count("✓") >= 5


def test_a_hint_is_given_one_at_a_time(exercise, right):
    exercise.paste("answer-5-1", RIGHT + '\n\ncheck.hint("5.1")')
    exercise.run_cell("answer-5-1")
    assert "Hint 1 of 3" in shown(exercise, "answer-5-1")
    assert "Hint 2 of 3" not in shown(exercise, "answer-5-1")


def test_progress_shows_what_was_solved(exercise, right):
    exercise.run_cell("progress")
    row = next(line for line in shown(exercise, "progress").splitlines() if "5.1" in line)
    assert "solved" in row


def test_the_check_cell_can_be_neither_edited_nor_deleted(exercise, right):
    before = exercise.source("check-5-1")
    editor = exercise.show("check-5-1").find_element(By.CSS_SELECTOR, ".cm-content")
    editor.click()
    editor.send_keys("x")
    assert exercise.source("check-5-1") == before
    editor.send_keys(Keys.ESCAPE)
    exercise.chrome.switch_to.active_element.send_keys("d", "d")
    assert "check-5-1" in [cell["id"] for cell in exercise.cells()]
