"""Write what a student reads of a submission, and what an instructor reads of a class."""

from collections.abc import Collection, Iterable, Sequence
from urllib.parse import quote

from course.grading.books.questions import KINDS, Question
from course.grading.books.rendering import STATUSES_SHOWN, render, statement
from course.grading.books.roster import named
from course.grading.books.tally import (
    class_table,
    grouped,
    has_page,
    is_any_open,
    is_open,
    mistakes,
    points_of,
    points_so_far,
    spreads,
    totals,
)
from course.grading.report_folder import feedback_file
from course.grading.results import Result, TaskResult
from helpers.checks.advice import advice
from whygrad.mistakes import MISTAKES

BY_HAND = "H"  # the mark of a task whose points a person has set
_UNTOUCHED = "If your answers are in another file, tell who grades: nothing is lost."


def feedback_page(result: Result, texts: dict[str, str]) -> str:
    """Return the page of a submission: what was asked, points, what passed, the mistake, the code.

    Args:
        result: final, with points set by hand and what lateness took.
        texts: what each task asks for, as `task_texts` reads it; a task without one shows none.
    """
    note = result.note
    if all(task.status == "not-started" for task in result.tasks):
        note = f"{note} {_UNTOUCHED}"
    tasks = [
        (task, _said(task, note), statement(texts[task.task]) if texts.get(task.task) else "")
        for task in result.tasks
    ]
    return render(
        "feedback.html",
        title=_titled(result.exercise),
        result=result,
        note="" if all(task.by_hand for task in result.tasks) else note,
        tasks=tasks,
        is_open=is_open(result),
    )


def _titled(exercise: str) -> str:
    """Return how people call an exercise.

    >>> _titled("05_square")
    'Exercise 5: Square'
    """
    number, _, name = exercise.partition("_")
    return f"Exercise {number.lstrip('0') or '0'}: {name.replace('_', ' ').capitalize()}"


def _said(task: TaskResult, note: str) -> list[tuple[str, str]]:
    """Return what is said of a task, and not of all: what each sentence is, and the sentence."""
    said = [("Diagnosis:", task.diagnosis), ("", "" if task.message in note else task.message)]
    if task.hidden or task.diagnosis in ("ok", "not-started"):
        del said[0]  # what a hidden check found out would tell what it looks at
    elif _is_explained(task):
        known = advice(task.task)[task.diagnosis]
        said.append(("Where:", task.where))
        said.append(("Why:", task.why) if task.why else ("Usual cause:", known.cause))
        said.append(("What to do:", f"{task.look or known.look} {known.read_on}".rstrip()))
    if task.is_open:
        said.append(("", "Nothing is lost."))
    return [(what, sentence) for what, sentence in said if sentence]


def _is_explained(task: TaskResult) -> bool:
    is_prediction = any(failed.partition(":")[0] == "prediction" for failed in task.failed)
    return task.diagnosis in MISTAKES and task.status in ("failed", "partly") and not is_prediction


def question_page(question: Question) -> str:
    """Return the page of a question: what it is about, and the lines that answer it."""
    return render("question.html", title="Question", question=question, kind=KINDS[question.kind])


def index_page(
    results: Sequence[Result],
    about: dict[str, str],
    questions: Sequence[Question],
    notes: Sequence[str],
    counted: Collection[str],
) -> str:
    """Return the page of a class: what needs a person, totals, points, mistakes, everybody.

    Args:
        results: of the whole report, in the order of the tables.
        about: how it was graded.
        questions: what needs a person, or another run.
        notes: sentences on what needs nobody.
        counted: the exercises that make up the maximum.
    """
    own = dict(sorted(grouped((one.exercise, one) for one in results).items()))
    common = {
        name: [(mistake, count, _sentence(mistake)) for mistake, count in mistakes(some)]
        for name, some in own.items()
    }
    return render(
        "index.html",
        title="Grades",
        kinds=KINDS,
        questions=questions,
        notes=notes,
        totals=totals(results, counted),
        spreads={name: spreads(some) for name, some in own.items()},
        common=common,
        counted=counted,
        rows=class_table(results),
        somebody_is_late=any(one.lateness or one.marked_late for one in results),
        points_of=points_of,
        link_of=lambda one: (
            quote(feedback_file(one.student, one.exercise)) if has_page(one) else ""
        ),
        points_so_far=points_so_far,
        is_any_open=is_any_open,
        by_hand=BY_HAND,
        about=about,
    )


def equal_answers(results: Iterable[Result]) -> list[str]:
    """Return a sentence on each group of students with the same text in two tasks or more."""
    pairs = [
        ((task.task, *task.code.split()), result.student)
        for result in results
        for task in result.tasks
        if task.code.strip() and task.status != "not-started"
    ]
    alike = grouped(
        (tuple(students), task)
        for (task, *_), students in grouped(pairs).items()
        if len(students) > 1
    )
    return [
        f"The answers to {', '.join(sorted(tasks))} are the same text: {named(students)}."
        for students, tasks in alike.items()
        if len(tasks) > 1
    ]


def _sentence(name: str) -> str:
    if name == "method":
        return "The answer does not keep to the method that the task asks for."
    if name in MISTAKES:
        return MISTAKES[name].about()
    return STATUSES_SHOWN[name][2] if name in STATUSES_SHOWN else ""
