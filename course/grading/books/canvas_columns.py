"""Tell which column of Canvas's gradebook is an exercise's, by the title of its assignment."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from course.notebooks.exercise_name import named_after
from course.notebooks.student_notebook import UnreadableNotebookError, read_cells, source_of

_TITLE = re.compile(r"(.*) \(\d+\)", re.DOTALL)
# What a title says besides the name of an exercise; with a number, it can say that alone.
_FILLER = frozenset(
    (
        *("exercise", "ex", "assignment", "homework", "hw", "notebook", "task", "the", "no", "nr"),
        *("lab", "sheet", "problem", "set", "lesson", "übung", "aufgabe", "übungsblatt", "blatt"),
        *("exercice", "devoir", "ejercicio", "tarea", "exercício", "esercizio", "compito"),
        *("opdracht", "oefening"),
    )
)
# Weeks have numbers of their own.
_WEEK = re.compile(r"\b(?:week|woche|semaine|semana|settimana|unit|session)\s*\d+\b")
_HEADING = re.compile(r"^# (.+)", re.MULTILINE)


def exercise_headings(root: Path) -> dict[str, str]:
    """Return the first heading of each exercise of the course, by its name."""
    found = {}
    for path in sorted((root / "exercises").glob("[0-9][0-9]_*.ipynb")):
        try:
            sources = "\n".join(
                source_of(cell) for cell in read_cells(path) if cell["cell_type"] == "markdown"
            )
        except UnreadableNotebookError:
            continue
        match = _HEADING.search(sources)
        found[path.stem] = match[1] if match else ""
    return found


def assignment_column(
    columns: Sequence[str], exercise: str, course: Mapping[str, str]
) -> tuple[int | None, str]:
    """Return the column whose assignment is an exercise's; if none is for certain, a sentence.

    Args:
        columns: the headings of the gradebook.
        exercise: such as "05_square".
        course: the headings of the course's exercises, by their names.
    """
    titles = {i: match[1] for i, text in enumerate(columns) if (match := _TITLE.fullmatch(text))}
    fitting = [i for i, title in titles.items() if _fits(title, exercise, course.get(exercise, ""))]
    if len(fitting) == 1:
        (index,) = fitting
        others = [
            name
            for name, heading in course.items()
            if name != exercise and _fits(titles[index], name, heading)
        ]
        if not others:
            return index, ""
        say = f"“{titles[index]}” could be {' or '.join((exercise, *others))}"
    else:
        many = "more than one assignment is" if fitting else "no assignment is"
        say = f"{many} named after {exercise}"
    words = " ".join(_words(exercise))
    return None, (
        f"In Canvas's gradebook {say}: Canvas asks at the import which one is meant. It is known "
        f"by “{words}”, in any order, with or without the number, “Exercise” and the like, by the "
        f"title in its first line, and by “Exercise {words.split()[0]}” alone."
    )


def _fits(title: str, exercise: str, heading: str) -> bool:
    """Tell whether a title is an exercise's name, or its number, or has its words alone."""
    title = title.casefold()
    match = named_after(exercise).search(title)
    if match and not re.search(r"\w", match[2]):
        return True
    number = _words(exercise)[0]
    said = _words(_WEEK.sub(" ", title))
    rest = _own(said, number)
    if not rest:
        is_number = title.strip() == exercise[:2] or not _FILLER.isdisjoint(said)
        return is_number and said.count(number) == 1
    return rest in (_own(_words(exercise), number), _own(_words(heading), number))


def _own(words: Sequence[str], number: str) -> list[str]:
    return sorted(word for word in words if word != number and word not in _FILLER)


def _words(text: str) -> list[str]:
    return [word.lstrip("0") or "0" for word in re.findall(r"[^\W_]+", text.casefold())]
