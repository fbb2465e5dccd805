"""Write a student's exercise, and keep the one that lies there if someone has worked in it."""

import shutil
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course.building.difference import as_text, difference
from course.building.exercise import Exercise
from course.building.record import Record
from course.notebooks.write import write_whole


class Stubs:
    """The notebooks of the folder exercises/ of a course."""

    def __init__(self, root: Path, record: Record) -> None:
        self._root = root
        self._record = record

    def differs(self, exercise: Exercise) -> str:
        """Say how the file differs from what the exercise builds, or return ""."""
        path = self._root / exercise.stub_builds
        if not path.exists():
            return f"{exercise.stub_builds} is missing"
        committed = path.read_text(encoding="utf-8", errors="replace")
        found = difference(committed, exercise.stub, exercise.stub_builds, exercise.file)
        if found:
            return f"{exercise.stub_builds} is not what {exercise.file} builds:\n{found}"
        self._remember(exercise, path.read_bytes())
        return ""

    def write(self, exercise: Exercise) -> str:
        """Write the file where it differs; return what was done, in a sentence."""
        path = self._root / exercise.stub_builds
        content = as_text(exercise.stub).encode()
        done = f"{exercise.stub_builds}: built"
        if path.exists():
            old = path.read_bytes()
            if old == content:
                self._remember(exercise, content)
                return f"{exercise.stub_builds}: up to date"
            ours = self._record.built(_key(exercise), old)
            if not ours and has_work(old, exercise.stub):
                kept = keep(path)
                done += f"; {path.parent.name}/{kept.name} keeps the answers that were in it"
        write_whole(path, content)
        self._remember(exercise, content)
        return done

    def _remember(self, exercise: Exercise, content: bytes) -> None:
        self._record.remember(_key(exercise), exercise.text, content)


def has_work(old: bytes, stub: NotebookNode) -> bool:
    """Tell whether a notebook holds code that its stub does not: answers, or cells of one's own."""
    try:
        notebook = nbformat.reads(old.decode(), as_version=4)
        given = {cell.id: cell.source for cell in stub.cells}
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        return any(cell.source not in ("", given.get(cell.get("id"))) for cell in cells)
    except Exception:  # nbformat raises many kinds; what cannot be read is better kept
        return True


def keep(path: Path) -> Path:
    """Copy a notebook beside itself, under the first free number: `05_square.1.ipynb`."""
    number = 1
    while (copy := path.with_name(f"{path.stem}.{number}{path.suffix}")).exists():
        number += 1
    shutil.copy2(path, copy)
    return copy


def _key(exercise: Exercise) -> str:
    return f"{exercise.name}.stub"
