"""Write what a student reads of a submission, and what an instructor reads of a class."""

from collections import Counter
from itertools import groupby
from typing import Any

from course.grading.books.rendering import STATUSES_SHOWN, render
from course.grading.books.tally import by_student, is_handed_in, mistakes, spreads
from course.grading.results import STATUSES, Result, TaskResult
from helpers.checks.advice import advice
from whygrad.mistakes import MISTAKES


def feedback_page(result: Result) -> str:
    """Return the page of a submission: points, what passed, the mistake, the code."""
    tasks = [(task, _advice(task)) for task in result.tasks]
    title = f"{result.exercise} – {result.student}"
    return render("feedback.html", title=title, result=result, tasks=tasks)


def _advice(task: TaskResult) -> dict[str, str]:
    said = {"diagnosis": "", "why": "", "cause": "", "look": ""}
    if task.hidden:  # what a hidden check found out would tell what it looks at
        return said
    if task.diagnosis != "ok":
        said["diagnosis"] = task.diagnosis
    is_prediction = any(failed.partition(":")[0] == "prediction" for failed in task.failed)
    if task.diagnosis in MISTAKES and task.status == "failed" and not is_prediction:
        known = advice(task.task)[task.diagnosis]
        look = f"{task.look or known.look} {known.read_on}".rstrip()
        said |= {"why": task.why, "cause": known.cause, "look": look}
    return said


def index_page(results: list[Result], about: dict[str, str]) -> str:
    """Return the page of a class: what needs a person, totals, points, mistakes, everybody."""
    ordered = by_student(results)
    own: dict[str, list[Result]] = {name: [] for name in sorted({r.exercise for r in ordered})}
    for result in ordered:
        own[result.exercise].append(result)
    common = [_common_mistakes("all exercises", ordered, 12)]
    if len(own) > 1:
        common += [_common_mistakes(name, some, 5) for name, some in own.items()]
    return render(
        "index.html",
        title="Grades",
        faults=_to_be_seen(ordered, "grader-error"),
        doubts=_to_be_seen(ordered, "not-gradable"),
        totals=_totals(ordered),
        spreads={name: found for name, some in own.items() if (found := spreads(some))},
        common=common,
        exercises=list(own),
        students=_students(ordered),
        about=about,
    )


def _to_be_seen(results: list[Result], status: str) -> list[tuple[Result, str, str]]:
    """Return what a person has to see: the submission, which of its tasks, and the reason."""
    found = []
    for result in results:
        tasks = [t for t in result.tasks if t.status == status and t.needs_a_person]
        for reason, same in groupby(tasks, key=lambda task: task.message or result.note):
            names = [task.task for task in same]
            which = f"task{'s' if len(names) > 1 else ''} {', '.join(names)}"
            if len(names) == len(result.tasks):
                which = "all tasks"
            found.append((result, which, reason))
    return found


def _totals(results: list[Result]) -> dict[str, Any]:
    tasks = [task for result in results for task in result.tasks]
    counts = Counter(task.status for task in tasks)
    return {
        "students": len({result.student for result in results}),
        "submissions": sum(map(is_handed_in, results)),
        "points": sum(task.points for task in tasks),
        "max_points": sum(task.max_points for task in tasks),
        "statuses": ", ".join(f"{counts[name]} {name}" for name in STATUSES if counts[name]),
    }


def _common_mistakes(where: str, results: list[Result], shown: int) -> dict[str, Any]:
    found = mistakes(results)
    return {
        "where": where,
        "shown": [(name, count, _sentence(name)) for name, count in found[:shown]],
        "others": ", ".join(f"{name} {count}" for name, count in found[shown:]),
    }


def _sentence(name: str) -> str:
    if name == "method":
        return "The answer does not keep to the method that the task asks for."
    if name in MISTAKES:
        return MISTAKES[name].about()
    return STATUSES_SHOWN[name][2] if name in STATUSES_SHOWN else ""


def _students(results: list[Result]) -> list[tuple[str, dict[str, Result], list[TaskResult]]]:
    """Return each student's name, what they handed in, by exercise, and all of their tasks."""
    rows = []
    for student, several in groupby(results, key=lambda result: result.student):
        own = list(several)
        handed_in = {result.exercise: result for result in own if is_handed_in(result)}
        rows.append((student, handed_in, [task for result in own for task in result.tasks]))
    return rows
