"""List the lessons and exercises that there are, in the order of the course."""

import json
import re
from typing import NamedTuple

from helpers.checks import progress as store
from helpers.checks.tasks import numbers

MAP = "notebooks/index.ipynb"
# The map's metadata list lessons and exercises under this name, in the order of the course.
LISTED = "autograd_course_exercises"
_NAME = re.compile(r"\d\d_\w+")  # no copy of a student's, such as 05_square.1


class Listed(NamedTuple):
    """A lesson, an exercise, or both of one name.

    Attributes:
        name: such as "05_square".
        label: such as "5. Square", or "Review of Part I".
        has_lesson: whether its lesson is there.
        has_exercise: whether its exercise is there.
    """

    name: str
    label: str
    has_lesson: bool
    has_exercise: bool

    @property
    def number(self) -> int:
        """The number that its name begins with."""
        return int(self.name[:2])


def listed() -> list[Listed]:
    """Return the lessons and exercises that there are, as the map lists them."""
    try:
        told = json.loads((store.ROOT / MAP).read_text(encoding="utf-8"))["metadata"][LISTED]
        keys = ("name", "label", "lesson", "exercise")
        found = [Listed(*(one[key] for key in keys)) for one in told]
    except (OSError, ValueError, LookupError, TypeError):  # the map was changed or removed
        names = [file.stem for file in sorted((store.ROOT / "exercises").glob("*_*.ipynb"))]
        lessons = store.ROOT / MAP
        found = [
            Listed(name, name, lessons.with_name(f"{name}.ipynb").exists(), True)
            for name in names
            if _NAME.fullmatch(name)
        ]
    there = numbers()
    known = [one._replace(has_exercise=one.has_exercise and one.number in there) for one in found]
    return [one for one in known if one.has_lesson or one.has_exercise]


def headings() -> dict[int, str]:
    """Return by number what the exercises are called, such as "Exercise 5. Square"."""
    return {
        one.number: f"Exercise {one.number}. {one.label.removeprefix(f'{one.number}. ')}"
        for one in listed()
    }
