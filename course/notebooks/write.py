"""Write a file in one step, and keep what was there."""

import json
import os
import shutil
from pathlib import Path
from typing import Any


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader, or a power cut, meets the old one or the new one, whole.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def write_json(path: Path, data: Any) -> None:
    """Write data as `write_whole` does, for `read_json`.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    write_whole(path, json.dumps(data, indent=1).encode() + b"\n")


def read_json(path: Path) -> Any:
    """Return the data in a file.

    Raises:
        OSError, ValueError: it cannot be read, or is no JSON.
    """
    return json.loads(path.read_text(encoding="utf-8"))


def keep(path: Path) -> Path:
    """Copy a notebook beside itself, under the first free number: `05_square.1.ipynb`.

    Raises:
        OSError: it cannot be copied; then no part of a copy is left.
    """
    number = 1
    while (copy := path.with_name(f"{path.stem}.{number}{path.suffix}")).exists():
        number += 1
    try:
        shutil.copy2(path, copy)
    except OSError:
        copy.unlink(missing_ok=True)
        raise
    return copy
