"""Write the page that tells a student what became of a submission."""

from course.grading.books.html_page import code, page, prose, text
from course.grading.books.spreadsheet import number
from course.grading.books.status_words import WORDS, mark
from course.grading.results import Result, TaskResult
from whygrad.mistakes import MISTAKES

_MOST_LINES = 40
_STYLE = """\
.points { font-size: 1.2rem; }
section { border-top: 1px solid var(--edge); margin-top: 1.75rem; }
section h2 { margin-top: 1.25rem; }
.state { font-weight: 600; }
.said { border-left: 4px solid var(--edge); padding-left: .9rem; }
.plain { list-style: none; padding-left: 0; }
"""


def feedback_page(result: Result) -> str:
    """Return the page of a submission: points, what passed, the mistake, the code."""
    student, exercise = text(result.student, 200), text(result.exercise)
    tasks = "\n".join(map(_task, result.tasks))
    body = f"""\
<header>
<p class="soft"><bdi>{student}</bdi></p>
<h1>Exercise {exercise}</h1>
<p class="points"><strong>{_points(result.tasks)}</strong></p>
{_note(result)}</header>
<main>
{tasks or "<p>This exercise has no tasks.</p>"}
</main>"""
    return page(f"{result.exercise} – {result.student}", body, _STYLE)


def _points(tasks: tuple[TaskResult, ...]) -> str:
    got = number(sum(task.points for task in tasks))
    most = number(sum(task.max_points for task in tasks))
    return f"{got} of {most} points"


def _note(result: Result) -> str:
    return f'<p class="said">{prose(result.note)}</p>\n' if result.note else ""


def _task(task: TaskResult) -> str:
    sign, colour = mark(task.status)
    words = WORDS.get(task.status, task.status)
    parts = [
        f"<section>\n<h2>Task {text(task.task)}: {prose(task.title)}</h2>",
        f'<p class="state"><span class="{colour}">{sign} {text(words).capitalize()}</span> '
        f'<span class="soft">· {_points((task,))}</span></p>',
        _diagnosis(task),
        _list("What is not right", "✗", task.failed),
        _hidden(task),
        _list("What passed", "✓", task.passed),
        _answer(task),
        "</section>",
    ]
    return "\n".join(filter(None, parts))


def _diagnosis(task: TaskResult) -> str:
    # What a hidden check found out would tell what it looks at.
    known = None if task.hidden else MISTAKES.get(task.diagnosis)
    name = text(task.diagnosis) if task.diagnosis != "ok" and not task.hidden else ""
    lines = [f"Diagnosis: <strong>{name}</strong>" if name else "", prose(task.message)]
    is_prediction = any(line.partition(":")[0] == "prediction" for line in task.failed)
    if known and task.status == "failed" and not is_prediction:
        lines += [f"<em>Usual cause:</em> {prose(known.cause)}" if known.cause else ""]
        lines += [f"<em>What to do:</em> {prose(known.look)}" if known.look else ""]
    inner = "\n".join(f"<p>{line}</p>" for line in lines if line)
    return f'<div class="said">\n{inner}\n</div>' if inner else ""


def _list(title: str, sign: str, lines: tuple[str, ...]) -> str:
    if not lines:
        return ""
    items = [f"<li>{sign} {prose(line, 300)}</li>" for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        items.append(f"<li>… {len(lines) - _MOST_LINES} more</li>")
    listed = "\n".join(items)
    return f'<h3>{title}</h3>\n<ul class="plain">\n{listed}\n</ul>'


def _hidden(task: TaskResult) -> str:
    names = dict.fromkeys(task.hidden)
    return "\n".join(f"<p>A hidden check on {text(name)} failed.</p>" for name in names)


def _answer(task: TaskResult) -> str:
    if not task.code.strip():
        return ""
    return f"<details open>\n<summary>Your code</summary>\n{code(task.code)}\n</details>"
