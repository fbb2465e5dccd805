"""Write feedback as a notebook, for platforms that give it the name of the student's own file."""

import json
import re
import unicodedata

from course.grading.books.gradebook import number
from course.grading.books.rendering import STATUSES_SHOWN
from course.grading.results import Result, TaskResult

_MOST_LINES = 40
_LONGEST = 1500
# Code of which no program that shows notebooks makes formulas or HTML: some look for these first.
_HARMLESS = re.compile(r"`(?! )[^`<>&$\\@]+(?<! )`")
_MARK = re.compile(r"[`*_{}\[\]<>&#|~@^=]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
# Programs make formulas of what a page shows, too: no number hides these from them.
_NO_FORMULAS = str.maketrans("$\\", "＄＼")
_START = re.compile(r"^(?:[-+]|\d+[.)](?=\s|$))")  # what begins a list at the start of a line


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
    """Return words on one line as Markdown that means them: nothing in them has a meaning to it.

    What stands between backticks stays code where no program can take it for something else. All
    other marks become numbers of characters, which Markdown shows and never reads as marks. Dollars
    and backslashes become letters that look alike, of which no page makes formulas.

    >>> _shown("`x` is *no* <b>, `x < 1` neither")
    '`x` is &#42;no&#42; &#60;b&#62;, &#96;x &#60; 1&#96; neither'
    """
    line = " ".join(words[:_LONGEST].split())
    line = "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in line)
    pieces = re.split(r"(`[^`]+`)", line)
    shown = "".join(p if _HARMLESS.fullmatch(p) else _plain(p) for p in pieces)
    # Where two codes touch, their backticks would be one mark.
    return _START.sub(_numbered, shown.replace("``", "` `"))


def _plain(words: str) -> str:
    return _MARK.sub(_numbered, words.translate(_NO_FORMULAS))


def _numbered(found: re.Match[str]) -> str:
    *before, mark = found[0]
    return f"{''.join(before)}&#{ord(mark)};"
