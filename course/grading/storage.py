"""Keep results: one JSON file each, written whole or not at all."""

import json
from pathlib import Path

from course.grading.results import Result
from course.notebooks.write import write_whole


def write_result(path: Path, result: Result) -> None:
    """Write a result so that a reader, or a power cut, never meets half of it.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    write_text(path, json.dumps(result.as_json(), ensure_ascii=True, indent=1) + "\n")


def read_result(path: Path) -> Result | None:
    """Return a stored result, or None if there is none, or a damaged one."""
    try:
        return Result.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def write_text(path: Path, text: str) -> None:
    """Write a file so that it is there as a whole or as it was before.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(path, text.encode(errors="replace"))
