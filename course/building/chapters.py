"""The chapters of the course: what each lesson and exercise in lessons/ says of itself."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from course.notebooks.regions import BuildError
from helpers.checks.task import Task
from helpers.checks.tasks import load as load_tasks

LESSON_FRONT = {"title": str, "question": str, "minutes": int}
EXERCISE_FRONT = {"title": str}
# What either may say of its place in the course, for the map: which part it belongs to, which
# lessons it builds on, the shortest way that leads through it.
PLACE = {"part": int, "builds_on": list, "way": str}
# What makes an exercise a review: the lesson after which it stands. It may ask a question, too.
REVIEW = {"after": int, "question": str}
_ENDING = ".exercise"
_FILE = re.compile(r"\d\d_[a-z0-9_]+(\.exercise)?\.md")

# Gives the tasks of the exercise of a number.
LoadTasks = Callable[[int], Sequence[Task]]


@dataclass(frozen=True)
class Chapter:
    """A lesson, an exercise, or both of one name.

    Attributes:
        folder: the folder lessons/ of the course.
        name: such as "05_square".
        load: gives the tasks of its exercise.
    """

    folder: Path
    name: str
    load: LoadTasks = load_tasks

    @property
    def number(self) -> int:
        """Its number, which its name begins with."""
        return int(self.name[:2])

    @property
    def lesson(self) -> Path:
        """The file of its lesson; it need not exist."""
        return self.folder / f"{self.name}.md"

    @property
    def exercise(self) -> Path:
        """The file of its exercise; it need not exist."""
        return self.folder / f"{self.name}{_ENDING}.md"

    @cached_property
    def front(self) -> dict[str, Any]:
        """The front matter of its lesson, or of its exercise where it has no lesson."""
        if self.lesson.exists():
            return front_matter(self.lesson, LESSON_FRONT)
        return front_matter(self.exercise, EXERCISE_FRONT)

    @property
    def is_review(self) -> bool:
        """Whether it is an exercise about several lessons, with a place after the last of them."""
        return "after" in self.front

    @property
    def place(self) -> tuple[int, bool, int]:
        """What the chapters go by in the order of the course."""
        try:
            return self.front.get("after", self.number), self.is_review, self.number
        except BuildError:  # said when the file itself is read
            return self.number, False, self.number

    @property
    def label(self) -> str:
        """Its number and its title, as a link shows them."""
        return f"{self.number}. {self.front['title']}"

    @property
    def exercise_minutes(self) -> int:
        """How many minutes its exercise takes."""
        return sum(task.minutes for task in self.tasks())

    @property
    def exercise_time(self) -> str:
        """How long its exercise takes, such as "25 minutes"."""
        return counted(self.exercise_minutes, "minute")

    def tasks(self) -> Sequence[Task]:
        """Return the tasks of its exercise.

        Raises:
            BuildError: there are none.
        """
        try:
            return self.load(self.number)
        except LookupError as error:
            where = f"{shown(self.exercise)}:1"
            raise BuildError(f"{where}: {error.args[0]}: write its tasks first") from None


def find_chapters(folder: Path, load: LoadTasks = load_tasks) -> list[Chapter]:
    """Return the chapters in `folder`, the folder lessons/ of a course, in order."""
    files = [path for path in folder.glob("*.md") if _FILE.fullmatch(path.name)]
    names = {path.stem.removesuffix(_ENDING) for path in files}
    return [Chapter(folder, name, load) for name in sorted(names)]


def in_order(chapters: Iterable[Chapter]) -> list[Chapter]:
    """Return the chapters as the course goes: by number, a review after its last lesson."""
    return sorted(chapters, key=lambda chapter: chapter.place)


def find_lessons(root: Path) -> list[Path]:
    """Return the lesson files of the course in `root`, in order."""
    found = find_chapters(root / "lessons")
    return [chapter.lesson for chapter in found if chapter.lesson.exists()]


def find_exercises(root: Path) -> list[Path]:
    """Return the exercise files of the course in `root`, in order."""
    found = find_chapters(root / "lessons")
    return [chapter.exercise for chapter in found if chapter.exercise.exists()]


def is_exercise(path: Path) -> bool:
    """Tell whether a file of lessons/ is an exercise."""
    return path.stem.endswith(_ENDING)


def counted(number: int, unit: str) -> str:
    """Write a number with its unit, such as "1 point" or "3 points"."""
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def shown(path: Path) -> str:
    """Name a file of lessons/ as messages do, such as `lessons/05_square.md`."""
    return f"{path.parent.name}/{path.name}"


def read_text(path: Path) -> str:
    """Return what a file of lessons/ holds.

    Raises:
        BuildError: it is not UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BuildError(f"{shown(path)}:1: the file is not UTF-8 text ({error.reason})") from None


def front_matter(path: Path, kinds: dict[str, type]) -> dict[str, Any]:
    """Return the front matter of a file.

    Args:
        path: the file.
        kinds: which keys it must have, and of which type each is; those of PLACE it may have, and
            an exercise those of REVIEW.

    Raises:
        BuildError: it has others, or none.
    """
    wanted = f"{shown(path)}:1: the file must start with front matter: " + ", ".join(kinds)
    block = re.match(r"---\n(.*?)^---$", read_text(path), re.DOTALL | re.MULTILINE)
    try:
        front = yaml.safe_load(block[1]) if block else None
    except yaml.YAMLError as error:
        raise BuildError(f"{wanted}; YAML cannot read it: {error}") from None
    is_review = isinstance(front, dict) and kinds == EXERCISE_FRONT and "after" in front
    more = PLACE | REVIEW if is_review else PLACE
    if not isinstance(front, dict) or front.keys() - more.keys() != kinds.keys():
        raise BuildError(f"{wanted}, nothing less and nothing more")
    for key, kind in (kinds | more).items():
        if key in front and type(front[key]) is not kind:
            raise BuildError(f"{wanted}; {key} is {front[key]!r}, not of type {kind.__name__}")
    return front
