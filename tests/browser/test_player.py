"""The player of a backward pass in JupyterLab, driven by mouse and keyboard."""

import nbformat
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser.page import DARK, LIGHT
from tests.browser.player import button, contrasts, players, state
from tests.browser.player_notebook import NODES, drive, notebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NAME = "player"


@pytest.fixture(scope="module")
def opened(lab, server):
    """Give JupyterLab with that notebook."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "restore", lambda name: None)
        nbformat.write(notebook(), server.folder / "notebooks" / f"{NAME}.ipynb")
        lab.open_notebook(NAME)
        yield lab
        lab.close_notebook()


def _shown_lists(lab):
    find = lab.show("first").find_elements
    return [found for found in find(By.CSS_SELECTOR, "ol") if found.is_displayed()]


def test_a_notebook_that_jupyterlab_does_not_trust_shows_the_list(opened):
    (shown,) = opened.wait(lambda: _shown_lists(opened), "no list")
    items = [item.text for item in shown.find_elements(By.CSS_SELECTOR, "li")]
    assert [item.splitlines()[0] for item in items] == NODES
    assert "from node 1 (MseLossBackward0): (4, 1) [[" in items[1]
    assert players(opened.chrome) == []
    output = opened.show("first").find_element(By.CSS_SELECTOR, ".jp-OutputArea-output")
    assert output.text.count("Backward from loss: 5 steps") == 1
    for left_over in ("float32", "stroke", "autograd-step", "=>"):  # of picture, style, script
        assert left_over not in output.text


@pytest.fixture(scope="module")
def ran(opened):
    opened.run_all()
    opened.wait(lambda: len(players(opened.chrome)) == 2, "not two players")
    return opened


@pytest.fixture
def player(ran):
    """Give the first player, at its first step."""
    ran.show("first")
    found = players(ran.chrome)[0]
    button(found, "First").click()
    return found


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_in_jupyterlab_it_follows_mouse_and_keyboard(ran, player, theme, screenshots):
    ran.use_theme(theme)
    drive(ran.chrome, player)
    assert ran.run("return document.activeElement") != ran.panel()
    if screenshots:
        ran.chrome.save_screenshot(str(screenshots / f"player.{theme.split()[-1].lower()}.png"))
    faint = {text: c for text, c in contrasts(ran.chrome, player).items() if c < 4.5}
    assert not faint


def test_grad_fills_as_the_steps_go(ran, player):
    chrome = ran.chrome
    assert [row[1] for row in state(chrome, player).grads] == ["None", "None"]
    player.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    shown = state(chrome, player)
    (bias, value), (weight, nothing) = shown.grads
    assert (bias, weight, nothing) == ("bias", "weight", "None")
    assert value.startswith("(1,) [")
    assert value.endswith("← now")
    assert shown.rows[1] == "now " + value.removesuffix(" ← now")
    assert len(shown.way) == 1  # from AccumulateGrad to its leaf
    player.send_keys(Keys.END)
    ends = [row[1] for row in state(chrome, player).grads]
    assert ends[0] == value.removesuffix(" ← now")
    assert ends[1].endswith("← now")


def test_two_players_on_one_page_do_not_move_each_other(ran, player):
    first, second = players(ran.chrome)
    button(second, "First").click()
    first.send_keys(Keys.END)
    assert state(ran.chrome, second).where == "Step 1 of 5"
    second.send_keys(Keys.ARROW_RIGHT)
    assert state(ran.chrome, second).where == "Step 2 of 5"
    assert state(ran.chrome, first).where == "Step 5 of 5"


def test_jupyterlab_keeps_its_keys_outside_the_player_and_its_cell_inside(ran, player):
    active = "return panel.content.activeCellIndex"
    player.click()
    before = ran._ask(active)
    player.send_keys(Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.HOME)
    assert ran._ask(active) == before
    player.send_keys(Keys.ARROW_UP)
    assert ran._ask(active) == before - 1


def test_after_a_click_on_a_button_the_arrow_keys_work(ran, player):
    button(player, "Next").click()
    ran.chrome.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert state(ran.chrome, player).where == "Step 3 of 5"
