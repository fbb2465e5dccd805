"""List the lessons with what a student has solved: what the map of the course runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from helpers.checks import progress as store
from helpers.checks.course_list import Listed, listed
from helpers.checks.progress import Entry
from helpers.checks.progress_view import OFF
from helpers.checks.task import Task, shown_points
from helpers.checks.tasks import load

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
    for one in listed():
        lesson = f"{one.name}.ipynb" * one.has_lesson
        if not one.has_exercise:
            rows.append(Linked(lesson, "", Line("", one.label)))
            continue
        tasks = load(one.number)
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


def _line(one: Listed, tasks: Sequence[Task], entries: Sequence[Entry], counts: Counts) -> Line:
    begun = any(entry["tries"] or entry["hints"] for entry in entries)
    mark = _DONE if counts[0] == counts[1] else _BEGUN * begun
    pairs = zip(tasks, entries, strict=True)
    failed = [task.id for task, entry in pairs if entry["last"] and not entry["solved"]]
    wrong = f"{_WRONG} {', '.join(failed)}" if failed else ""
    hints = sum(entry["hints"] for entry in entries)
    solved, points = _shown(counts)
    name = f"exercise {one.number}"
    return Line(mark, one.label, name, solved, wrong, points, str(hints or "none"))


def _shown(counts: Counts) -> tuple[str, str]:
    solved, tasks, points, most = counts
    return f"{solved} of {tasks}", f"{shown_points(points)} of {shown_points(most)}"
