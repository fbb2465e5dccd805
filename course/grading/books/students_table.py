"""List all students with their points, and lead to their feedback."""

from collections.abc import Sequence
from itertools import groupby

from course.grading.books.html_page import text
from course.grading.books.page import feedback_link
from course.grading.books.spreadsheet import number
from course.grading.books.status_words import mark
from course.grading.results import Result, TaskResult

TABLE_STYLE = """\
.class { max-height: 80vh; overflow: auto; }
.class thead th { background: var(--page); position: sticky; top: 0; white-space: nowrap; }
.class tbody th { font-weight: 400; max-width: 24rem; overflow-wrap: anywhere; }
.class td { white-space: nowrap; }
"""


def students_table(results: list[Result], exercises: Sequence[str]) -> str:
    """Return the table; the results are those of all students, sorted by student."""
    heads = "".join(f'<th scope="col">{text(name)}</th>' for name in exercises)
    rows = []
    for student, own in groupby(results, key=lambda result: result.student):
        known = {result.exercise: result for result in own}
        cells = "".join(f"<td>{_cell(known.get(name))}</td>" for name in exercises)
        total = _points([task for result in known.values() for task in result.tasks])
        name = f'<th scope="row"><bdi>{text(student, 80)}</bdi></th>'
        rows.append(f'<tr>{name}{cells}<td class="number">{total}</td></tr>')
    table = (
        '<div class="class" role="region" aria-labelledby="students" tabindex="0">\n<table>\n'
        f'<thead><tr><th scope="col">Student</th>{heads}'
        '<th scope="col" class="number">Points</th></tr></thead>\n'
        f"<tbody>\n{chr(10).join(rows)}\n</tbody>\n</table>\n</div>"
    )
    hint = '<p class="soft">✓ passed, ✗ not passed, ? open, – not handed in; a mark a task.</p>'
    return f'<section>\n<h2 id="students">Students</h2>\n{hint}\n{table}\n</section>'


def _cell(result: Result | None) -> str:
    if result is None or all(task.status == "missing" for task in result.tasks):
        return '<span class="soft">–</span>'
    got = _points(result.tasks)
    most = number(sum(task.max_points for task in result.tasks))
    marks = "".join(mark(task.status)[0] for task in result.tasks)
    return f"{link(result, f'{got} of {most}')} {marks}"


def _points(tasks: Sequence[TaskResult]) -> str:
    # Where the grader failed there is no grade yet, which is not 0.
    is_open = any(task.is_open for task in tasks)
    return "?" if is_open else str(number(sum(task.points for task in tasks)))


def link(result: Result, words: str) -> str:
    """Return words, as HTML, that lead to the feedback page of a submission if it has one."""
    # What is missing as a whole has no page.
    if all(task.status == "missing" for task in result.tasks):
        return words
    address = text(feedback_link(result.student, result.exercise), 2000)
    return f'<a href="{address}">{words}</a>'
