"""The pages of a report, in a browser: legible in any light, on a phone, by keyboard, alone."""

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from course.checkout import find_root
from course.grading.books.pages import feedback_page, index_page, question_page
from course.grading.books.questions import Exhibit, Question
from course.grading.reading.task_texts import task_texts
from course.grading.results import EarnedPart
from tests.browser.page import open_page
from tests.browser.player import contrasts
from tests.course.grading.books.samples import result, task

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EXERCISE = "07_sinh"
NAMES = ("feedback", "index", "question")
WIDTHS = {"desk": 1200, "phone": 400}
_FORMULAS = """
return [...document.querySelectorAll('math')].map(formula => {
  const box = formula.getBoundingClientRect();
  return [formula.textContent, box.width, box.height];
});
"""
_FOCUS = """
const at = document.activeElement;
return at === document.body ? null : [at.tagName, at.textContent.trim(),
  getComputedStyle(at).outlineStyle, getComputedStyle(at).outlineWidth];
"""


def pages() -> dict[str, str]:
    """Return a page for a student, one for a class, and one that asks something."""
    texts = task_texts(find_root(), EXERCISE)
    parts = (EarnedPart("forward", 1, True), EarnedPart("gradients", 2, False))
    wide = "x = " + " + ".join(map(str, range(100)))
    failed = {"message": "No.", "failed": ("gradient of x: at [0]",), "passed": ("output",)}
    tasks = [
        task("7.1", 1, "partly", parts=parts, diagnosis="wrong-sign", code=wide, **failed),
        task("7.2", 0, "not-gradable", message="It uses `gc`."),
        task("7.3", 2, "failed", by_hand=True, reason="told me why"),
    ]
    more = {"file": "Ada_12/" + "long" * 40 + ".ipynb", "lateness": "It came a day late."}
    work = result("Ada", EXERCISE, *tasks, **more, handed_in="2026-11-20T23:59:00")
    others = [result(f"{n} " + "long name " * 8, EXERCISE, *tasks, **more) for n in range(9)]
    asked = [Question("accept", one.student, EXERCISE, "", "It uses `gc`.") for one in others]
    line = ("Ada,07_sinh,take " + "long" * 40 + ".ipynb,", "It counts")
    shown = tuple(Exhibit(wide, wide, is_python) for is_python in (True, False))
    asked.append(Question("which", "Ada", EXERCISE, "all tasks", wide, (line,), shown))
    return {
        "feedback": feedback_page(work, texts),
        "index": index_page([work, *others], {"torch": "2"}, asked, ["A note."], ["05_square"]),
        "question": question_page(asked[-1]),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write the pages into a folder."""
    folder = tmp_path_factory.mktemp("report")
    for name, page in pages().items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture
def opened(chrome, files):
    """Give what opens a page, in a scheme and a width, with all of it unfolded."""
    command = chrome.execute_cdp_cmd

    def see(name: str, scheme: str = "light", width: int = WIDTHS["desk"]):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        command("Emulation.setEmulatedMedia", {"features": [feature]})
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        command("Emulation.setDeviceMetricsOverride", size)
        open_page(chrome, (files / f"{name}.html").as_uri())
        return chrome

    yield see
    command("Emulation.setEmulatedMedia", {"features": []})
    command("Emulation.clearDeviceMetricsOverride", {})


def unfold(chrome) -> None:
    """Open all that is folded."""
    chrome.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_words_stand_out_from_their_ground(opened, name, scheme, screenshots):
    chrome = opened(name, scheme)
    unfold(chrome)
    measured = contrasts(chrome, chrome.find_element("tag name", "body"))
    assert len(measured) > 10
    assert {text: ratio for text, ratio in measured.items() if ratio < 4.5} == {}
    if screenshots:
        chrome.save_screenshot(str(screenshots / f"report.{name}.{scheme}.png"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_is_never_wider_than_its_window(opened, name, width):
    chrome = opened(name, width=WIDTHS[width])
    unfold(chrome)
    assert chrome.execute_script("return document.documentElement.scrollWidth") <= WIDTHS[width]


def test_formulas_are_set_without_a_script_or_a_network(chrome, opened):
    chrome.get_log("browser")  # what pages said that other tests had opened
    opened("feedback")
    unfold(chrome)
    formulas = chrome.execute_script(_FORMULAS)
    assert len(formulas) > 20
    assert all(width > 4 and height > 6 for _, width, height in formulas)
    heights = {text: height for text, _, height in formulas}
    fraction = next(text for text in heights if text.startswith("rn="))
    assert heights[fraction] > 1.5 * heights["x"]
    assert chrome.get_log("browser") == []  # no word of the page's own policy against it


@pytest.mark.parametrize("name", NAMES)
def test_every_link_and_every_fold_is_reached_by_keyboard_and_shows_it(opened, name):
    chrome = opened(name)
    wanted = len(chrome.find_elements("css selector", "a, summary"))
    reached = []
    for _ in range(3 * wanted + 20):
        ActionChains(chrome).send_keys(Keys.TAB).perform()
        focus = chrome.execute_script(_FOCUS)
        if focus is None:
            break
        reached.append(focus)
    assert wanted == sum(tag in ("A", "SUMMARY") for tag, *_ in reached) > 0
    assert all(style != "none" and width != "0px" for _, _, style, width in reached)


def test_a_folded_task_opens_by_keyboard(opened):
    chrome = opened("feedback")
    fold = chrome.find_element("css selector", "details:not([open])")
    fold.find_element("tag name", "summary").send_keys(Keys.ENTER)
    assert fold.get_attribute("open")
    assert fold.find_element("css selector", ".asked").is_displayed()
