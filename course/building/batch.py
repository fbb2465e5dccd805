"""Build or check several notebooks, two at a time."""

import asyncio
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from tqdm import tqdm

from course.building.difference import as_text, difference
from course.building.execute import execute
from course.building.exercise import Exercise
from course.building.outputs import keep_measured
from course.building.record import Record
from course.building.source import Source
from course.building.stub import Stubs
from course.notebooks.fences import BuildError
from course.notebooks.write import write_whole
from whygrad.dot_program import HOW_TO_GET_DOT

_AT_ONCE = 2


class Batch:
    """One call of `course build`: what it was asked for, and what went wrong so far.

    Attributes:
        failed: sources that cannot be built, or whose notebook differs from what they build.
    """

    def __init__(
        self,
        root: Path,
        read: Callable[[Path], Source],
        *,
        check: bool,
        force: bool,
        seconds_per_cell: int,
    ) -> None:
        self.failed: list[str] = []
        self._root = root
        self._reader = read
        self._check = check
        self._force = force
        self._seconds_per_cell = seconds_per_cell
        self._record = Record(root)
        self._stubs = Stubs(root, self._record)

    def run(self, paths: list[Path]) -> None:
        """Build or check what these files build; what is known to be right is not run."""
        waiting = [source for source in self._read(paths) if not self._is_known(source)]
        if waiting and shutil.which("dot") is None:
            # The notebooks would be written without their pictures.
            self._fail(waiting[0].name, HOW_TO_GET_DOT)
        elif waiting:
            asyncio.run(self._run(waiting))

    def _read(self, paths: list[Path]) -> Iterator[Source]:
        for path in paths:
            try:
                yield self._reader(path)
            except BuildError as error:
                self._fail(path.stem, str(error))

    def _is_known(self, source: Source) -> bool:
        path = self._root / source.builds
        known = not self._force and self._record.knows(source.name, source.text, path)
        if known:
            _say(f"{source.builds}: up to date")
            self._finish(source)
        return known

    async def _run(self, sources: list[Source]) -> None:
        seats = asyncio.Semaphore(_AT_ONCE)
        cells = sum(len(source.lines) for source in sources)
        with tqdm(total=cells, unit="cell", disable=None, leave=False) as bar:
            await asyncio.gather(*(self._build(source, seats, bar) for source in sources))

    async def _build(self, source: Source, seats: asyncio.Semaphore, bar: tqdm) -> None:
        def advance() -> None:
            bar.set_description(source.name, refresh=False)
            bar.update()

        folder = (self._root / source.builds).parent
        folder.mkdir(exist_ok=True)
        try:
            async with seats:
                start = time.monotonic()
                notebook = await execute(source, folder, advance, self._seconds_per_cell)
        except BuildError as error:
            self._fail(source.name, str(error))
            return
        seconds = f"{len(source.lines)} cells in {time.monotonic() - start:.1f} s"
        if self._check:
            self._compare(source, notebook, seconds)
        else:
            self._write(source, notebook, seconds)
        self._finish(source)

    def _compare(self, source: Source, notebook: NotebookNode, seconds: str) -> None:
        path, shown = self._root / source.builds, source.builds
        if not path.exists():
            self._fail(source.name, f"{shown} is missing")
            return
        committed = path.read_text(encoding="utf-8", errors="replace")
        differs = difference(committed, notebook, shown, source.file)
        if differs:
            self._fail(source.name, f"{shown} is not what {source.file} builds:\n{differs}")
        else:
            self._record.remember(source.name, source.text, path.read_bytes())
            _say(f"{shown}: as its source builds it, {seconds}")

    def _write(self, source: Source, notebook: NotebookNode, seconds: str) -> None:
        path = self._root / source.builds
        if path.exists():
            try:
                keep_measured(notebook, nbformat.read(path, as_version=4))
            except Exception:  # whatever is wrong with the old file, it is about to be replaced
                _say(f"{source.builds} could not be read; it is replaced")
        content = as_text(notebook).encode()
        write_whole(path, content)
        self._record.remember(source.name, source.text, content)
        _say(f"{source.builds}: built, {seconds}")

    def _finish(self, source: Source) -> None:
        # After the solution: an exercise whose checks do not pass is not handed to students.
        if not isinstance(source, Exercise):
            return
        if not self._check:
            _say(self._stubs.write(source))
        elif differs := self._stubs.differs(source):
            self._fail(source.name, differs)

    def _fail(self, name: str, message: str) -> None:
        self.failed.append(name)
        _say(message, file=sys.stderr)


def _say(text: str, file=None) -> None:
    tqdm.write(text, file=file or sys.stdout)
