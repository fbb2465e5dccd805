"""Lay submissions out as students and learning platforms do."""

import functools
import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from course.grading.books.assign import Found, assign
from course.grading.books.by_hand import Decisions
from course.grading.books.identity import Directory, id_keys, name_keys
from course.grading.reading.download import Download, read_download
from course.grading.reading.sheet import Sheet, read_sheet
from tests.course.grading.classes import ROOT, put

EXERCISES = ("05_square", "06_exp")
SQUARE, EXP = "05_square.ipynb", "06_exp.ipynb"
LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"  # begin the headers of files in a zip archive
FORMS = ("folder", "archive", "archive in a folder")


@functools.cache
def known() -> tuple[Sheet, ...]:
    """Return the exercises that are looked for."""
    return tuple(read_sheet(ROOT, name) for name in EXERCISES)


def notebook(exercise: str = "05_square", folder: str = "exercises") -> dict[str, Any]:
    """Return a notebook of the course."""
    return json.loads((ROOT / folder / f"{exercise}.ipynb").read_text(encoding="utf-8"))


@functools.cache
def worked(exercise: str = "05_square", mark: str = "mine") -> bytes:
    """Return a notebook in which a student has written something into each answer."""
    content = notebook(exercise)
    for cell in content["cells"]:
        if cell["id"].startswith("answer"):
            cell["source"] = f"{''.join(cell['source'])}\n# {mark}"
    return json.dumps(content).encode()


def zipped(files: Mapping[Any, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", kind) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


def tarred(files: Mapping[str, bytes], mode: str = "w:gz", kind: bytes = tarfile.REGTYPE) -> bytes:
    """Return a tar archive, of members of a kind."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode=mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(content), "/etc/passwd"
            archive.addfile(info, io.BytesIO(content))
    return held.getvalue()


def patched(content: bytes, offsets: Mapping[bytes, int], value: bytes) -> bytes:
    """Return an archive with other bytes in the first headers that begin so, at these offsets."""
    for start, offset in offsets.items():
        at = content.index(start) + offset
        content = content[:at] + value + content[at + len(value) :]
    return content


def encrypted(content: bytes) -> bytes:
    """Say of the first file in a zip archive that it is encrypted."""
    return patched(content, {LOCAL: 6, CENTRAL: 8}, b"\x01")


def lay(root: Path, files: Mapping[str, bytes | str], form: str = "folder") -> Path:
    """Lay files into a folder or an archive; return what is to be graded."""
    if form == "folder":
        for name, content in files.items():
            put(root / name, content)
        return root
    path = put(root / f"{root.name}.zip", zipped(files))
    return path if form == "archive" else root


def read(root: Path) -> Download:
    """Return what lies in a folder or an archive."""
    return read_download(root, known())


def find(
    root: Path,
    *asked: str,
    listed: Any = (),
    numbers: Any = MappingProxyType({}),
    graded: Any = MappingProxyType({}),
    **said: Any,
) -> Found:
    """Return whose work it is, in a class of these students, with their ids."""
    keys = {name: name_keys(name.split(" (")[0]) | id_keys(dict(listed)[name]) for name in listed}
    return assign(read(root), Directory(keys, numbers), Decisions(**said), graded, asked)


def done(found: Found) -> list[tuple[str, str]]:
    """Return who has done what."""
    return [(one.student, one.exercise) for one in found.submissions]
