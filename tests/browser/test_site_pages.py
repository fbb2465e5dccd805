"""The static site: built without a network, whole, and open to everybody, on a phone too."""

import re
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from matplotlib.colors import to_hex
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from course.checkout import PACKAGE_ROOT
from tests.browser.page import Page, open_page
from tests.browser.player import PLAYER, button, contrasts, players, state
from tests.browser.site_links import broken, outside, read_links
from whygrad.look import IN_THE_DARK

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.proof]
ORIGIN = "git@github.com:ada/course.git"
MOST_BYTES = 2_000_000  # of a page
DESK, PHONE = 1280, 390
AXE = PACKAGE_ROOT / ".build/axe/node_modules/axe-core/axe.min.js"
_STILL = """
const still = document.createElement('style');
still.textContent = `*, ::before, ::after {
  transition: none !important; animation: none !important
}`;
document.head.append(still);
document.querySelectorAll('details').forEach(fold => fold.open = true);
document.querySelectorAll('img').forEach(image => image.loading = 'eager');
"""
_AUDIT = """
const [options, done] = arguments;
axe.run(document, {...options, resultTypes: ['violations'], preload: false}).then(
  ({violations}) => done(
    violations.flatMap(one => one.nodes.map(node => `${one.id}: ${node.target.join(' ')}`))));
"""
# To measure colours takes most of the time. They depend on the scheme alone, and nothing else does;
# what stands beside an article on a phone is the same on all pages, and one page is measured there.
_COLOURS = ["color-contrast", "link-in-text-block"]
_VIEWS: dict[int, dict[str, dict]] = {
    DESK: {"light": {}, "dark": {"runOnly": _COLOURS}},
    PHONE: {"light": {"rules": {rule: {"enabled": False} for rule in _COLOURS}}},
}
_FORMULAS = """
return [...document.querySelectorAll('article math')].filter(
  one => one.getBoundingClientRect().width < 3).map(one => one.textContent);
"""
_CUT = """
const beside = document.querySelector('.bd-sidebar-secondary');
return beside !== null && beside.scrollWidth > beside.clientWidth;
"""
_ADDRESSES = "return performance.getEntriesByType('resource').map(one => one.name);"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Build the site where there is no network."""
    out = tmp_path_factory.mktemp("site") / "course"
    command = ["unshare", "--user", "--map-root-user", "--net", sys.executable, "-m", "course.cli"]
    command += ["site", "--origin", ORIGIN, "--out", str(out)]
    result = subprocess.run(command, cwd=PACKAGE_ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return out


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(site):
    """Serve the site below the repository's name, as forges do; give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site.parent))
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield f"http://127.0.0.1:{server.server_port}/{site.name}/"
    server.shutdown()
    serving.join()
    server.server_close()


class Window:
    """The browser, with a site in it."""

    def __init__(self, chrome, address: str) -> None:
        self.chrome, self.address = chrome, address

    def open(self, page: str, scheme: str = "light", width: int = DESK):
        """Open a page in a scheme and a width; return the browser."""
        self.size(width)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        open_page(self.chrome, f"{self.address}{page}")
        return self.chrome

    def open_for_axe(self, page: str, width: int):
        """Open a page and all its folds, and bring axe in; return the browser."""
        self.open(page, width=width)
        self.chrome.execute_script(_STILL)
        self.chrome.execute_script(AXE.read_text(encoding="utf-8"))
        return self.chrome

    def size(self, width: int) -> None:
        """Make the window as wide as a desk's or a phone's."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width == PHONE}
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def switch(self, scheme: str) -> None:
        """Switch the page to a scheme, as its button does."""
        self.chrome.execute_script("document.documentElement.dataset.theme = arguments[0]", scheme)


@pytest.fixture(scope="module")
def window(chrome, address):
    yield Window(chrome, address)
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.fixture
def see(window):
    """Give what opens a page in a scheme and a width."""
    return window.open


def names(site: Path) -> list[str]:
    """Return the pages, as their addresses end."""
    return [path.relative_to(site).as_posix() for path in read_links(site)]


def test_every_link_and_every_anchor_leads_somewhere(site):
    pages = {path: found for path, found in read_links(site).items() if path.name != "404.html"}
    assert len(pages) > 45
    assert broken(pages) == set()


def test_no_page_shows_anything_from_elsewhere(site):
    assert outside(read_links(site)) == set()
    sheets = [path for path in site.rglob("*.css") if "url(http" in path.read_text("utf-8")]
    assert sheets == []


def test_no_page_is_large(site):
    large = {str(path) for path in site.rglob("*.html") if path.stat().st_size > MOST_BYTES}
    assert large == set()


def test_no_answer_is_on_the_site(site):
    for path in (site / "exercises").glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "SOLUTION" not in text
        assert "HIDDEN" not in text
    assert not (site / "solutions").exists()


def test_a_lesson_to_download_is_the_stored_one(site):
    stored = (PACKAGE_ROOT / "notebooks/01_linear_function.ipynb").read_bytes()
    assert (site / "_sources/notebooks/01_linear_function.ipynb").read_bytes() == stored


def test_lessons_have_buttons_that_open_them_on_binder(site):
    page = (site / "exercises/05_square.html").read_text(encoding="utf-8")
    start = "https://mybinder.org/v2/gh/ada/course/HEAD?urlpath=lab%2Ftree%2F"
    assert f'href="{start}exercises%2F05_square.ipynb"' in page
    assert f'href="{start}notebooks%2Findex.ipynb"' in (site / "index.html").read_text("utf-8")


@dataclass
class Seen:
    """What was seen of all pages, each opened on a desk and on a phone.

    Attributes:
        barriers: for pages that have any, what keeps somebody out, and in which view.
        elsewhere: addresses of what was fetched from elsewhere.
        unset: formulas that are not set.
        formulas: how many there are.
    """

    barriers: dict[str, list[str]] = field(default_factory=dict)
    elsewhere: set[str] = field(default_factory=set)
    unset: list[str] = field(default_factory=list)
    formulas: int = 0


@pytest.fixture(scope="module")
def seen(site, window, address) -> Seen:
    """Look at every page on a desk, light and dark, and on a phone."""
    found = Seen()
    for name in names(site):
        barriers = []
        for width, schemes in _VIEWS.items():
            page = window.open_for_axe(name, width)
            found.unset += page.execute_script(_FORMULAS)
            for scheme, options in schemes.items():
                here = _barriers(window, scheme, width, options)
                barriers += [f"{scheme}, {width}: {one}" for one in here]
            fetched = page.execute_script(_ADDRESSES)
            found.elsewhere |= {one for one in fetched if not one.startswith((address, "data:"))}
        found.formulas += len(page.find_elements(By.CSS_SELECTOR, "article math"))
        if barriers:
            found.barriers[name] = barriers
    return found


def _barriers(window: Window, scheme: str, width: int, options: dict) -> list[str]:
    window.switch(scheme)
    barriers = window.chrome.execute_async_script(_AUDIT, options)
    if window.chrome.execute_script("return document.documentElement.scrollWidth") > width:
        barriers.append("it scrolls sideways")
    if window.chrome.execute_script(_CUT):
        barriers.append("its contents, beside it, are cut off")
    return barriers


def test_no_page_has_a_barrier_or_scrolls_sideways(seen):
    assert seen.barriers == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_no_page_is_hard_to_read(window, scheme):
    window.open_for_axe("exercises/05_square.html", PHONE)
    assert _barriers(window, scheme, PHONE, {}) == []


def test_nothing_is_fetched_from_elsewhere_and_every_formula_is_set(seen):
    assert seen.elsewhere == set()
    assert seen.unset == []
    assert seen.formulas > 800


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_backward_pass_is_stepped_through_and_every_word_of_it_can_be_read(see, scheme):
    page = see("notebooks/01_linear_function.html", scheme)
    (player,) = players(page)
    assert state(page, player).where == "Step 1 of 4"
    button(player, "Next").click()
    assert state(page, player).where == "Step 2 of 4"
    measured = contrasts(page, page.find_element(By.CSS_SELECTOR, PLAYER))
    assert len(measured) > 10
    assert {words: ratio for words, ratio in measured.items() if ratio < 4.5} == {}


def test_on_paper_a_backward_pass_is_a_list_and_every_word_of_it_can_be_read(see):
    page = see("notebooks/01_linear_function.html", "dark")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert page.find_element(By.CSS_SELECTOR, ".autograd-step-list").is_displayed()
        measured = contrasts(page, page.find_element(By.CSS_SELECTOR, ".autograd-step"))
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert len(measured) > 5
    assert {words: ratio for words, ratio in measured.items() if ratio < 4.5} == {}


def test_paper_shows_the_title_once_and_no_list_of_sections(see):
    page = see("notebooks/06_exp.html")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        headings = page.find_elements(By.CSS_SELECTOR, "h1, h2")
        shown = [one.text.rstrip("#") for one in headings if one.is_displayed()]
        beside = page.find_element(By.CSS_SELECTOR, ".bd-sidebar-secondary").is_displayed()
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert shown[:2] == ["6. Exp", "Set-up"]
    assert shown.count("6. Exp") == 1
    assert not beside


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_has_the_focus_has_a_ring_of_the_colour_of_links(see, scheme):
    page = see("notebooks/05_square.html", scheme)
    ActionChains(page).send_keys(Keys.TAB, Keys.TAB).perform()
    stop = page.switch_to.active_element
    link = page.find_element(By.CSS_SELECTOR, "article p a[href]")
    assert stop.get_attribute("class") == "course-name"
    assert stop.value_of_css_property("outline-style") == "solid"
    ring, words = (
        to_hex([int(part) / 255 for part in re.findall(r"\d+", color)[:3]])
        for color in (
            stop.value_of_css_property("outline-color"),
            link.value_of_css_property("color"),
        )
    )
    assert ring == words


@pytest.mark.parametrize(
    ("query", "lesson"),
    [
        ("gradcheck", "4. gradcheck, and what fools it"),
        ("save_for_backward", "9. What ctx is for"),
        ("double backward", "5. Square"),
        ("vmap", "11. Functions under torch.func"),
        ("straight-through", "10. Bending gradients"),
        ("mixed precision", "13. In a real training run"),
        ("MyReLU", "2. MyReLU"),
        ("numpy", "8. Cube"),
        ("memory", "12. Memory and speed"),
    ],
)
def test_a_search_puts_the_lesson_that_is_meant_first_and_shows_what_it_says(see, query, lesson):
    page = Page(see(f"search.html?q={query}"))
    find = partial(page.chrome.find_elements, By.CSS_SELECTOR)
    first = "#search-results li:first-child"
    (said,) = page.wait(lambda: find(f"{first} p"), "the search shows no sentence")
    assert find(f"{first} a")[0].text == lesson
    excerpt = said.text
    assert query.lower() in excerpt.lower()
    assert not excerpt.startswith(("...", lesson))
    assert len(excerpt) < 250


def test_no_excerpt_of_a_search_gives_an_answer_away(see):
    page = Page(see("search.html?q=tensor+hooks+run+in+the+order"))
    first = partial(page.chrome.find_elements, By.CSS_SELECTOR, "#search-results li:first-child p")
    (said,) = page.wait(first, "the search shows no sentence")
    assert "30, 30, 30, 60" not in said.text  # as an answer of lesson 10 says


_PICTURES = """
return [...document.querySelectorAll('.course-figure img')].filter(one => one.checkVisibility())
  .map(one => one.getAttribute('src').endsWith('-dark.svg'));
"""
_FILLS = """
return [...document.querySelectorAll('.autograd-step-graph svg :is(polygon, ellipse, text)')].map(
  one => [one.getAttribute('fill') ?? '', getComputedStyle(one).fill]);
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_and_players_have_the_colours_of_the_theme(see, scheme):
    page = see("notebooks/01_linear_function.html", scheme)
    shown = page.execute_script(_PICTURES)
    assert len(shown) > 1
    assert set(shown) == {scheme == "dark"}
    fills = {to_hex(given): drawn for given, drawn in page.execute_script(_FILLS) if "#" in given}
    assert len(fills) > 4
    for given, drawn in fills.items():
        wanted = IN_THE_DARK[given] if scheme == "dark" else given
        assert drawn == f"rgb({', '.join(str(part) for part in bytes.fromhex(wanted[1:]))})"


def test_outputs_stand_where_they_stood_when_the_theme_changes(window):
    page = window.open("notebooks/01_linear_function.html")
    left = "return [...document.querySelectorAll('.cell_output .output > *')].map("
    left += "one => one.getBoundingClientRect().left)"
    before = page.execute_script(left)
    window.switch("dark")
    assert len(before) > 5
    assert page.execute_script(left) == before


def test_the_start_page_shows_a_backward_pass_in_its_first_screen(see):
    page = see("index.html")
    (player,) = players(page)
    button(player, "Next").click()
    assert state(page, player).where == "Step 2 of 4"
    shown = [player, *page.find_elements(By.CSS_SELECTOR, "article ul")]
    assert len(shown) == 3
    for one in shown:
        assert one.rect["y"] + one.rect["height"] < 900


def test_the_page_of_a_notebook_offers_a_file_and_no_other_does(site):
    lesson = (site / "notebooks/05_square.html").read_text("utf-8")
    assert 'href="../_sources/notebooks/05_square.ipynb"' in lesson
    for path in read_links(site):
        assert "window.print()" not in path.read_text("utf-8")


def test_the_first_stop_of_the_keyboard_leads_past_the_list_of_pages(see):
    page = see("notebooks/05_square.html")
    ActionChains(page).send_keys(Keys.TAB).perform()
    stop = page.switch_to.active_element
    # It slides into sight, so its words show after a moment.
    Page(page).wait(lambda: stop.text == "Skip to main content", "the link does not show")
    assert stop.get_attribute("href").endswith("05_square.html#main-content")


def test_from_an_address_that_leads_nowhere_one_gets_to_the_start(see, address):
    page = see("404.html")
    assert page.find_element(By.LINK_TEXT, "The start page").get_attribute("href") == (
        f"{address}index.html"
    )
    base = page.execute_script("return document.baseURI")
    assert base == address
