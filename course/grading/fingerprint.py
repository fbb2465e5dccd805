"""Hash all that a grade depends on, so that a rerun grades only what is new or changed."""

import hashlib
import json
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import course
import helpers
import whygrad
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet
from course.grading.settings import Settings

_PARTS = (whygrad, helpers, course)
_CALLED = {"checks": "the course's own code"}
_PACKAGES = ("torch", "numpy", "ipykernel", "ipython", "nbval", "pytest")


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
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def text_hash(text: str) -> str:
    """Return the hash of a text that somebody else wrote, whatever letters it has."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _code() -> str:
    digest = hashlib.sha256()
    for package in _PARTS:
        place = Path(package.__file__).parent
        for path in sorted([*place.rglob("*.py"), *place.rglob("*.toml")]):
            digest.update(path.relative_to(place.parent).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()
