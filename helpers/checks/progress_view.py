"""Show the student's progress: a table for each exercise, or a line for each on the map."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helpers.checks import progress as store
from helpers.checks.course_list import headings, listed
from helpers.checks.progress import Entry, Tasks
from helpers.checks.task import Task, shown_points
from helpers.checks.tasks import load, number_of, numbers

_EXERCISE = ("Task", "Title", "Points", "State", "Hints taken")
_MAP = ("", "Lesson", "Exercise", "Tasks solved", "Not right yet", "Points", "Hints taken")
OFF = f"Progress is not kept: {store.VARIABLE} is off."


@dataclass(frozen=True)
class Table:
    """The texts of a table.

    Attributes:
        caption: how much of it is solved.
        headings: of its columns.
        rows: the texts of their cells.
        named_by: the place of the column that says what a row is about.
        links: by the text of a cell, the file that it leads to, as the table's notebook sees it.
    """

    caption: str
    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    named_by: int = 0
    links: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [self.headings, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        padded = (map(str.ljust, line, widths) for line in lines)
        return "\n".join([self.caption, *("  " + "  ".join(line).rstrip() for line in padded)])


@dataclass(frozen=True, repr=False)
class Progress:
    """Tables that show themselves, and lines below them."""

    tables: Sequence[Table] = ()
    lines: Sequence[str] = ()

    def __repr__(self) -> str:
        return "\n\n".join(filter(None, [*map(str, self.tables), "\n".join(self.lines)]))

    def _repr_html_(self) -> str:
        from whygrad.report_html import template

        shown = template(Path(__file__).with_name("progress.html.jinja"))
        return shown.render(tables=self.tables, lines=self.lines)


def progress(exercise: Any = None) -> Progress:
    """Show which tasks are not started, tried or solved, and how many hints were taken.

    Args:
        exercise: the number of one, such as 5 or "5". If left out, the notebook's own exercise is
            shown first, with a line for each of the others that has been tried; outside a notebook
            all are shown. The last line counts all of them.

    Returns:
        An object that a notebook shows as tables.
    """
    if store.location() is None:
        return Progress(lines=[OFF])
    try:
        shown = numbers() if exercise is None else [number_of(exercise)]
    except LookupError as error:
        return Progress(lines=error.args)
    known, titles = store.read(), headings()
    tables = {number: _table(number, titles, known) for number in shown}
    if exercise is not None:
        return Progress([*tables.values()])
    solved, points = _solved([task for number in shown for task in load(number)], known)
    total = f"In all: {solved} tasks solved, {points} points"
    own = tables.pop(_here(), None)
    if own is None:
        return Progress([*tables.values()], [total])
    tried = [n for n in tables if any(known[task.id].tries for task in load(n))]
    return Progress([own], [*(tables[n].caption for n in tried), total])


def overview() -> Progress:
    """Show the lessons in their order, each with its exercise and what is solved of it.

    Returns:
        An object that a notebook shows as a table; without the map's list of lessons, the tables
        of `progress()`. A ✓ marks an exercise whose answers were all right when their checks ran
        last; a … marks one with an answer that was checked or a hint that was taken. After a ✗ are
        the tasks whose answers were not right then. A lesson is only read, so nothing of it is
        counted.
    """
    lessons = listed()
    if store.location() is None or not lessons:
        return progress()
    known, rows, links, every = store.read(), [], {}, []
    for one in lessons:
        mark, name, *cells = [""] * 6
        if one.lesson:
            links[one.label] = f"{one.name}.ipynb"
        if one.exercise:
            name, tasks = f"exercise {one.number}", load(one.number)
            links[name] = f"../exercises/{one.name}.ipynb"
            mark, *cells = _line(tasks, known)
            every += tasks
        rows.append((mark, one.label, name, *cells))
    solved, points = _solved(every, known)
    caption = f"Solved: {solved} tasks, {points} points"
    return Progress([Table(caption, _MAP, rows, 1, links)])


def _here() -> int | None:
    """Return the number of the exercise whose notebook this is; None if it is none."""
    ipython = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        return None
    # JupyterLab names the notebook; elsewhere the last check tells.
    for name in (Path(os.environ.get("JPY_SESSION_NAME", "")).stem, store.latest()):
        try:
            return number_of(name)
        except LookupError:
            continue
    return None


def _table(number: int, titles: Mapping[int, str], known: Tasks) -> Table:
    tasks = load(number)
    solved, points = _solved(tasks, known)
    name = titles.get(number, f"Exercise {number}")
    rows = [_row(task, known[task.id]) for task in tasks]
    return Table(f"{name}: {solved} tasks solved, {points} points", _EXERCISE, rows)


def _row(task: Task, entry: Entry) -> tuple[str, ...]:
    taken = min(entry.hints, len(task.hints))
    hints = f"{taken} of {len(task.hints)}" if taken else "none"
    return task.id, task.title, shown_points(task.points), _state(entry), hints


def _state(entry: Entry) -> str:
    if entry.solved:
        return "✓ solved"
    if not entry.tries:
        return "not started"
    times = "once" if entry.tries == 1 else f"{entry.tries} times"
    return f"tried {times}, " + (f"last: {entry.last}" if entry.last else "empty now")


def _line(tasks: Sequence[Task], known: Tasks) -> tuple[str, ...]:
    entries = {task.id: known[task.id] for task in tasks}
    begun = any(entry.tries or entry.hints for entry in entries.values())
    mark = "✓" if all(entry.solved for entry in entries.values()) else "…" * begun
    failed = [one for one, entry in entries.items() if entry.last and not entry.solved]
    wrong = f"✗ {', '.join(failed)}" if failed else ""
    hints = sum(entry.hints for entry in entries.values())
    solved, points = _solved(tasks, known)
    return mark, solved, wrong, points, str(hints or "none")


def _solved(tasks: Sequence[Task], known: Tasks) -> tuple[str, str]:
    """Say how many of some tasks are solved, and how many of their points that is."""
    solved = [task for task in tasks if known[task.id].solved]
    points, most = (shown_points(sum(task.points for task in some)) for some in (solved, tasks))
    return f"{len(solved)} of {len(tasks)}", f"{points} of {most}"
