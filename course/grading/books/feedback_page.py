"""Write the page that tells a student what became of a submission."""

from course.grading.books.rendering import render
from course.grading.results import Result, TaskResult
from helpers.checks.advice import COURSE_MISTAKES


def feedback_page(result: Result) -> str:
    """Return the page of a submission: points, what passed, the mistake, the code."""
    tasks = [(task, _advice(task)) for task in result.tasks]
    title = f"{result.exercise} – {result.student}"
    return render("feedback.html", title=title, result=result, tasks=tasks)


def _advice(task: TaskResult) -> dict[str, str]:
    advice = {"diagnosis": "", "cause": "", "look": ""}
    if task.hidden:  # what a hidden check found out would tell what it looks at
        return advice
    if task.diagnosis != "ok":
        advice["diagnosis"] = task.diagnosis
    known = COURSE_MISTAKES.get(task.diagnosis)
    is_prediction = any(failed.partition(":")[0] == "prediction" for failed in task.failed)
    if known and task.status == "failed" and not is_prediction:
        advice |= {"cause": known.cause, "look": known.look}
    return advice
