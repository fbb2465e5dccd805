"""Write feedback as a notebook, for platforms that give it the name of the student's own file."""

import html
import json
import re
import unicodedata

from course.grading.books.gradebook import number
from course.grading.books.rendering import STATUSES_SHOWN
from course.grading.results import Result, TaskResult

_MOST_LINES = 40
_LONGEST = 1500


def feedback_notebook(result: Result) -> bytes:
    """Return a notebook without code: a cell on the whole, and one on each task."""
    texts = [_top(result), *map(_task, result.tasks)]
    cells = [
        {"cell_type": "markdown", "id": f"feedback-{place}", "metadata": {}, "source": text}
        for place, text in enumerate(texts)
    ]
    data = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"


def _top(result: Result) -> str:
    got, most = (sum(getattr(t, key) for t in result.tasks) for key in ("points", "max_points"))
    lines = [f"# Exercise {_shown(result.exercise)}: {_points(got, most)}"]
    return "\n\n".join([*lines, *filter(None, (_shown(result.lateness), _shown(result.note)))])


def _task(task: TaskResult) -> str:
    sign, _, words = STATUSES_SHOWN[task.status]
    taken = f"; coming late took {number(task.lost)}" if task.lost else ""
    top = f"## Task {_shown(task.task)}: {_shown(task.title)}"
    points = _points(task.points, task.max_points)
    if task.by_hand:
        reason = f": {_shown(task.reason)}" if task.reason else ""
        return f"{top}\n\n**Set by hand{reason}** · {points}{taken}"
    parts = [
        f"{'✓' if part.earned else '✗'} {_shown(part.name)}, "
        f"{number(part.max_points if part.earned else 0)} of {number(part.max_points)}"
        f"{f'. {_shown(part.why)}' if part.why and not part.earned else ''}"
        for part in task.parts
    ]
    hidden = [f"A hidden check on {name} failed." for name in dict.fromkeys(task.hidden)]
    blocks = [
        top,
        f"**{sign} {words}** · {points}{taken}",
        _listed(parts),
        _shown(task.message),
        _listed([f"✗ {_shown(line)}" for line in task.failed]),
        _listed(list(map(_shown, hidden))),
        _listed([f"✓ {_shown(line)}" for line in task.passed]),
    ]
    return "\n\n".join(filter(None, blocks))


def _points(got: float, most: float) -> str:
    return f"{number(got)} of {number(most)} points"


def _listed(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines[:_MOST_LINES])


def _shown(words: str) -> str:
    """Return words on one line: no HTML, no picture, no link, and nothing that is not seen."""
    line = " ".join(words[:_LONGEST].split())
    line = "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in line)
    # Between backticks Markdown takes all as it is, entities too.
    parts = re.split(r"(`[^`]+`)", line)
    return "".join(p if p.startswith("`") and len(p) > 1 else _escaped(p) for p in parts)


def _escaped(text: str) -> str:
    return re.sub(r"([\\\[\]!*_~#$|])", r"\\\1", html.escape(text, quote=False))
