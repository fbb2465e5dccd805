"""Open a page; and JupyterLab's as a person uses it: menus, themes, dialogs."""

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import unquote

from selenium.common.exceptions import JavascriptException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"
SECONDS = 60  # for what takes a second or two on an idle machine
_ALERTS = ".jp-Dialog, .Toastify__toast, .jp-NotificationBanner"
_ERRORS = "[data-mime-type='application/vnd.jupyter.error'], .jp-mod-error, mjx-merror"
Found = TypeVar("Found")


def open_page(chrome: Chrome, address: str) -> None:
    """Open a page, and wait until it is there whole: the driver was seen to come back before."""

    def is_there(_: Chrome) -> bool:
        here, state = chrome.execute_script("return [location.href, document.readyState]")
        is_here = unquote(here.partition("#")[0]) == unquote(address.partition("#")[0])
        return is_here and state == "complete"

    chrome.get(address)
    WebDriverWait(chrome, SECONDS).until(is_there, f"{address} is not there")


class Page:
    """JupyterLab in a browser.

    Attributes:
        chrome: the browser.
    """

    def __init__(self, chrome: Chrome) -> None:
        self.chrome = chrome

    def wait(self, condition: Callable[[], Found], complaint: str, seconds: int = SECONDS) -> Found:
        """Wait until `condition()` is true, and return it; fail with the complaint if it is not."""
        # While the page loads there is no JupyterLab to ask.
        waiting = WebDriverWait(self.chrome, seconds, 0.2, ignored_exceptions=[JavascriptException])
        return waiting.until(lambda _: condition(), complaint)

    def choose(self, menu: str, *entries: str) -> None:
        """Choose an entry of a menu of the menu bar; several entries lead through submenus."""
        self._click(f"//*[@id='jp-MainMenu']//li[.//*[normalize-space()='{menu}']]")
        for entry in entries:
            self._click(
                "//*[contains(@class, 'lm-Menu-item') and not(contains(@class, 'disabled'))]"
                f"[*[contains(@class, 'lm-Menu-itemLabel') and normalize-space()='{entry}']]"
            )

    def _click(self, xpath: str) -> None:
        find = self.chrome.find_elements
        found = self.wait(lambda: find(By.XPATH, xpath), f"nothing to click at {xpath}")[0]
        ActionChains(self.chrome).move_to_element(found).click().perform()

    def use_theme(self, theme: str) -> None:
        """Switch to a theme through the menu, if another one is in use."""
        if self._theme() != theme:
            self.choose("Settings", "Theme", theme)
            self.wait(lambda: self._theme() == theme, f"the theme does not become {theme}")
            # While it loads a theme, JupyterLab covers the page, and then fades the cover out.
            self.wait(lambda: not self._is_covered(), f"{theme} is loaded, but the page is covered")

    def _theme(self) -> str:
        return self.run("return document.body.dataset.jpThemeName")

    def _is_covered(self) -> bool:
        return self.run("return document.getElementById('jupyterlab-splash') !== null")

    def alerts(self) -> list[str]:
        """Return the text of every dialog, notification and banner on the page."""
        return [found.text for found in self.chrome.find_elements(By.CSS_SELECTOR, _ALERTS)]

    def shown_errors(self) -> list[str]:
        """Return the text of every error on the page, of a cell or of a formula."""
        return [found.text for found in self.chrome.find_elements(By.CSS_SELECTOR, _ERRORS)]

    def run(self, script: str, *arguments: Any) -> Any:
        """Run JavaScript in the page, to look at it; return what it returns."""
        return self.chrome.execute_script(script, *arguments)
