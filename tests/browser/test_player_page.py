"""The player of a backward pass on a page without a kernel, and its list without the player."""

import pytest
from nbconvert import HTMLExporter
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.page import SECONDS, open_page
from tests.browser.player import button, contrasts, players
from tests.browser.player_notebook import NODES, drive, notebook
from tests.whygrad.graph.functions import training_step
from whygrad.graph import step

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# The middle of the marked function lies in the window of the picture.
_IN_SIGHT = """
const graph = arguments[0].querySelector('.autograd-step-graph');
const [now, seen] = [graph.querySelector('.autograd-step-now'), graph].map(
  one => one.getBoundingClientRect());
const [x, y] = [now.left + now.width / 2, now.top + now.height / 2];
return seen.left < x && x < seen.right && seen.top < y && y < seen.bottom;
"""


@pytest.fixture(params=["light", "dark"])
def page(request, chrome, tmp_path):
    """Open the notebook as a static page, in a theme."""
    file = tmp_path / "page.html"
    html, _ = HTMLExporter(theme=request.param).from_notebook_node(notebook())
    file.write_text(html, encoding="utf-8")
    open_page(chrome, file.as_uri())
    WebDriverWait(chrome, SECONDS).until(lambda _: len(players(chrome)) == 2, "no two players")
    return chrome, request.param


def test_on_an_exported_page_it_works_without_a_kernel(page, screenshots):
    chrome, theme = page
    first, second = players(chrome)
    for player in (second, first):
        drive(chrome, player)
        faint = {text: c for text, c in contrasts(chrome, player).items() if c < 4.5}
        assert not faint
    assert not any(found.is_displayed() for found in chrome.find_elements(By.TAG_NAME, "ol"))
    if screenshots:
        chrome.save_screenshot(str(screenshots / f"player.page.{theme}.png"))


def test_it_is_made_of_buttons_with_names_and_a_live_region(page):
    chrome, _ = page
    player = players(chrome)[0]
    names = [b.accessible_name for b in player.find_elements(By.TAG_NAME, "button")]
    assert names == ["First", "Previous", "Next", "Last"]
    assert player.aria_role == "group"
    assert player.accessible_name == "Backward pass, step by step: arrow keys, Home and End"
    (live,) = player.find_elements(By.CSS_SELECTOR, "[aria-live=polite]")
    assert "MseLossBackward0" in live.text
    assert player.find_element(By.CSS_SELECTOR, "svg").aria_role in ("img", "image")


@pytest.fixture
def bare(chrome, tmp_path):
    """Open a player's HTML alone on a page, without JupyterLab's styles."""
    tensors = training_step()
    file = tmp_path / "bare.html"
    player = step(tensors["loss"], **tensors).html

    def opened(html: str = "", head: str = "", **features: str):
        page = f"<!doctype html><html {html}><meta charset=utf-8>{head}<body>{player}"
        file.write_text(page, encoding="utf-8")
        pairs = [{"name": n.replace("_", "-"), "value": v} for n, v in features.items()]
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": pairs})
        open_page(chrome, file.as_uri())
        return chrome

    yield opened
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [], "media": ""})
    chrome.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_without_jupyterlab_it_follows_the_reader_s_colours(bare, scheme):
    chrome = bare(prefers_color_scheme=scheme)
    (player,) = players(chrome)
    drive(chrome, player)
    assert min(contrasts(chrome, player).values()) >= 4.5
    paper = player.value_of_css_property("background-color")
    assert (paper == "rgba(255, 255, 255, 1)") == (scheme == "light")


@pytest.mark.parametrize(
    ("html", "scheme"),
    [
        ('data-theme="light"', "light"),
        ('data-theme="dark"', "dark"),
        ('data-jp-theme-light="true"', "light"),
        ('data-jp-theme-light="false"', "dark"),
        ('data-vscode-theme-kind="vscode-light"', "light"),
        ('data-vscode-theme-kind="vscode-dark"', "dark"),
        ('data-vscode-theme-kind="vscode-high-contrast"', "dark"),
        ('data-vscode-theme-kind="vscode-high-contrast-light"', "light"),
    ],
)
def test_it_follows_the_theme_of_its_page_and_not_that_of_the_system(bare, html, scheme):
    ground = {"light": "white; color: black", "dark": "black; color: white"}[scheme]
    # Sphinx themes give the captions of tables a colour that fits their own ground.
    head = f"<style>body {{ background: {ground} }} caption {{ color: gray }}</style>"
    system = "dark" if scheme == "light" else "light"
    chrome = bare(html, head, prefers_color_scheme=system)
    (player,) = players(chrome)
    everything = chrome.find_element(By.TAG_NAME, "body")
    assert min(contrasts(chrome, everything).values()) >= 4.5
    paper = player.value_of_css_property("background-color")
    assert (paper == "rgba(255, 255, 255, 1)") == (scheme == "light")


def test_the_function_that_is_shown_is_in_sight_where_the_picture_has_little_room(bare):
    chrome = bare(head="<style>div.autograd-step-graph { max-height: 8rem; }</style>")
    (player,) = players(chrome)
    for name in ("First", "Next", "Last", "Previous"):
        button(player, name).click()
        WebDriverWait(chrome, SECONDS).until(
            lambda _: chrome.execute_script(_IN_SIGHT, player), f"out of sight after {name}"
        )


def test_it_does_not_scroll_smoothly_for_those_who_want_no_motion(bare):
    behaviour = [
        bare(prefers_reduced_motion=wish)
        .find_element(By.CSS_SELECTOR, ".autograd-step-graph")
        .value_of_css_property("scroll-behavior")
        for wish in ("no-preference", "reduce")
    ]
    assert behaviour == ["smooth", "auto"]


def test_where_scripts_do_not_run_the_list_is_there(bare, chrome):
    chrome.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    bare()
    assert players(chrome) == []
    items = chrome.find_elements(By.CSS_SELECTOR, "ol li")
    assert [item.text.splitlines()[0] for item in items] == NODES
    assert all(item.is_displayed() for item in items)


def test_printed_it_is_the_list(bare, chrome):
    bare()
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not players(chrome)[0].is_displayed()
    assert chrome.find_element(By.TAG_NAME, "ol").is_displayed()
