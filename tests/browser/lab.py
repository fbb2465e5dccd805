"""One notebook in JupyterLab: open it, edit it, run it, and read what became of it."""

from pathlib import PurePosixPath
from typing import Any

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.page import Page
from tests.browser.server import TOKEN, Server

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
_IS_CHANGED = """
return panel.sessionContext.session.kernel.info.then(() => panel.context.model.dirty);
"""
_CELLS = """
return Array.from(panel.content.model.cells, cell => ({
  id: cell.id,
  code: cell.type === 'code',
  count: cell.executionCount ?? null,
  outputs: cell.outputs?.toJSON() ?? [],
  source: cell.sharedModel.getSource(),
}));
"""
_SHOW = """
const node = panel.content.widgets[place].node;
node.scrollIntoView({block: 'start'});
return node.isConnected ? node : null;
"""
_PASTE = """
const clipboardData = new DataTransfer();
clipboardData.setData('text/plain', arguments[1]);
arguments[0].dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true}));
"""


class Lab(Page):
    """JupyterLab in a browser, with one notebook open.

    Attributes:
        path: the open notebook, as JupyterLab names it, such as `notebooks/00_autograd.ipynb`.
        name: the same without folder and ending.
    """

    def __init__(self, server: Server, chrome: Chrome) -> None:
        super().__init__(chrome)
        self.path, self.name = "", ""
        self._server = server

    def open(self, address: str, path: str) -> None:
        """Go to an address, below the server's, that shows the notebook at `path`; wait for it."""
        self.path, self.name = path, PurePosixPath(path).stem
        self._server.restore(path)
        self.chrome.get(f"{self._server.url}{address}?token={TOKEN}")
        self.wait(self._is_ready, f"{path} is not open with an idle kernel", seconds=90)

    def open_notebook(self, name: str, folder: str = "notebooks") -> None:
        """Open a notebook as it is stored, alone, in a workspace of its own."""
        path = f"{folder}/{name}.ipynb"
        self.open(f"/lab/workspaces/{folder}-{name}/tree/{path}", path)

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

    def is_changed(self) -> bool:
        """Tell whether JupyterLab has unsaved changes, after its kernel has said what it is."""
        return self._ask(_IS_CHANGED)

    def cells(self) -> list[dict[str, Any]]:
        """Return the notebook's cells: id, code, count and outputs, as JupyterLab holds them."""
        return self._ask(_CELLS)

    def code_cells(self) -> list[dict[str, Any]]:
        """Return the code cells among `cells`."""
        return [cell for cell in self.cells() if cell["code"]]

    def show(self, cell_id: str) -> WebElement:
        """Scroll to a cell, and return its element."""
        place = next(place for place, cell in enumerate(self.cells()) if cell["id"] == cell_id)
        # JupyterLab attaches the cells of a long notebook one after the other.
        return self.wait(lambda: self._ask(_SHOW, place), f"the cell {cell_id} does not appear")

    def panel(self) -> WebElement:
        """Return the element of the notebook."""
        return self._ask("return panel.node;")

    def run_all(self, seconds: int = 180) -> None:
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

    def paste(self, cell_id: str, code: str) -> None:
        """Replace a cell's code by pasting, which leaves its indentation as it is."""
        editor = self._editor(cell_id)
        editor.send_keys(Keys.CONTROL, "a", Keys.NULL)
        self.run(_PASTE, editor, code)

    def source(self, cell_id: str) -> str:
        """Return a cell's code or text, as JupyterLab holds it."""
        return next(cell["source"] for cell in self.cells() if cell["id"] == cell_id)

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

    def _ask(self, script: str, place: int | None = None) -> Any:
        return self.run(_PANEL + script, self.path, place)


def errors(cells: list[dict[str, Any]]) -> list[str]:
    """Return, for each error among the outputs, the cell's id and what was raised."""
    return [
        f"{cell['id']}: {output['ename']}: {output['evalue']}"
        for cell in cells
        for output in cell["outputs"]
        if output["output_type"] == "error"
    ]
