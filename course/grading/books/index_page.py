"""Write the page that tells an instructor how a class did."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from course.grading.books.charts import CHART_STYLE, PATTERNS
from course.grading.books.class_figures import mistakes_figure, spread_figure
from course.grading.books.html_page import page, prose, text
from course.grading.books.spreadsheet import number
from course.grading.books.students_table import TABLE_STYLE, link, students_table
from course.grading.books.tally import statuses
from course.grading.results import STATUSES, Result, TaskResult

_STYLE = """\
body { max-width: 72rem; }
.alert { background: var(--panel); border-left: 4px solid var(--bad); border-radius: 0 6px 6px 0;
  margin: 1rem 0; padding: .6rem 1rem; }
.alert h2 { margin: 0; } .alert.look { border-color: var(--open); }
dl { display: grid; gap: .1rem 1.25rem; grid-template-columns: max-content 1fr; }
dt { color: var(--soft); } dd { margin: 0; }
"""
_ALERTS = (
    (
        "grader-error",
        "fault",
        "Not graded: the grader failed",
        "This is no zero: their points stay empty. Run the same command again, which tries only "
        "these.",
    ),
    (
        "not-gradable",
        "look",
        "To be looked at by a person",
        "They have 0 points until a line in overrides.csv (student, task, points, reason) sets "
        "them.",
    ),
)


def index_page(results: list[Result], about: dict[str, str]) -> str:
    """Return the page: what needs a person, totals, points, mistakes, everybody.

    Args:
        results: of all submissions.
        about: how they were made: the seed, versions.
    """
    ordered = sorted(results, key=lambda r: (r.student.casefold(), r.student, r.exercise))
    exercises = sorted({result.exercise for result in ordered})
    parts = [_alert(ordered, *alert) for alert in _ALERTS]
    parts += [_totals(ordered), _points(ordered, exercises), _mistakes(ordered, exercises)]
    parts += [students_table(ordered, exercises), _about(about)]
    body = "\n".join(["<main>", PATTERNS, "<h1>Grades</h1>", *filter(None, parts), "</main>"])
    return page("Grades", body, CHART_STYLE + TABLE_STYLE + _STYLE)


def _alert(results: list[Result], status: str, kind: str, title: str, advice: str) -> str:
    items = []
    for result in results:
        tasks = [t for t in result.tasks if t.status == status and t.needs_a_person]
        for reason, same in groupby(tasks, key=lambda task: task.message or result.note):
            items.append(_item(result, list(same), reason))
    if not items:
        return ""
    listed = "\n".join(items)
    head = f'<section class="alert {kind}">\n<h2>{title} ({len(items)})</h2>'
    return f"{head}\n<p>{text(advice)}</p>\n<ul>\n{listed}\n</ul>\n</section>"


def _item(result: Result, tasks: list[TaskResult], reason: str) -> str:
    which = "all tasks"
    if len(tasks) < len(result.tasks):
        names = ", ".join(task.task for task in tasks)
        which = f"task{'s' if len(tasks) > 1 else ''} {names}"
    name = f"<bdi>{text(result.student, 80)}</bdi>, {text(result.exercise)}"
    said = prose(reason, 300) or "no reason was given"
    return f"<li>{link(result, name)}, {text(which)}: {said}</li>"


def _totals(results: list[Result]) -> str:
    students = {result.student for result in results}
    handed_in = [r for r in results if any(t.status != "missing" for t in r.tasks)]
    points = number(sum(task.points for result in results for task in result.tasks))
    most = number(sum(task.max_points for result in results for task in result.tasks))
    counts = statuses(results)
    said = ", ".join(f"{counts[name]} {name}" for name in STATUSES if counts[name])
    return (
        f"<p>{_count(len(students), 'student')}, {_count(len(handed_in), 'submission')}, "
        f"{points} of {most} points.</p>\n"
        f'<p class="soft">Tasks by status: {said or "none"}.</p>'
    )


def _count(number_of: int, what: str) -> str:
    return f"{number_of} {what}{'' if number_of == 1 else 's'}"


def _points(results: list[Result], exercises: Sequence[str]) -> str:
    figures = [spread_figure(name, _of(results, name)) for name in exercises]
    return _section("Points per task", figures)


def _mistakes(results: list[Result], exercises: Sequence[str]) -> str:
    figures = [mistakes_figure("all exercises", results)]
    if len(exercises) > 1:
        figures += [mistakes_figure(name, _of(results, name), 5) for name in exercises]
    return _section("Most common mistakes", figures)


def _of(results: list[Result], exercise: str) -> list[Result]:
    return [result for result in results if result.exercise == exercise]


def _section(title: str, parts: Iterable[str]) -> str:
    inner = "\n".join(filter(None, parts))
    return f"<section>\n<h2>{title}</h2>\n{inner}\n</section>" if inner else ""


def _about(about: dict[str, str]) -> str:
    entries = [f"<dt>{text(name)}</dt><dd>{text(value)}</dd>" for name, value in about.items()]
    return _section("How this was graded", ["<dl>\n" + "\n".join(entries) + "\n</dl>"])
