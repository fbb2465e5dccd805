"""How a class is graded: by which limits and which versions; a hash of all that a grade depends on.

A rerun grades only what is new or changed by that hash.
"""

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import course
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet

_PARTS = ("course", "helpers", "whygrad")
_CALLED = {"checks": "the course's own code"}
_PACKAGES = ("torch", "numpy", "ipykernel", "ipython", "nbval", "pytest")


@dataclass(frozen=True)
class Limits:
    """What a notebook may use, with defaults that an honest one never meets.

    Attributes:
        cell_seconds: wall-clock time of one cell.
        total_seconds: wall-clock time of all runs of a notebook: as a whole, and task by task.
        cpu_seconds: CPU time of all its processes together.
        memory_mb: that all its processes have for themselves and in files, in MB.
        disk_mb: in its private /tmp, and as much again in /dev/shm.
        processes: and threads, of all its processes together.
        open_files: of one process.
    """

    cell_seconds: float = 30.0
    total_seconds: float = 300.0
    cpu_seconds: int = 120
    memory_mb: int = 2048
    disk_mb: int = 256
    processes: int = 128
    open_files: int = 256

    def as_order(self) -> dict:
        """Return what the keeper inside the walls has to know."""
        megabyte = 2**20
        return {
            "memory": self.memory_mb * megabyte,
            "disk": self.disk_mb * megabyte,
            "cpu": self.cpu_seconds,
            "limits": {
                "cpu": self.cpu_seconds + 2,  # in case the keeper comes late
                "as": (self.memory_mb + 4096) * megabyte,  # PyTorch maps much that it never fills
                "data": (self.memory_mb + 4096) * megabyte,  # or it would have the grader's own
                "fsize": self.disk_mb * megabyte,
                "nproc": self.processes,
                "nofile": self.open_files,
                "memlock": 0,
                "msgqueue": 0,
                "sigpending": 64,
                "core": 0,
            },
        }


@dataclass(frozen=True)
class Settings:
    """What a run is made with; no notebook may see the hidden folders."""

    root: Path
    hidden: tuple[Path, ...]
    limits: Limits
    walls: bool
    seed: int


@cache
def versions() -> dict[str, str]:
    """Return the versions of what grades."""
    found = {name: version(name) for name in _PACKAGES}
    return {"python": platform.python_version(), **found, "checks": _code()[:12]}


def differing(found: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    """Say which versions are not those that are wanted; "" if all are."""
    return ", ".join(
        f"{_CALLED.get(name, name)} {found.get(name, 'missing')} in place of {version}"
        for name, version in wanted.items()
        if found.get(name) != version
    )


def fingerprint(answers: Answers, sheet: Sheet, settings: Settings) -> str:
    """Return the hash of a submission's answers and of what they are graded with."""
    cells = [[cell.id, cell.kind, cell.task, cell.source] for cell in sheet.cells]
    known: list[Any] = [answers.sources, answers.extra, answers.notes, answers.beside, cells]
    known += [vars(settings.limits), settings.walls, versions()]
    return text_hash(json.dumps(known, sort_keys=True))


def text_hash(text: str) -> str:
    """Return the hash of a text that somebody else wrote, whatever letters it has."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _code() -> str:
    root, digest = Path(course.__file__).parents[1], hashlib.sha256()
    for path in sorted(path for name in _PARTS for path in (root / name).rglob("*")):
        if path.suffix in (".py", ".toml"):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()
