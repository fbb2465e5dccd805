"""What lies in the folders of built notebooks: know what is right, keep what is a student's."""

import hashlib
import json
import platform
import re
import subprocess
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course.building.exercise import ExerciseSource
from course.building.outputs import as_text, code_of, difference
from course.notebooks.write import keep, read_json, write_whole

FOLDER = ".build"  # git-ignored
_LEFT_OUT = re.compile(r"\.pyc$|^ex\d\d\.py$")


class Record:
    """What was built from what, in the git-ignored folder .build/ of a project.

    A notebook's outputs are known if it is the very file that was built, or found right, from the
    same code, the same packages, the same requirements, Python and Graphviz. The tasks and the
    right answers of another exercise are none of its business.
    """

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER
        self._surroundings = _surroundings(root)

    def knows(self, name: str, code: str, notebook: Path) -> bool:
        """Tell whether the outputs in `notebook` are known to be what `code` shows."""
        return notebook.exists() and self._noted(name) == self._entry(
            name, code, notebook.read_bytes()
        )

    def built(self, name: str, content: bytes) -> bool:
        """Tell whether this content is what was last built, or found right, under that name."""
        return self._noted(name).get("built") == _digest([content])

    def remember(self, name: str, code: str, content: bytes) -> None:
        """Note that a notebook of this content holds what `code` shows."""
        self._write(name, self._entry(name, code, content))

    def _write(self, name: str, entry: dict[str, str]) -> None:
        self._folder.mkdir(exist_ok=True)
        self._file(name).write_text(json.dumps(entry), encoding="utf-8")

    def judged(self, exercise: ExerciseSource) -> bool | None:
        """Return whether an exercise was judged as it is now; None if it never was judged."""
        noted = self._noted(_judged(exercise)).get("of")
        return noted and noted == self._mark(exercise)

    def remember_judged(self, exercise: ExerciseSource) -> None:
        """Note that its own answers, as they are now, are judged as they should be."""
        self._write(_judged(exercise), {"of": self._mark(exercise)})

    def _mark(self, exercise: ExerciseSource) -> str:
        code = [code_of(each).encode() for each in (exercise.notebook, exercise.stub)]
        return _digest([self._own(exercise.name), *code])

    def _noted(self, name: str) -> dict[str, str]:
        try:
            noted = read_json(self._file(name))
        except (OSError, ValueError):
            return {}
        return noted if isinstance(noted, dict) else {}

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _entry(self, name: str, code: str, content: bytes) -> dict[str, str]:
        return {
            "from": _digest([self._surroundings.encode(), self._own(name), code.encode()]),
            "built": _digest([content]),
        }

    def _own(self, name: str) -> bytes:
        checks = self._folder.parent / "helpers" / "checks"
        files = sorted(checks.glob(f"*/ex{name[:2]}*.*"))
        return _digest([file.read_bytes() for file in files]).encode()


class Stubs:
    """The notebooks of the folder exercises/ of a course."""

    def __init__(self, root: Path, record: Record) -> None:
        self._root = root
        self._record = record

    def differs(self, exercise: ExerciseSource) -> str:
        """Say how the file differs from what the exercise builds, or return ""."""
        path = self._root / exercise.stub_builds
        found = file_differs(path, exercise.stub, exercise.stub_builds, exercise.file)
        if not found:
            self._remember(exercise, path.read_bytes())
        return found

    def write(self, exercise: ExerciseSource) -> str:
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

    def _remember(self, exercise: ExerciseSource, content: bytes) -> None:
        self._record.remember(_key(exercise), "", content)


def file_differs(path: Path, built: NotebookNode, shown: str, lesson: str) -> str:
    """Say how the notebook in a file differs from what its lesson builds, or return ""."""
    if not path.exists():
        return f"{shown} is missing"
    committed = path.read_text(encoding="utf-8", errors="replace")
    found = difference(committed, built, shown, lesson)
    return found and f"{shown} is not what {lesson} builds:\n{found}"


def has_work(old: bytes, stub: NotebookNode) -> bool:
    """Tell whether a notebook holds code that its stub does not: answers, or cells of one's own."""
    try:
        notebook = nbformat.reads(old.decode(), as_version=4)
        given = {cell.id: cell.source for cell in stub.cells}
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        return any(cell.source not in ("", given.get(cell.get("id"))) for cell in cells)
    except Exception:  # nbformat raises many kinds; what cannot be read is better kept
        return True


def _key(exercise: ExerciseSource) -> str:
    return f"{exercise.name}.stub"


def _judged(exercise: ExerciseSource) -> str:
    return f"{exercise.name}.judged"


def _surroundings(root: Path) -> str:
    lock = root / "requirements.lock"
    parts = [platform.python_version().encode(), _dot_version()]
    parts.append(lock.read_bytes() if lock.exists() else b"")
    packages = (root / package for package in ("whygrad", "helpers", "course"))
    files = (path for package in packages for path in package.rglob("*") if path.is_file())
    for file in sorted(path for path in files if not _LEFT_OUT.search(path.name)):
        parts += [file.relative_to(root).as_posix().encode(), file.read_bytes()]
    return _digest(parts)


def _dot_version() -> bytes:
    try:
        return subprocess.run(["dot", "-V"], capture_output=True, timeout=60).stderr
    except (OSError, subprocess.TimeoutExpired):
        return b""


def _digest(parts: list[bytes]) -> str:
    # Each part hashed by itself, so that no two lists of parts run together the same.
    whole = b"".join(hashlib.sha256(part).digest() for part in parts)
    return hashlib.sha256(whole).hexdigest()
