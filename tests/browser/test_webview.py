"""Stored pictures, players and reports in a view that has nothing of JupyterLab, as VS Code's."""

import re

import pytest
from selenium.webdriver.common.by import By

from course.checkout import PACKAGE_ROOT
from tests.browser.page import open_page
from tests.browser.player import button, contrasts, players, state
from tests.browser.webview import ORDER, outputs, page

NOTEBOOKS = [
    path.relative_to(PACKAGE_ROOT).as_posix()
    for folder in ("notebooks", "solutions")
    for path in sorted((PACKAGE_ROOT / folder).glob("[0-9]*.ipynb"))
]
# With a player, plots and graphs; with a report; with the reports on answers.
SOME = ["notebooks/05_square.ipynb", "notebooks/04_gradcheck.ipynb", "solutions/05_square.ipynb"]
OURS = "application/vnd.autograd-course.evidence+json"  # what the grader reads; nobody sees it
_CARDS = """
const light = element => {
  for (; element; element = element.parentElement) {
    const [red, green, blue, alpha = 1] =
      getComputedStyle(element).backgroundColor.match(/[0-9.]+/g).map(Number);
    if (alpha === 1) return Math.min(red, green, blue) / 255;
  }
  return 1;
};
return [...document.querySelectorAll('.output svg, .output img')].filter(e => e.checkVisibility())
  .map(picture => {
    const box = picture.getBoundingClientRect();
    const whole = [...picture.querySelectorAll(':scope > g > polygon, :scope > g > g > path')][0];
    const own = whole ? getComputedStyle(whole).fill : '';
    return [picture.closest('.output').dataset.cell, box.width, box.height,
      own === 'rgb(255, 255, 255)' ? 1 : light(picture)];
  });
"""


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_output_has_a_form_for_any_viewer_and_its_words(name):
    for cell, data in outputs(PACKAGE_ROOT / name):
        assert "text/plain" in data, cell
        assert set(data) <= {*ORDER, OURS}, cell
        markup = data.get("text/html", "")
        assert not re.findall(r"var\(--jp-[\w-]+\)", markup), "a colour that JupyterLab alone has"
        for foreign in ("require(", "requirejs", "Jupyter.", "jupyterapp", "http://", "https://"):
            assert foreign not in re.sub(r"http://www\.w3\.org/\S+", "", markup), cell


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "names", [SOME, pytest.param(NOTEBOOKS, marks=pytest.mark.proof)], ids=["some", "all"]
)
def test_it_shows_whole_pictures_players_that_play_and_words_that_can_be_read(
    chrome, tmp_path, names, theme, screenshots
):
    played = 0
    for name in names:
        file = tmp_path / f"{name.replace('/', '_')}.{theme}.html"
        file.write_text(page(PACKAGE_ROOT / name, theme), encoding="utf-8")
        open_page(chrome, file.as_uri())
        assert chrome.execute_script("return window.troubles") == [], name
        for cell, width, height, card in chrome.execute_script(_CARDS):
            assert min(width, height) > 40, (name, cell)
            assert card > 0.8, f"{name}, {cell}: the picture has no light card"
        body = chrome.find_element(By.TAG_NAME, "body")
        faint = {text: c for text, c in contrasts(chrome, body).items() if c < 4.5}
        assert not faint, name
        recorded = chrome.find_elements(By.CSS_SELECTOR, ".autograd-step")
        assert len(players(chrome)) == len(recorded), name
        for player in players(chrome):
            first = state(chrome, player)
            button(player, "Next").click()
            assert state(chrome, player).where != first.where
            played += 1
        if screenshots:
            chrome.save_screenshot(str(screenshots / f"webview.{file.stem}.png"))
    assert played >= len(names) // 8 + 1
