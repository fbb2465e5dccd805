"""Show in a few lines how far a student is: what the map of the course runs."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from helpers.checks import progress as store
from helpers.checks.progress import Entry
from helpers.checks.progress_view import OFF
from helpers.checks.task import Task, shown_points
from helpers.checks.tasks import load, number_of, numbers

MAP = "notebooks/index.ipynb"
# The map's metadata list the exercises under this name, in the order of the course.
LISTED = "autograd_course_exercises"
_NAME = re.compile(r"\d\d_\w+")  # no copy of a student's, such as 05_square.1
_HEADINGS = ("", "Exercise", "Tasks solved", "Points", "Hints taken")
_DONE, _BEGUN = "✓", "…"
# Of an exercise: tasks solved, tasks, points earned, points.
Counts = tuple[int, int, float, float]


class Line(NamedTuple):
    """One exercise: the texts of its cells."""

    mark: str
    exercise: str
    tasks: str
    points: str
    hints: str


@dataclass(frozen=True, repr=False)
class Overview:
    """A table that shows itself, or a sentence where there is nothing to show.

    Attributes:
        caption: how much of all is solved.
        lines: one for each exercise, with the file that it leads to, from the map's folder.
        sentence: in place of all else, or "".
    """

    caption: str = ""
    lines: tuple[tuple[str, Line], ...] = ()
    sentence: str = ""

    def __repr__(self) -> str:
        if self.sentence:
            return self.sentence
        rows = [_HEADINGS, *(line for _, line in self.lines)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        padded = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        return "\n".join([self.caption, *("  " + line for line in padded)])

    def _repr_html_(self) -> str:
        from whygrad.report_html import template

        shown = template(Path(__file__).with_name("overview.html.jinja"))
        return shown.render(
            caption=self.caption, lines=self.lines, sentence=self.sentence, headings=_HEADINGS
        )


def overview() -> Overview:
    """Show for each exercise of the course how many tasks and points are solved.

    Returns:
        An object that a notebook shows as a table. A ✓ stands beside an exercise whose answers
        were all right when their checks ran last, a … beside one of which an answer was checked
        or a hint taken.
    """
    if store.location() is None:
        return Overview(sentence=OFF)
    known = store.read()
    files, lines, counts = [], [], [(0, 0, 0, 0)]
    for name, label in _listed():
        tasks = load(number_of(name))
        entries = [known.get(task.id, store.new_entry()) for task in tasks]
        counts.append(_counted(tasks, entries))
        files.append(f"../exercises/{name}.ipynb")
        lines.append(_line(label, entries, counts[-1]))
    tasks, points = _shown(tuple(map(sum, zip(*counts, strict=True))))
    caption = f"Solved: {tasks} tasks, {points} points"
    return Overview(caption, tuple(zip(files, lines, strict=True)))


def _counted(tasks: Sequence[Task], entries: Sequence[Entry]) -> Counts:
    solved = [task for task, entry in zip(tasks, entries, strict=True) if entry["solved"]]
    points, most = (sum(task.points for task in some) for some in (solved, tasks))
    return len(solved), len(tasks), points, most


def _line(label: str, entries: Sequence[Entry], counts: Counts) -> Line:
    begun = any(entry["tries"] or entry["hints"] for entry in entries)
    mark = _DONE if counts[0] == counts[1] else _BEGUN * begun
    hints = sum(entry["hints"] for entry in entries)
    return Line(mark, label, *_shown(counts), str(hints or "none"))


def _shown(counts: Counts) -> tuple[str, str]:
    solved, tasks, points, most = counts
    return f"{solved} of {tasks}", f"{shown_points(points)} of {shown_points(most)}"


def _listed() -> list[tuple[str, str]]:
    """Return name and label of each exercise that there is, as the map lists them."""
    there = numbers()
    try:
        told = json.loads((store.ROOT / MAP).read_text(encoding="utf-8"))["metadata"][LISTED]
        found = [(str(one["name"]), str(one["label"])) for one in told]
    except (OSError, ValueError, LookupError, TypeError):  # the map was changed or removed
        files = sorted((store.ROOT / "exercises").glob("*_*.ipynb"))
        found = [(file.stem, file.stem) for file in files if _NAME.fullmatch(file.stem)]
    return [(name, label) for name, label in found if int(name[:2]) in there]
