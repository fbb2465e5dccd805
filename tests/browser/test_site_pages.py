"""The static site: built without a network, whole, and open to everybody, on a phone too."""

import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from course.checkout import PACKAGE_ROOT
from tests.browser.page import Page
from tests.browser.player import PLAYER, button, contrasts, players, state
from tests.browser.site_links import broken, outside, read_links

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
"""
_AUDIT = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations']}).then(({violations}) => done(
  violations.filter(one => ['serious', 'critical'].includes(one.impact)).flatMap(
    one => one.nodes.map(node => `${one.id}: ${node.target.join(' ')}`))));
"""
_FORMULAS = """
return [...document.querySelectorAll('article math')].filter(
  one => one.getBoundingClientRect().width < 3).map(one => one.textContent);
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


@pytest.fixture
def see(chrome, address):
    """Give what opens a page in a scheme and a width."""
    command = chrome.execute_cdp_cmd

    def see(page: str, scheme: str = "light", width: int = DESK):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        command("Emulation.setEmulatedMedia", {"features": [feature]})
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width == PHONE}
        command("Emulation.setDeviceMetricsOverride", size)
        chrome.get(f"{address}{page}")
        return chrome

    yield see
    command("Emulation.setEmulatedMedia", {"features": []})
    command("Emulation.clearDeviceMetricsOverride", {})


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


@pytest.mark.parametrize(("scheme", "width"), [("light", DESK), ("dark", DESK), ("light", PHONE)])
def test_no_page_has_a_barrier_or_scrolls_sideways(site, see, scheme, width):
    audit = AXE.read_text(encoding="utf-8")
    found = {}
    for name in names(site):
        page = see(name, scheme, width)
        page.execute_script(_STILL)
        page.execute_script(audit)
        barriers = page.execute_async_script(_AUDIT)
        if page.execute_script("return document.documentElement.scrollWidth") > width:
            barriers.append("it scrolls sideways")
        if barriers:
            found[name] = barriers
    assert found == {}


def test_nothing_is_fetched_from_elsewhere_and_every_formula_is_set(site, see, address):
    formulas = 0
    for name in names(site):
        page = see(name)
        elsewhere = [one for one in page.execute_script(_ADDRESSES) if not one.startswith(address)]
        assert elsewhere == [], name
        page.execute_script(_STILL)
        assert page.execute_script(_FORMULAS) == [], name
        formulas += len(page.find_elements(By.CSS_SELECTOR, "article math"))
    assert formulas > 800


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


def test_a_search_finds_lessons_and_shows_where(see):
    page = Page(see("search.html?q=once_differentiable"))
    find = partial(page.chrome.find_elements, By.CSS_SELECTOR)
    shown = page.wait(lambda: find("#search-results li p"), "the search shows no sentence")
    assert len(shown) > 0
    titles = [link.text for link in find("#search-results li a")]
    assert "8. Cube" in titles


def test_from_an_address_that_leads_nowhere_one_gets_to_the_start(see, address):
    page = see("404.html")
    assert page.find_element(By.LINK_TEXT, "The start page").get_attribute("href") == (
        f"{address}index.html"
    )
    base = page.execute_script("return document.baseURI")
    assert base == address
