"""Remember which built notebooks are right, so that nothing is run without need."""

import hashlib
import json
import platform
import subprocess
from pathlib import Path

FOLDER = ".build"


class Record:
    """What was built from what, in the git-ignored folder .build/ of a project.

    A notebook is known if it is the very file that was built, or found right, from the same
    lesson, the same packages, the same requirements, Python and Graphviz.
    """

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER
        self._surroundings = _surroundings(root)

    def knows(self, name: str, text: str, notebook: Path) -> bool:
        """Tell whether `notebook` is known to be what the lesson `text` builds."""
        try:
            found = json.loads(self._file(name).read_text(encoding="utf-8"))
            return found == self._entry(text, notebook.read_bytes())
        except (OSError, ValueError):
            return False

    def built(self, name: str, content: bytes) -> bool:
        """Tell whether this content is what was last built, or found right, under that name."""
        try:
            found = json.loads(self._file(name).read_text(encoding="utf-8"))
            return found["built"] == _digest([content])
        except (OSError, ValueError, LookupError, TypeError):
            return False

    def remember(self, name: str, text: str, content: bytes) -> None:
        """Note that the lesson `text` builds a notebook of this content."""
        self._folder.mkdir(exist_ok=True)
        self._file(name).write_text(json.dumps(self._entry(text, content)), encoding="utf-8")

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _entry(self, text: str, content: bytes) -> dict[str, str]:
        return {
            "from": _digest([self._surroundings.encode(), text.encode()]),
            "built": _digest([content]),
        }


def _surroundings(root: Path) -> str:
    lock = root / "requirements.lock"
    parts = [platform.python_version().encode(), _dot_version()]
    parts.append(lock.read_bytes() if lock.exists() else b"")
    packages = (root / package for package in ("whygrad", "helpers", "course"))
    for module in sorted(path for package in packages for path in package.rglob("*.py")):
        parts += [module.relative_to(root).as_posix().encode(), module.read_bytes()]
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
