"""List the lessons with what a student has solved: what the map of the course runs."""

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
# The map's metadata list lessons and exercises under this name, in the order of the course.
LISTED = "autograd_course_exercises"
_NAME = re.compile(r"\d\d_\w+")  # no copy of a student's, such as 05_square.1
_HEADINGS = ("", "Lesson", "Exercise", "Tasks solved", "Not right yet", "Points", "Hints taken")
_DONE, _BEGUN, _WRONG = "✓", "…", "✗"
# Of an exercise: tasks solved, tasks, points earned, points.
Counts = tuple[int, int, float, float]


class Line(NamedTuple):
    """One lesson with its exercise: the texts of its cells."""

    mark: str
    lesson: str
    exercise: str = ""
    tasks: str = ""
    wrong: str = ""
    points: str = ""
    hints: str = ""


class Linked(NamedTuple):
    """A line, with the files that its lesson and its exercise lead to; "" for none."""

    lesson: str
    exercise: str
    line: Line


class _Listed(NamedTuple):
    name: str
    label: str
    has_lesson: bool
    has_exercise: bool


@dataclass(frozen=True, repr=False)
class Overview:
    """A table that shows itself, or a sentence where there is nothing to show.

    Attributes:
        caption: how much of all is solved.
        rows: one for each lesson or review, with its files as the map's folder sees them.
        sentence: in place of all else, or "".
    """

    caption: str = ""
    rows: tuple[Linked, ...] = ()
    sentence: str = ""

    def __repr__(self) -> str:
        if self.sentence:
            return self.sentence
        lines = [_HEADINGS, *(row.line for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        padded = ("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
        return "\n".join([self.caption, *("  " + line for line in padded)])

    def _repr_html_(self) -> str:
        from whygrad.report_html import template

        shown = template(Path(__file__).with_name("overview.html.jinja"))
        return shown.render(
            caption=self.caption, rows=self.rows, sentence=self.sentence, headings=_HEADINGS
        )


def overview() -> Overview:
    """Show the lessons in their order, each with its exercise and what is solved of that.

    Returns:
        An object that a notebook shows as a table. A ✓ stands beside an exercise whose answers
        were all right when their checks ran last, a … beside one of which an answer was checked
        or a hint taken. After a ✗ stand the tasks whose answer was not right then. Of a lesson,
        which is only read, nothing is counted.
    """
    if store.location() is None:
        return Overview(sentence=OFF)
    known = store.read()
    rows, counts = [], [(0, 0, 0, 0)]
    for one in _listed():
        lesson = f"{one.name}.ipynb" * one.has_lesson
        if not one.has_exercise:
            rows.append(Linked(lesson, "", Line("", one.label)))
            continue
        tasks = load(number_of(one.name))
        entries = [known.get(task.id, store.new_entry()) for task in tasks]
        counts.append(_counted(tasks, entries))
        line = _line(one, tasks, entries, counts[-1])
        rows.append(Linked(lesson, f"../exercises/{one.name}.ipynb", line))
    solved, points = _shown(tuple(map(sum, zip(*counts, strict=True))))
    return Overview(f"Solved: {solved} tasks, {points} points", tuple(rows))


def _counted(tasks: Sequence[Task], entries: Sequence[Entry]) -> Counts:
    solved = [task for task, entry in zip(tasks, entries, strict=True) if entry["solved"]]
    points, most = (sum(task.points for task in some) for some in (solved, tasks))
    return len(solved), len(tasks), points, most


def _line(one: _Listed, tasks: Sequence[Task], entries: Sequence[Entry], counts: Counts) -> Line:
    begun = any(entry["tries"] or entry["hints"] for entry in entries)
    mark = _DONE if counts[0] == counts[1] else _BEGUN * begun
    pairs = zip(tasks, entries, strict=True)
    failed = [task.id for task, entry in pairs if entry["last"] and not entry["solved"]]
    wrong = f"{_WRONG} {', '.join(failed)}" if failed else ""
    hints = sum(entry["hints"] for entry in entries)
    solved, points = _shown(counts)
    name = f"exercise {number_of(one.name)}"
    return Line(mark, one.label, name, solved, wrong, points, str(hints or "none"))


def _shown(counts: Counts) -> tuple[str, str]:
    solved, tasks, points, most = counts
    return f"{solved} of {tasks}", f"{shown_points(points)} of {shown_points(most)}"


def _listed() -> list[_Listed]:
    """Return the lessons and exercises that there are, as the map lists them."""
    try:
        told = json.loads((store.ROOT / MAP).read_text(encoding="utf-8"))["metadata"][LISTED]
        keys = ("name", "label", "lesson", "exercise")
        found = [_Listed(*(one[key] for key in keys)) for one in told]
    except (OSError, ValueError, LookupError, TypeError):  # the map was changed or removed
        names = [file.stem for file in sorted((store.ROOT / "exercises").glob("*_*.ipynb"))]
        lessons = store.ROOT / MAP
        found = [
            _Listed(name, name, lessons.with_name(f"{name}.ipynb").exists(), True)
            for name in names
            if _NAME.fullmatch(name)
        ]
    there = numbers()
    known = [one._replace(has_exercise=one.has_exercise and _number(one) in there) for one in found]
    return [one for one in known if one.has_lesson or one.has_exercise]


def _number(one: _Listed) -> int:
    return int(one.name[:2])
