"""Build or check several notebooks, two at a time."""

import asyncio
import shutil
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from tqdm import tqdm

from course.building.execute import execute
from course.building.exercise import ExerciseSource
from course.building.outputs import as_text, code_of, keep_stored, with_outputs
from course.building.source import Source
from course.building.stored import Record, Stubs, file_differs
from course.notebooks.regions import BuildError
from course.notebooks.write import write_whole
from whygrad.dot_program import HOW_TO_GET_DOT

_AT_ONCE = 2
# Takes an exercise and its notebook that was run; returns why its own answers would not be judged
# as they should be, or "".
Judge = Callable[[ExerciseSource, NotebookNode], Awaitable[str]]


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
        judge: Judge | None,
        named: bool,
    ) -> None:
        self.failed: list[str] = []
        self._root = root
        self._reader = read
        self._check = check
        self._force = force
        self._seconds_per_cell = seconds_per_cell
        self._judge = judge
        self._is_named = named
        self._record = Record(root)
        self._stubs = Stubs(root, self._record)

    def run(self, paths: list[Path]) -> None:
        """Build or check what these files build; code that is known to be right is not run."""
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
        is_known = self._record.knows(source.name, code_of(source.notebook), path)
        if self._force or not is_known or self._is_to_be_judged(source):
            return False
        notebook = with_outputs(source.notebook, nbformat.read(path, as_version=4))
        same = as_text(notebook).encode() == path.read_bytes()
        if same:
            _say(f"{source.builds}: up to date")
            self._finish(source)
        else:
            self._settle(source, notebook, "built, nothing was run")
        return True

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
                bar.set_description(source.name)
                notebook = await execute(source, folder, advance, self._seconds_per_cell)
                seconds = f"{len(source.lines)} cells in {time.monotonic() - start:.1f} s"
                if self._is_to_be_judged(source):
                    bar.set_description(f"{source.name}, as it will be graded")
                    await self._see_judged(source, notebook)
        except BuildError as error:
            self._fail(source.name, str(error))
            return
        self._keep_stored(source, notebook)
        done = "as its source builds it" if self._check else "built"
        self._settle(source, notebook, f"{done}, {seconds}")

    def _is_to_be_judged(self, source: Source) -> bool:
        """Return whether the grader must try an exercise: one that is named, or was judged once.

        All exercises of the course would take half an hour, and a fresh clone knows of none.
        """
        if not isinstance(source, ExerciseSource) or self._judge is None:
            return False
        judged = self._record.judged(source)
        return self._force or not judged if self._is_named else judged is False

    async def _see_judged(self, source: ExerciseSource, notebook: NotebookNode) -> None:
        if said := await self._judge(source, notebook):
            raise BuildError(said)
        self._record.remember_judged(source)

    def _keep_stored(self, source: Source, notebook: NotebookNode) -> None:
        path = self._root / source.builds
        if not path.exists():
            return
        try:
            keep_stored(notebook, nbformat.read(path, as_version=4))
        except Exception:  # whatever is wrong with the old file, it is about to be replaced
            if not self._check:
                _say(f"{source.builds} could not be read; it is replaced")

    def _settle(self, source: Source, notebook: NotebookNode, done: str) -> None:
        """Write a notebook, or say how it differs from the one that is there."""
        content, path = as_text(notebook).encode(), self._root / source.builds
        if self._check and (differs := file_differs(path, notebook, source.builds, source.file)):
            self._fail(source.name, differs)
        else:
            if not self._check:
                write_whole(path, content)
            self._record.remember(source.name, code_of(source.notebook), content)
            _say(f"{source.builds}: {done}")
        self._finish(source)

    def _finish(self, source: Source) -> None:
        # After the solution: an exercise whose checks do not pass is not handed to students.
        if not isinstance(source, ExerciseSource):
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
