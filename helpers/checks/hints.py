"""The hints of a task: one at a time, and the line below a report that offers the next one."""

import sys
from pathlib import Path
from typing import Any

from helpers.checks import progress as store
from helpers.checks.task import Task


def show_hint(task: Task) -> None:
    """Show the next hint of a task; after the last, all of them.

    How many were taken is remembered with the progress.
    """
    most = len(task.hints)
    if _taken(task) >= most:
        lines = [f"You have had all {most} hints for {task.id}:"]
        lines += [f"{number}. {hint}" for number, hint in enumerate(task.hints, 1)]
    else:
        taken = store.hint_taken(task.id)
        lines = [f"Hint {taken} of {most}: {task.hints[taken - 1]}"]
        lines += [f"That was the last hint for {task.id}."] if taken == most else []
    show(_bundle(lines))


def with_offer(report: dict[str, Any], task: Task) -> dict[str, Any]:
    """Return a report's mime bundle with a last line that offers the next hint, if there is one."""
    taken, most = _taken(task), len(task.hints)
    if taken >= most:
        return report
    offer = f'Hint {taken + 1} of {most}: run `check.hint("{task.id}")` in a new cell.'
    text, html = (report[kind] for kind in ("text/plain", "text/html"))
    more = _bundle([offer])["text/html"]
    return {**report, "text/plain": f"{text}\n\n{offer}", "text/html": html + more}


def show(data: dict[str, Any]) -> None:
    """Show a mime bundle below the cell, or print its text where there is no notebook."""
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        ipython.display.display(data, raw=True)
    else:
        print(data["text/plain"])


def _taken(task: Task) -> int:
    return store.read()[task.id].hints


def _bundle(lines: list[str]) -> dict[str, Any]:
    from whygrad.report_html import template

    shown = template(Path(__file__).with_name("hints.html.jinja")).render(lines=lines)
    return {"text/plain": "\n".join(lines), "text/html": shown}
