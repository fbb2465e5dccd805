"""Show the student's progress, a table per exercise."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from helpers.checks import progress as store
from helpers.checks.course_list import headings
from helpers.checks.progress import Entry, new_entry
from helpers.checks.task import Task, shown_points
from helpers.checks.tasks import load, number_of, numbers

_HEADINGS = ("Task", "Title", "Points", "State", "Hints taken")
OFF = f"Progress is not kept: {store.VARIABLE} is off."


class Row(NamedTuple):
    """One task: the texts of its cells."""

    task: str
    title: str
    points: str
    state: str
    hints: str


@dataclass(frozen=True)
class Table:
    """The tasks of one exercise; the caption says how much of it is solved."""

    number: int
    caption: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, repr=False)
class Progress:
    """Tables that show themselves, or a sentence where there is nothing to show.

    Attributes:
        tables: one for each exercise that is shown whole.
        sentence: in place of all else, or "".
        others: a line for each of the other exercises, and one for all.
    """

    tables: tuple[Table, ...] = ()
    sentence: str = ""
    others: tuple[str, ...] = ()

    def __repr__(self) -> str:
        blocks = [*map(_as_text, self.tables), "\n".join(self.others)]
        return self.sentence or "\n\n".join(filter(None, blocks))

    def _repr_html_(self) -> str:
        from whygrad.report_html import template

        shown = template(Path(__file__).with_name("progress.html.jinja"))
        return shown.render(
            tables=self.tables, others=self.others, sentence=self.sentence, headings=_HEADINGS
        )


def progress(exercise: Any = None) -> Progress:
    """Show which tasks are not started, tried or solved, and how many hints were taken.

    Args:
        exercise: the number of one, such as 5 or "5". If left out, that of the notebook is shown
            first, with a line for each of the others that has been tried; elsewhere all are. The
            last line counts all of them.

    Returns:
        An object that a notebook shows as tables.
    """
    if store.location() is None:
        return Progress(sentence=OFF)
    try:
        chosen = numbers() if exercise is None else [number_of(exercise)]
    except LookupError as error:
        return Progress(sentence=error.args[0])
    known = store.read()
    if exercise is not None:
        return Progress((_table(chosen[0], known),))
    here = _here()
    total = f"In all: {_solved([task for number in chosen for task in load(number)], known)}"
    if here is None:
        return Progress(tuple(_table(number, known) for number in chosen), others=(total,))
    tried = {int(task_id.partition(".")[0]) for task_id, entry in known.items() if entry["tries"]}
    others = [_table(number, known).caption for number in chosen if number in tried - {here}]
    return Progress((_table(here, known),), others=(*others, total))


def _here() -> int | None:
    """Return the number of the exercise whose notebook this is; None if it is none."""
    ipython = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        return None
    # JupyterLab names the notebook; elsewhere, what was checked last tells.
    for name in (Path(os.environ.get("JPY_SESSION_NAME", "")).stem, store.latest()):
        try:
            return number_of(name)
        except LookupError:
            continue
    return None


def _table(number: int, known: dict[str, Entry]) -> Table:
    tasks = load(number)
    name = headings().get(number, f"Exercise {number}")
    rows = (_row(task, known.get(task.id, new_entry())) for task in tasks)
    return Table(number, f"{name}: {_solved(tasks, known)}", tuple(rows))


def _solved(tasks: Sequence[Task], known: dict[str, Entry]) -> str:
    solved = [task for task in tasks if known.get(task.id, new_entry())["solved"]]
    points, most = (sum(task.points for task in some) for some in (solved, tasks))
    count = f"{len(solved)} of {len(tasks)} tasks solved"
    return f"{count}, {shown_points(points)} of {shown_points(most)} points"


def _row(task: Task, entry: Entry) -> Row:
    taken = min(entry["hints"], len(task.hints))
    hints = f"{taken} of {len(task.hints)}" if taken else "none"
    return Row(task.id, task.title, shown_points(task.points), _state(entry), hints)


def _state(entry: Entry) -> str:
    if entry["solved"]:
        return "✓ solved"
    if not entry["tries"]:
        return "not started"
    times = "once" if entry["tries"] == 1 else f"{entry['tries']} times"
    return f"tried {times}, " + (f"last: {entry['last']}" if entry["last"] else "empty now")


def _as_text(table: Table) -> str:
    lines = [_HEADINGS, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = (map(str.ljust, line, widths) for line in lines)
    return "\n".join([table.caption, *("  " + "  ".join(line).rstrip() for line in padded)])
