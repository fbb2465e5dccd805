"""Run a notebook's cells by nbval, and hand on what each of them showed.

nbval is a plugin of pytest, so pytest runs in this process: as little of it as will do.
"""

import math
import os
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import pytest

from course.notebooks.kernels import KernelProcess
from course.notebooks.nbval_kernel import (
    IPyNbCell,
    IPyNbFile,
    NbCellError,
    NotebookNode,
    WatchedKernel,
)
from course.notebooks.student_notebook import Cell

# No settings and no conftest.py of the student's folder; what fails in here fails at once.
_PYTEST = ("-c", os.devnull, "--noconftest", "-x", "-p", "nbval.plugin")
# Parts of pytest that are for tests in Python; together they take 20 ms, and those left in 3 ms.
_NOT_USED = (
    *("assertion", "cacheprovider", "doctest", "junitxml", "logging", "python", "skipping"),
    *("subtests", "tmpdir", "unittest", "warnings"),
    "unraisableexception",  # collects all garbage five times at the end, which takes 60 ms
)
# It would take what `on_cell` prints.
_NOT_WANTED = ("capture",)
# What IPython calls a cell's code in a SyntaxError.
_FILE = re.compile(r"\(\d+\.py, ")


@dataclass
class Outcome:
    """What became of a cell.

    Attributes:
        cell: which one.
        outputs: the evidence that it showed, and the error that ended it.
        trouble: "died" if the kernel's process ended in it; "slow" if it took too long and was
            interrupted; "stuck" if it did not heed that and the process was ended; otherwise "".
        seconds: that it ran, or until it was interrupted.
        cpu_seconds: that the kernel's processes had meanwhile; inf where that is not known.
    """

    cell: Cell
    outputs: list[dict[str, Any]] = field(default_factory=list)
    trouble: str = ""
    seconds: float = 0.0
    cpu_seconds: float = math.inf

    @property
    def error(self) -> str:
        """The exception that ended it, such as "NameError: name 'x' is not defined", or ""."""
        for output in self.outputs:
            if output["output_type"] == "error":
                value = _FILE.sub("(", output["evalue"])
                return f"{output['ename']}: {value}".removesuffix(": ")
        return ""


def run_cells(
    cells: list[Cell],
    process: KernelProcess,
    seconds_per_cell: float,
    on_cell: Callable[[Outcome], object],
    *,
    until_trouble: bool = False,
    ends: float = math.inf,
) -> None:
    """Run cells one after the other; a cell that raises or hangs does not stop the next.

    Args:
        cells: what to run.
        process: a kernel, which may still be starting.
        seconds_per_cell: the longest that one cell may take.
        on_cell: called after each cell, until the kernel is gone.
        until_trouble: whether to stop after a cell that took too long.
        ends: when all is over, by `time.monotonic`: what runs then took too long.

    Raises:
        KeyboardInterrupt: the user stopped it.
        RuntimeError: pytest or nbval failed.
    """
    plugin = _Plugin(cells, process, on_cell, until_trouble, ends)
    without = [word for name in _NOT_USED + _NOT_WANTED for word in ("-p", f"no:{name}")]
    settings = [f"--rootdir={process.folder}", f"--nbval-cell-timeout={seconds_per_cell}"]
    # Plugins of other packages are for tests, and take time to load.
    with patch.dict(os.environ, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"):
        status = pytest.main([*_PYTEST, *without, *settings], plugins=[plugin])
    if plugin.error is not None:
        raise plugin.error
    if status == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if status in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
        raise RuntimeError(f"pytest ended with {status!r}")


class _Plugin:
    """Gives nbval the cells that are to be run, in place of a file's; called by pytest."""

    def __init__(
        self,
        cells: list[Cell],
        process: KernelProcess,
        on_cell: Callable[[Outcome], object],
        until_trouble: bool,
        ends: float,
    ) -> None:
        self.cells = cells
        self.process = process
        self.on_cell = on_cell
        self.enough = ("died", "stuck", "slow") if until_trouble else ("died", "stuck")
        self.ends = ends
        self.error: Exception | None = None

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Let pytest print nothing."""
        config.pluginmanager.unregister(name="terminalreporter")

    def pytest_collection(self, session: pytest.Session) -> bool:
        """Say what is to be run; pytest then looks for no files."""
        place = self.process.folder / "notebook.ipynb"  # a name only: it is never read
        notebook = _File.from_parent(session, path=place, plugin=self)
        session.items = list(notebook.collect())
        session.testscollected = len(session.items)
        return True

    def pytest_exception_interact(self, call: pytest.CallInfo) -> None:
        """Keep the first error that is not a cell's, such as one of `on_cell`."""
        self.error = self.error or call.excinfo.value


class _File(IPyNbFile):
    """nbval's notebook, with cells and a kernel of our own."""

    def __init__(self, *args: Any, plugin: _Plugin, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.plugin = plugin

    def setup(self) -> None:
        self.kernel = WatchedKernel(self.plugin.process)

    def collect(self) -> Iterator["_Cell"]:
        # nbval's marks are not read: an error ends no run, and outputs are judged elsewhere.
        options = defaultdict(bool, check_exception=True)
        for number, cell in enumerate(self.plugin.cells):
            node = NotebookNode(source=cell.source, outputs=[], execution_count=None)
            item = _Cell.from_parent(
                self, name=f"Cell {number}", cell_num=number, cell=node, options=options
            )
            item.outcome = Outcome(cell)
            yield item

    def teardown(self) -> None:
        if self.kernel is not None:
            self.kernel.stop()


class _Cell(IPyNbCell):
    """nbval's cell, which tells what became of it instead of comparing outputs."""

    outcome: Outcome

    def setup(self) -> None:
        """Do nothing: nbval would expect every cell after a slow one to fail."""

    def runtest(self) -> None:
        left = self.parent.plugin.ends - time.monotonic()
        if left <= 0:
            self.session.shouldfail = "no time left"
            return
        option = self.config.option
        option.nbval_cell_timeout = min(option.nbval_cell_timeout, left)
        self.parent.timed_out = False
        try:
            super().runtest()
        except RuntimeError:  # KernelDiedError, or nbval's own if it ended between two cells
            if self.parent.kernel.is_alive():
                raise
            self.outcome.trouble = "died"
        except NbCellError:  # for lack of an answer: exceptions of the cell raise none
            self.outcome.trouble = "stuck"
        else:
            self.outcome.trouble = "slow" if self.parent.timed_out else ""
        kernel = self.parent.kernel
        self.outcome.seconds, self.outcome.cpu_seconds = kernel.seconds, kernel.cpu_seconds
        self.outcome.outputs = self.test_outputs or []
        self.parent.plugin.on_cell(self.outcome)
        if self.outcome.trouble in self.parent.plugin.enough:
            self.session.shouldfail = "enough"
