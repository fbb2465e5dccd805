"""Build or check several notebooks, two at a time."""

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from tqdm import tqdm

from helpers.course.difference import as_text, difference
from helpers.course.execute import execute
from helpers.course.fences import BuildError
from helpers.course.outputs import keep_measured
from helpers.course.record import FOLDER, Record
from helpers.course.source import Lesson, read_lesson
from helpers.dot_program import HOW_TO_GET_DOT

_AT_ONCE = 2


class Batch:
    """One call of `course build`: what it was asked for, and what went wrong so far.

    Attributes:
        failed: lessons that cannot be built, or whose notebook differs from what they build.
    """

    def __init__(self, root: Path, check: bool, force: bool, seconds_per_cell: int) -> None:
        self.failed: list[str] = []
        self._root = root
        self._check = check
        self._force = force
        self._seconds_per_cell = seconds_per_cell
        self._record = Record(root)

    def run(self, paths: list[Path]) -> None:
        """Build or check the notebooks of these lessons; what is known to be right is not run."""
        waiting = [lesson for lesson in self._read(paths) if not self._is_known(lesson)]
        if waiting and shutil.which("dot") is None:
            # The notebooks would be written without their pictures.
            self._fail(waiting[0].name, HOW_TO_GET_DOT)
        elif waiting:
            asyncio.run(self._run(waiting))

    def _read(self, paths: list[Path]) -> Iterator[Lesson]:
        for path in paths:
            try:
                yield read_lesson(path)
            except BuildError as error:
                self._fail(path.stem, str(error))

    def _is_known(self, lesson: Lesson) -> bool:
        path = self._notebook(lesson)
        known = not self._force and self._record.knows(lesson.name, lesson.text, path)
        if known:
            _say(f"{self._shown(lesson)}: up to date")
        return known

    async def _run(self, lessons: list[Lesson]) -> None:
        seats = asyncio.Semaphore(_AT_ONCE)
        cells = sum(len(lesson.lines) for lesson in lessons)
        with tqdm(total=cells, unit="cell", disable=None, leave=False) as bar:
            await asyncio.gather(*(self._build(lesson, seats, bar) for lesson in lessons))

    async def _build(self, lesson: Lesson, seats: asyncio.Semaphore, bar: tqdm) -> None:
        def advance() -> None:
            bar.set_description(lesson.name, refresh=False)
            bar.update()

        folder = self._root / "notebooks"
        folder.mkdir(exist_ok=True)
        try:
            async with seats:
                start = time.monotonic()
                notebook = await execute(lesson, folder, advance, self._seconds_per_cell)
        except BuildError as error:
            self._fail(lesson.name, str(error))
            return
        seconds = f"{len(lesson.lines)} cells in {time.monotonic() - start:.1f} s"
        if self._check:
            self._compare(lesson, notebook, seconds)
        else:
            self._write(lesson, notebook, seconds)

    def _compare(self, lesson: Lesson, notebook: NotebookNode, seconds: str) -> None:
        path, shown = self._notebook(lesson), self._shown(lesson)
        if not path.exists():
            self._fail(lesson.name, f"{shown} is missing")
            return
        committed = path.read_text(encoding="utf-8", errors="replace")
        differs = difference(committed, notebook, shown, lesson.file)
        if differs:
            self._fail(lesson.name, f"{shown} is not what {lesson.file} builds:\n{differs}")
        else:
            self._record.remember(lesson.name, lesson.text, path.read_bytes())
            _say(f"{shown}: as its lesson builds it, {seconds}")

    def _write(self, lesson: Lesson, notebook: NotebookNode, seconds: str) -> None:
        path = self._notebook(lesson)
        if path.exists():
            try:
                keep_measured(notebook, nbformat.read(path, as_version=4))
            except Exception:  # whatever is wrong with the old file, it is about to be replaced
                _say(f"{self._shown(lesson)} could not be read; it is replaced")
        content = as_text(notebook).encode()
        _replace(path, content, self._root / FOLDER)
        self._record.remember(lesson.name, lesson.text, content)
        _say(f"{self._shown(lesson)}: built, {seconds}")

    def _notebook(self, lesson: Lesson) -> Path:
        return self._root / "notebooks" / f"{lesson.name}.ipynb"

    def _shown(self, lesson: Lesson) -> str:
        return f"notebooks/{lesson.name}.ipynb"

    def _fail(self, name: str, message: str) -> None:
        self.failed.append(name)
        _say(message, file=sys.stderr)


def _replace(path: Path, content: bytes, scratch: Path) -> None:
    # In one step, so that a build that is killed leaves the old file or the new one.
    scratch.mkdir(exist_ok=True)
    draft = scratch / f"{path.name}.{os.getpid()}"
    draft.write_bytes(content)
    draft.replace(path)


def _say(text: str, file=None) -> None:
    tqdm.write(text, file=file or sys.stdout)
