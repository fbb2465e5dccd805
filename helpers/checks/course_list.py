"""List the lessons and exercises that there are, in the order of the course."""

import json
from typing import NamedTuple

from helpers.checks import progress as store
from helpers.checks.tasks import numbers

MAP = "notebooks/index.ipynb"
# The map's metadata list lessons and exercises under this name, in the order of the course.
LISTED = "autograd_course_exercises"


class Listed(NamedTuple):
    """A lesson, an exercise, or both of one name.

    Attributes:
        name: such as "05_square".
        label: such as "5. Square", or "Review of Part I".
        lesson: whether its lesson is there.
        exercise: whether its exercise is there.
    """

    name: str
    label: str
    lesson: bool
    exercise: bool

    @property
    def number(self) -> int:
        """The number that its name begins with."""
        return int(self.name[:2])


def listed() -> list[Listed]:
    """Return the lessons and exercises that there are; none if the map was changed or removed."""
    try:
        told = json.loads((store.ROOT / MAP).read_text(encoding="utf-8"))["metadata"][LISTED]
        found = [Listed(**one) for one in told]
    except (OSError, ValueError, LookupError, TypeError):
        return []
    there = numbers()
    known = [one._replace(exercise=one.exercise and one.number in there) for one in found]
    return [one for one in known if one.lesson or one.exercise]


def headings() -> dict[int, str]:
    """Return by number what the exercises are called, such as "Exercise 5. Square"."""
    return {
        one.number: f"Exercise {one.number}. {one.label.removeprefix(f'{one.number}. ')}"
        for one in listed()
    }
