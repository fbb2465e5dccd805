"""Remember which work each line of overrides.csv was written for."""

import json
from pathlib import Path

from course.grading.books.overrides import Override
from course.grading.results import Result
from course.grading.settings import text_hash

MARKS = "overrides-applied.json"
Mark = dict[str, str]


def mark_of(result: Result, line: Override) -> Mark:
    """Return what a line says, and of which work."""
    doubts = text_hash("\n".join(result.doubts))
    said = f"{line.points:g}" if line.kind == "points" else ""
    return {"points": said, "reason": line.reason, "work": result.work, "doubts": doubts}


def first_mark(known: Mark | None, now: Mark) -> Mark:
    """Return what a line was first applied to: what is known of it, unless it says else now."""
    if known and all(known.get(key) == now[key] for key in ("points", "reason")):
        return known
    return now


def read_marks(folder: Path) -> dict[str, Mark]:
    """Return the marks of a report, by student and task; none if there are none."""
    try:
        data = json.loads((folder / MARKS).read_text(encoding="utf-8"))
        return {str(key): dict(mark) for key, mark in data.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
