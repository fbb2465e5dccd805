"""JupyterLab as a person uses it: open a notebook, use its menus, read what it shows."""

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, TypeVar

from selenium.common.exceptions import JavascriptException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.server import TOKEN, Server

LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"
SECONDS = 60  # for what takes a second or two on an idle machine
_ALERTS = ".jp-Dialog, .Toastify__toast, .jp-NotificationBanner, .jp-mod-kernel-selection"
_ERRORS = "[data-mime-type='application/vnd.jupyter.error'], .jp-mod-error, mjx-merror"
_PANEL = """
const [path, place] = arguments;
const panel = [...window.jupyterapp.shell.widgets('main')].find(w => w.context?.path === path);
"""
_STATE = """
return {
  ready: Boolean(panel?.context.isReady && panel.sessionContext.isReady && panel.isVisible),
  kernel: panel?.sessionContext.session?.kernel?.name,
  status: panel?.sessionContext.session?.kernel?.status,
};
"""
_CELLS = """
return Array.from(panel.content.model.cells, cell => ({
  id: cell.id,
  code: cell.type === 'code',
  count: cell.executionCount ?? null,
  outputs: cell.outputs?.toJSON() ?? [],
}));
"""
_SHOW = """
panel.content.widgets[place].node.scrollIntoView({block: 'start'});
return panel.content.widgets[place].node;
"""
Found = TypeVar("Found")


class Lab:
    """JupyterLab in a browser, with one notebook open.

    Attributes:
        chrome: the browser.
        path: the open notebook, as JupyterLab names it, such as `notebooks/00_autograd.ipynb`.
        name: the same without folder and ending.
    """

    def __init__(self, server: Server, chrome: Chrome) -> None:
        self.chrome = chrome
        self.name = ""
        self.path = ""
        self._server = server

    def open(self, address: str, path: str) -> None:
        """Go to an address, below the server's, that shows the notebook at `path`; wait for it."""
        self.path, self.name = path, PurePosixPath(path).stem
        self.chrome.get(f"{self._server.url}{address}?token={TOKEN}")
        self.wait(self._is_ready, f"{path} is not open with an idle kernel", seconds=90)

    def open_notebook(self, name: str) -> None:
        """Open a notebook as it is stored, alone, in a workspace of its own."""
        self._server.restore(name)
        path = f"notebooks/{name}.ipynb"
        self.open(f"/lab/workspaces/{name}/tree/{path}", path)

    def close_notebook(self) -> None:
        """Shut the notebook's kernel down, so that the next one to open it gets a fresh one."""
        self.choose("Kernel", "Shut Down Kernel")
        self.wait(lambda: self.state()["kernel"] is None, f"the kernel of {self.path} runs on")

    def _is_ready(self) -> bool:
        state = self.state()
        return state["ready"] and state["status"] == "idle"

    def state(self) -> dict[str, Any]:
        """Return whether the notebook is ready, and the name and the status of its kernel."""
        return self._ask(_STATE)

    def cells(self) -> list[dict[str, Any]]:
        """Return the notebook's cells: id, code, count and outputs, as JupyterLab holds them."""
        return self._ask(_CELLS)

    def code_cells(self) -> list[dict[str, Any]]:
        """Return the code cells among `cells`."""
        return [cell for cell in self.cells() if cell["code"]]

    def show(self, cell_id: str) -> WebElement:
        """Scroll to a cell, and return its element."""
        place = next(place for place, cell in enumerate(self.cells()) if cell["id"] == cell_id)
        return self._ask(_SHOW, place)

    def panel(self) -> WebElement:
        """Return the element of the notebook."""
        return self._ask("return panel.node;")

    def shown_errors(self) -> list[str]:
        """Return the text of every error on the page that JupyterLab or a formula shows."""
        return [found.text for found in self.chrome.find_elements(By.CSS_SELECTOR, _ERRORS)]

    def alerts(self) -> list[str]:
        """Return the text of every dialog, notification and banner on the page."""
        return [found.text for found in self.chrome.find_elements(By.CSS_SELECTOR, _ALERTS)]

    def choose(self, menu: str, *entries: str) -> None:
        """Choose an entry of a menu of the menu bar; several entries lead through submenus."""
        bar = f"//*[@id='jp-MainMenu']//li[.//*[normalize-space()='{menu}']]"
        self._click(bar)
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

    def _theme(self) -> str:
        return self.chrome.execute_script("return document.body.dataset.jpThemeName")

    def run_all(self, seconds: int = 120) -> None:
        """Clear all outputs, and run every cell, both through the menus; wait for the end."""
        self.choose("Edit", "Clear Outputs of All Cells")
        cleared = "the outputs were not cleared"
        self.wait(lambda: all(cell["count"] is None for cell in self.code_cells()), cleared)
        self.choose("Run", "Run All Cells")
        self.wait(self._has_run, f"Run All of {self.path} does not end", seconds)

    def _has_run(self) -> bool:
        cells = self.code_cells()
        counted = all(cell["count"] is not None for cell in cells)
        return self.state()["status"] == "idle" and (counted or bool(errors(cells)))

    def write(self, cell_id: str, code: str) -> None:
        """Replace a cell's code by typing."""
        self._editor(cell_id).send_keys(Keys.CONTROL, "a", Keys.NULL, code)

    def run_cell(self, cell_id: str) -> dict[str, Any]:
        """Run one cell with Shift+Enter; return it as `cells` does, when it has run."""
        last = max(cell["count"] or 0 for cell in self.code_cells())
        self._editor(cell_id).send_keys(Keys.SHIFT, Keys.ENTER)

        def ran() -> dict[str, Any] | None:
            cell = next(cell for cell in self.cells() if cell["id"] == cell_id)
            done = cell["count"] == last + 1 and self.state()["status"] == "idle"
            return cell if done else None

        return self.wait(ran, f"the cell {cell_id} does not run to its end")

    def _editor(self, cell_id: str) -> WebElement:
        editor = self.show(cell_id).find_element(By.CSS_SELECTOR, ".cm-content")
        editor.click()
        return editor

    def wait(self, condition: Callable[[], Found], complaint: str, seconds: int = SECONDS) -> Found:
        """Wait until `condition()` is true, and return it; fail with the complaint if it is not."""

        def last_words(_: Chrome) -> Found:
            return condition()

        waiting = WebDriverWait(self.chrome, seconds, 0.2, ignored_exceptions=[JavascriptException])
        return waiting.until(last_words, complaint)

    def _ask(self, script: str, place: int | None = None) -> Any:
        return self.chrome.execute_script(_PANEL + script, self.path, place)


def errors(cells: list[dict[str, Any]]) -> list[str]:
    """Return, for each error among the outputs, the cell's id and what was raised."""
    return [
        f"{cell['id']}: {output['ename']}: {output['evalue']}"
        for cell in cells
        for output in cell["outputs"]
        if output["output_type"] == "error"
    ]
