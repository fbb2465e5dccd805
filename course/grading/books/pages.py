"""Write what a student reads of a submission, and what an instructor reads of a class."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from course.grading.books.questions import KINDS, Question
from course.grading.books.rendering import STATUSES_SHOWN, render, statement
from course.grading.books.roster import named
from course.grading.books.tally import (
    class_table,
    has_page,
    is_any_open,
    is_handed_in,
    is_open,
    mistakes,
    points_of,
    points_so_far,
    spreads,
)
from course.grading.report_folder import feedback_file, question_file
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
    own = {
        name: [one for one in results if one.exercise == name]
        for name in sorted({one.exercise for one in results})
    }
    common = {
        name: [(mistake, count, _sentence(mistake)) for mistake, count in mistakes(some)]
        for name, some in own.items()
    }
    return render(
        "index.html",
        title="Grades",
        asked=_by_kind(questions),
        notes=notes,
        totals=_totals(results, counted),
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


def _by_kind(questions: Sequence[Question]) -> list[tuple[str, list[tuple[Question, str]]]]:
    """Return the questions of each kind, with the addresses of their pages."""
    found = {
        kind: [(one, question_file(*one.about)) for one in questions if one.kind == kind]
        for kind in KINDS
    }
    return [(KINDS[kind], asked) for kind, asked in found.items() if asked]


def equal_answers(results: Iterable[Result], solved: Mapping[str, str]) -> list[str]:
    """Return a sentence on each group of students with the same text in two tasks or more.

    Args:
        results: of the whole report.
        solved: the code of the course's own answers, by task.
    """
    tasks: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, code in solved.items():
        tasks[name, *code.split()].append("the course's own solution")
    for result in results:
        for task in result.tasks:
            if task.code.strip() and task.status != "not-started":
                tasks[task.task, *task.code.split()].append(result.student)
    pairs: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for (name, *_), students in tasks.items():
        if len(students) > 1:
            pairs[tuple(students)].append(name)
    return [
        f"The answers to {', '.join(sorted(names))} are the same text: {named(students)}."
        for students, names in pairs.items()
        if len(names) > 1
    ]


def _totals(results: Sequence[Result], counted: Collection[str]) -> dict[str, Any]:
    counting = [one for one in results if one.exercise in counted]
    return {
        "students": len({result.student for result in results}),
        "submissions": sum(map(is_handed_in, results)),
        "open": sum(map(is_open, results)),
        "points": points_so_far(counting),
        "max_points": sum(task.max_points for one in counting for task in one.tasks),
        "so_far": is_any_open(counting),
    }


def _sentence(name: str) -> str:
    if name == "method":
        return "The answer does not keep to the method that the task asks for."
    if name in MISTAKES:
        return MISTAKES[name].about()
    return STATUSES_SHOWN[name][2] if name in STATUSES_SHOWN else ""
