"""Say what the name of a file tells: whether it is a notebook, and of which exercise."""

import re
from collections.abc import Sequence

from course.notebooks.exercise_name import named_after

_HIDDEN = re.compile(r"\..*|__MACOSX", re.DOTALL | re.IGNORECASE)
_NOTEBOOK = re.compile(r"\.ipynb(?:\.txt|\.json)?$", re.IGNORECASE)  # browsers add these


def is_hidden(name: str) -> bool:
    """Return whether programs give such a name to what they do not show."""
    return _HIDDEN.fullmatch(name) is not None


def is_notebook(name: str) -> bool:
    """Return whether a file is meant to be a notebook."""
    return _NOTEBOOK.search(name) is not None


def exercise_of(name: str, exercises: Sequence[str]) -> str:
    """Return which exercise a file of any kind is named after; "" for none, or several.

    >>> exercise_of("ada 05_square (2).ipynb", ["05_square", "06_exp"])
    '05_square'
    """
    stem = name[: ending.start()] if (ending := _NOTEBOOK.search(name)) else name.partition(".")[0]
    spans = {}
    for exercise in exercises:
        if match := named_after(exercise).search(stem.casefold()):
            spans[match.span(1)] = exercise
    start, end = max(spans, key=lambda span: span[1] - span[0], default=(0, 0))
    is_one = all(start <= first and last <= end for first, last in spans)
    return spans.get((start, end), "") if is_one else ""
